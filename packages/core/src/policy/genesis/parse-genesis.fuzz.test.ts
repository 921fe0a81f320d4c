// Damaged policies: whatever the text, parsing ends in a policy or in errors with a place, never in a throw.
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { effectivePermissions } from './effective-permissions.ts'
import type { GenesisPolicy } from './genesis-policy.ts'
import { parseGenesis } from './parse-genesis.ts'

const runs = { numRuns: Number(process.env.BELAY_FUZZ_RUNS ?? 50), seed: Number(process.env.BELAY_FUZZ_SEED ?? Date.now() % 2 ** 31) }
const prd = readFileSync(new URL('./fixtures/prd.key', import.meta.url), 'utf8')

const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '  ',
    '\t',
    ':',
    '- ',
    '*',
    '&a ',
    '*a',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '|',
    '>',
    '#',
    '!!js ',
    '---\n',
    '\r\n',
    '\0',
    '\uFEFF',
    '<<: ',
  ),
  fc.constantFrom(
    'hooks:',
    'permissions:',
    'actors:',
    'deny:',
    'type: deny',
    'rule: Bash(x)',
    'match: [x]',
    'version: "1.0"',
    'condition: event.x',
  ),
  fc.string({ maxLength: 6 }),
)

function checkOutcome(text: string): void {
  const lines = text.split('\n').length
  const parsed = parseGenesis(text, 'genesis.key')
  if (parsed.ok) return
  expect(parsed.errors.length).toBeGreaterThan(0)
  for (const { place, message } of parsed.errors) {
    expect(message).not.toBe('')
    expect(place.line).toBeGreaterThanOrEqual(1)
    expect(place.line).toBeLessThanOrEqual(lines + 1)
    expect(place.column).toBeGreaterThanOrEqual(1)
  }
}

describe(`parseGenesis (seed ${runs.seed})`, () => {
  test('a policy with one piece replaced', () => {
    const cut = fc.tuple(fc.nat(prd.length), fc.nat(12), piece)
    fc.assert(
      fc.property(cut, ([at, length, text]) => checkOutcome(prd.slice(0, at) + text + prd.slice(at + length))),
      runs,
    )
  })

  test('a heap of pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), pieces => checkOutcome(pieces.join(''))),
      runs,
    )
  })
})

describe(`effectivePermissions (seed ${runs.seed})`, () => {
  const actor = fc.constantFrom('*', 'agent:*', 'agent:a', 'agent:b', 'human:*')
  const rules = fc.array(fc.constantFrom('Bash(a *)', 'Write(x)', 'Read'), { maxLength: 3 })
  const block = fc.record({ allow: rules, ask: rules, deny: rules })
  const section = fc.record({
    default: fc.constantFrom('none', 'ask', 'deny', 'allow'),
    actors: fc.dictionary(actor, block, { maxKeys: 3 }),
  })
  const file = fc.record({ section, trusted: fc.boolean() })

  function toPolicy({ section: permissions, trusted }: { section: unknown; trusted: boolean }): GenesisPolicy {
    const parsed = parseGenesis(`version: "2.0"\npermissions: ${JSON.stringify(permissions)}\n`, 'genesis.key')
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
    return { ...parsed.policy, trusted }
  }

  test('another file never takes a deny or an ask away, nor softens the default', () => {
    const strictness = ['allow', 'none', 'ask', 'deny']
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 3 }), file, (files, more) => {
        const before = effectivePermissions(files.map(toPolicy), 'agent:a')
        const after = effectivePermissions([...files, more].map(toPolicy), 'agent:a')
        expect(after.deny.map(rule => rule.text)).toEqual(expect.arrayContaining(before.deny.map(rule => rule.text)))
        expect(after.ask.map(rule => rule.text)).toEqual(expect.arrayContaining(before.ask.map(rule => rule.text)))
        expect(strictness.indexOf(after.default)).toBeGreaterThanOrEqual(strictness.indexOf(before.default))
      }),
      runs,
    )
  })

  test('an untrusted file adds no allow rule', () => {
    fc.assert(
      fc.property(fc.array(file, { maxLength: 2 }), file, (files, more) => {
        const before = effectivePermissions(files.map(toPolicy), 'agent:a')
        const after = effectivePermissions([...files.map(toPolicy), { ...toPolicy(more), trusted: false }], 'agent:a')
        expect(after.allow).toEqual(before.allow)
        expect(after.default === 'allow' && before.default !== 'allow').toBe(false)
      }),
      runs,
    )
  })
})
