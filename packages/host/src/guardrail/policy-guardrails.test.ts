import { listGuardrails } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { genesisChecks } from '../config/genesis-checks.ts'
import { policyGuardrails } from './policy-guardrails.ts'

function policy(text: string, trusted = true, file = 'genesis.key') {
  const parsed = parseGenesis(`version: "2.0"\nguardrails:\n${text}`, file, genesisChecks)
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  return { ...parsed.policy, trusted }
}

const ports = { now: Date.now, rootOf: () => '/' }

test('an error has its place', () => {
  const parsed = parseGenesis(
    'version: "2.0"\nguardrails:\n  schema_guard:\n    mode: strict\n    toolz: {}\n',
    'genesis.key',
    genesisChecks,
  )
  expect(parsed.ok ? [] : parsed.errors.map(({ message, place }) => [message, place.line])).toEqual([
    ['guardrail schema_guard: `toolz` is not known here; known are mode, tools', 5],
  ])
})

test('of several files the first that sets a guardrail holds', () => {
  const listed = listGuardrails([policy('  failure_hints: {mode: guide}'), policy('  failure_hints: {mode: off}\n  side_effects: {}')])
  expect(listed.map(({ setting, mode }) => [setting.name, mode])).toEqual([
    ['failure_hints', 'guide'],
    ['side_effects', 'strict'],
  ])
})

test('an untrusted file cannot switch on what runs commands or removes files', () => {
  const text = '  failure_hints: {}\n  stop_harness: {objective: x, promise: y, verify: ["rm -rf /"]}\n  artifacts: {}'
  expect(listGuardrails([policy(text, false)]).map(({ setting, inert }) => [setting.name, inert === null])).toEqual([
    ['failure_hints', true],
    ['stop_harness', false],
    ['artifacts', false],
  ])
  expect(new Set(policyGuardrails([policy(text, false)], ports).map(({ name }) => name))).toEqual(new Set(['failure_hints']))
})

test('a guardrail that cannot work here fails instead of being absent', () => {
  const hooks = policyGuardrails([policy('  tool_ledger: {}')], ports)
  expect(hooks.map(({ event }) => event)).toEqual(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PermissionDenied'])
})

test('the nudge knows the tools of the guard', () => {
  const hooks = policyGuardrails([policy('  schema_guard: {tools: {Write: {required: [content]}}}\n  schema_nudge: {}')], ports)
  expect(hooks.map(({ name, event }) => [name, event])).toEqual([
    ['schema_guard', 'PreToolUse'],
    ['schema_nudge', 'PostToolUse'],
    ['schema_nudge', 'PostToolUseFailure'],
    ['schema_nudge', 'PostToolBatch'],
  ])
})
