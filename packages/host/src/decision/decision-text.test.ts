import { canonicalJson } from '@belay/core/ledger'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { DecisionBody, PartRecord } from './decision-record.ts'
import { writeDecision } from './decision-text.ts'

/** Quotes, control characters, halves of pairs. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '"\\', '\n\u0000', '\ud800', '\udc00x', '\u{1f600}', 'a\\ud800'),
)
const ms = fc.integer({ min: 0, max: 10_000_000 }).map(us => us / 1000)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const data = fc.oneof(fc.anything({ maxDepth: 3, key: text, values: [text, fc.double(), fc.constant(undefined)] }), text).filter(isData)
const list = fc.array(data, { minLength: 1, maxLength: 2 })

const part: fc.Arbitrary<PartRecord> = fc.record({
  decision: fc.constantFrom('allow', 'ask', 'deny', 'neutral', 'default'),
  match: fc.constantFrom('must', 'may', null),
  normal: maybe(text),
  path: maybe(fc.record({ lexical: text, real: maybe(fc.option(text)) })),
  reason: maybe(text),
  rule: maybe(text),
  source: text,
  span: fc.option(fc.record({ end: fc.nat(), start: fc.nat() })),
  what: fc.constantFrom('unit', 'effect', 'call'),
})

/** Every field there is. */
const body: fc.Arbitrary<{ readonly [K in keyof DecisionBody]: unknown }> = fc
  .record({
    agent: text,
    agentId: text,
    alsoAs: maybe(fc.array(text, { minLength: 1, maxLength: 2 })),
    answer: fc.record({ exit: fc.nat(255), stderr: text, stdout: text }),
    askedBy: maybe(fc.constantFrom('rule', 'default', 'hook')),
    attended: fc.boolean(),
    changed: maybe(fc.array(fc.string())),
    commitment: fc.option(text),
    context: maybe(list),
    cwd: text,
    decidedBy: maybe(fc.oneof(part, fc.nat(3))),
    degraded: maybe(list),
    dropped: maybe(list),
    event: text,
    evidence: maybe(list),
    fields: maybe(fc.dictionary(text, data)),
    hooks: fc.array(data, { maxLength: 2 }),
    input: maybe(data),
    judge: maybe(text),
    line: maybe(text),
    nativeEvent: maybe(text),
    parser: maybe(fc.constantFrom('ok', 'partial', 'refused')),
    parts: maybe(fc.array(part, { minLength: 1, maxLength: 3 })),
    paused: maybe(fc.constant(true)),
    rawTool: maybe(text),
    reason: maybe(text),
    refusedNames: maybe(fc.array(text, { minLength: 1, maxLength: 2 })),
    request: maybe(text),
    rewrites: maybe(list),
    root: text,
    rule: maybe(data),
    skipped: maybe(list),
    stop: maybe(fc.record({ hook: maybe(text), reason: text })),
    timing: maybe(fc.record({ approvalMs: maybe(ms), decodeMs: ms, encodeMs: ms, hooksMs: ms, permissionsMs: maybe(ms) })),
    tookMs: ms,
    tool: maybe(data),
    toolUseId: maybe(data),
    unknownHost: maybe(fc.constant(true)),
    verdict: fc.constantFrom('allow', 'deny', 'ask', 'none'),
  })
  .chain(made => fc.constantFrom(made, { ...made, decidedBy: made.parts?.at(-1) }))

test('a body written field by field is its canonical JSON', () => {
  fc.assert(
    fc.property(body, made => {
      expect(writeDecision(made as unknown as DecisionBody)).toBe(canonicalJson(made))
    }),
    { numRuns: 3000 },
  )
})

/** What falls away by itself is not what these fields hold. */
function isData(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && typeof value !== 'bigint'
}
