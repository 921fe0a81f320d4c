// The prover as a fuzzer of the matcher: whatever a deny rule of the permission cases forbids, no spelling of it passes, in the policies of the
// cases themselves and where all else is allowed.
import { readFileSync } from 'node:fs'
import { type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { proveProperty, readProperty } from './prove-property.ts'

interface Case {
  readonly policy: string
  readonly allow: readonly string[]
  readonly ask?: readonly string[]
  readonly deny: readonly string[]
}

const lines = readFileSync(new URL('../../../../core/src/policy/fixtures/permission-cases.jsonl', import.meta.url), 'utf8').trim()
const cases: readonly Case[] = lines.split('\n').map(line => JSON.parse(line))
const policies = [...new Map(cases.map(each => [JSON.stringify([each.allow, each.ask, each.deny]), each])).values()]

function policyOf(byDefault: string, { allow, ask = [], deny }: Omit<Case, 'policy'>): GenesisPolicy {
  const block = JSON.stringify({ allow, ask, deny })
  const parsed = parseGenesis(`version: "2.0"\npermissions: {default: ${byDefault}, actors: {"agent:*": ${block}}}\n`, 'x.key')
  if (!parsed.ok) throw new Error(parsed.errors.map(({ message }) => message).join('\n'))
  return parsed.policy
}

function escapes(policy: GenesisPolicy, rules: readonly string[]): readonly string[] {
  const guard = imaginedGuard([policy], { stopsAtRefusal: true })
  return rules.flatMap(rule => {
    const property = readProperty(`never ${rule}`)
    if (!property.ok) return []
    const { counterExample } = proveProperty(guard, property, { actor: 'agent:a', depth: 1, cwd: IMAGINED_ROOT })
    return counterExample === null ? [] : [`${rule}: ${JSON.stringify(counterExample.call.input)} ${counterExample.reason}`]
  })
}

/** Code of other languages is looked through for programs by their names: a rule without one is not found there. */
const NAMELESS = 'Bash(* --force)'
const rules = [...new Set(policies.flatMap(({ deny }) => deny))].filter(rule => rule !== NAMELESS).toSorted()

test.each(rules)('where all else is allowed, %s has no way around it', rule => {
  expect(escapes(policyOf('allow', { allow: [], deny: [rule] }), [rule])).toEqual([])
})

test.each(policies.filter(({ deny }) => deny.length > 0).map(each => [each.policy, each] as const))(
  'the deny rules of the policy %s',
  (_name, each) => {
    expect(escapes(policyOf('ask', each), each.deny)).toEqual([])
  },
)
