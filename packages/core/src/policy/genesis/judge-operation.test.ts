import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { GenesisPolicy } from './genesis-policy.ts'
import { judgeOperation } from './judge-operation.ts'
import { parseGenesis } from './parse-genesis.ts'

function load(name: string): GenesisPolicy {
  const parsed = parseGenesis(readFileSync(new URL(`./fixtures/${name}`, import.meta.url), 'utf8'), name)
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.policy
}

const byActor = load('operations-1.0.key')
const byOperation = load('tiers-1.0.key')

describe('operations by actor', () => {
  test.each([
    ['Ada Byron', 'close', true],
    ['ada@example.com', 'commit', true],
    ['ada@example.com', 'close', false],
    ['agent:claude-architect', 'annotate', true],
    ['agent:claude-architect', 'commit', false],
    // Nobody's block: what every authenticated actor may do.
    ['agent:other', 'annotate', true],
    ['agent:other', 'close', false],
  ])('%s may %s: %s', (actor, operation, allowed) => {
    expect(judgeOperation([byActor], actor, operation).allowed).toBe(allowed)
  })
})

describe('actors by operation', () => {
  test.each([
    ['agent:x', 'claim', true],
    ['human:bo', 'claim', true],
    ['human:ada', 'close', true],
    ['human:bo', 'close', false],
    ['agent:x', 'close', false],
    ['human:ada', 'reopen', false],
  ])('%s may %s: %s', (actor, operation, allowed) => {
    expect(judgeOperation([byOperation], actor, operation).allowed).toBe(allowed)
  })
})

test('a refusal says where it comes from', () => {
  expect(judgeOperation([byOperation], 'agent:x', 'close')).toEqual({
    allowed: false,
    reason: 'agent:x may not close: denied at tiers-1.0.key:11:12',
  })
  expect(judgeOperation([byOperation], 'human:bo', 'close')).toEqual({
    allowed: false,
    reason: 'human:bo may not close: tiers-1.0.key does not grant it',
  })
})

test('every file must agree, and one that says nothing has no say', () => {
  const silent = parseGenesis('version: "2.0"\n', 'silent.key')
  if (!silent.ok) throw new Error('silent.key')
  expect(judgeOperation([], 'anyone', 'close')).toEqual({ allowed: true })
  expect(judgeOperation([silent.policy], 'anyone', 'close')).toEqual({ allowed: true })
  expect(judgeOperation([silent.policy, byActor, byOperation], 'Ada Byron', 'close').allowed).toBe(false)
})
