// A guard that stops at the first command that is not let through lets through what the guard of every other door does, and nothing else.
import { readFileSync } from 'node:fs'
import { parseGenesis, type ToolCall } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { readPolicy } from '../case/test-policy.ts'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { toolEvent } from '../recorded-call.ts'
import { listShapes, readProperty } from './prove-property.ts'

interface Case extends ToolCall {
  readonly policy: string
  readonly allow: readonly string[]
  readonly ask?: readonly string[]
  readonly deny: readonly string[]
}

const lines = readFileSync(new URL('../../../../core/src/policy/fixtures/permission-cases.jsonl', import.meta.url), 'utf8').trim()
const cases: readonly Case[] = lines.split('\n').map(line => JSON.parse(line))
const ofPolicy = new Map<string, Case[]>()
for (const one of cases) {
  const { allow, ask = [], deny } = one
  const block = JSON.stringify({ allow, ask, deny })
  ofPolicy.set(block, [...(ofPolicy.get(block) ?? []), one])
}

function policyOf(byDefault: string, block: string) {
  const parsed = parseGenesis(`version: "2.0"\npermissions: {default: ${byDefault}, actors: {"agent:*": ${block}}}\n`, 'x.key')
  if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join('\n'))
  return parsed.policy
}

/** Calls that one of the two lets through and the other does not; how many are let through by both. */
function compare(policy: ReturnType<typeof policyOf>, calls: readonly ToolCall[], actor: string) {
  const guards = [imaginedGuard([policy]), imaginedGuard([policy], { stopsAtRefusal: true })]
  const found = { different: [] as ToolCall[], passed: 0 }
  for (const call of calls) {
    const event = toolEvent({ call, actor, cwd: IMAGINED_ROOT })
    const [whole, short] = guards.map(guard => ['allow', 'none'].includes(guard.judge(call, event).verdict.decision))
    if (whole !== short) found.different.push(call)
    else if (whole === true) found.passed++
  }
  return found
}

test.each(['ask', 'deny', 'allow', 'none'])('the permission cases, where the default is %s', byDefault => {
  let passed = 0
  for (const [block, some] of ofPolicy) {
    const found = compare(policyOf(byDefault, block), some, 'agent:a')
    expect(found.different).toEqual([])
    passed += found.passed
  }
  expect(passed).toBeGreaterThan(50)
})

const shapesOf = (text: string) => {
  const property = readProperty(text)
  if (!property.ok) throw new Error(property.why)
  return listShapes(property.acts, 1).map(({ call }) => call)
}

test.each(['starter', 'trio'])('every shape of an act that %s does not forbid', name => {
  const policy = readPolicy(new URL(`../../../../../policies/${name}.key`, import.meta.url).pathname)
  if (!policy.ok) throw new Error('the policy does not parse')
  const found = compare(policy.policy, shapesOf('never Bash(git status)'), 'agent:executor')
  expect(found.different).toEqual([])
  expect(found.passed).toBeGreaterThan(0)
})

test('every shape of an act that is denied where all else is allowed', () => {
  const found = compare(
    policyOf('allow', '{deny: ["Bash(deploy *)"]}'),
    [...shapesOf('never Bash(deploy)'), ...shapesOf('never Bash(other)')],
    'agent:a',
  )
  expect(found.different).toEqual([])
  expect(found.passed).toBeGreaterThan(100)
})
