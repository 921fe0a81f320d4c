// A record says once what several of its parts have in common. Read back, nothing is missing.
import type { Rule } from '@belay/core/policy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decisionRecord } from '../../decision/decision-record.ts'
import { undecided } from '../../decision/judge-event.ts'
import { decidingPart, judgedParts, listParts, recordedParts } from './record-part.ts'

const text = fc.constantFrom('a', 'b', 'c')
const part = fc.record({
  what: fc.constantFrom('unit' as const, 'call' as const),
  source: text,
  normal: text,
  span: fc.constantFrom(null, { start: 1, end: 2 }),
  decision: fc.constantFrom('allow' as const, 'deny' as const, 'default' as const),
  match: fc.constant('must' as const),
  rule: fc.constantFrom<(Rule | null)[]>(null),
  reason: text,
  path: fc.record({ lexical: text, real: fc.option(text) }),
})

const event = {
  name: 'PreToolUse',
  sessionId: 's',
  cwd: '/',
  transcriptPath: null,
  permissionMode: null,
  actor: 'agent:a',
  agent: 'a',
  commitment: null,
  fields: { toolName: 'Bash', toolInput: {} },
  env: {},
}
const decoded = { event: 'PreToolUse', nativeEvent: 'PreToolUse', rawTool: null }

test('every part, and the one that decided, whether it is among them or not', () => {
  const anything = fc.record({ parts: fc.array(part, { minLength: 1, maxLength: 4 }), other: part, at: fc.nat(4), reason: text })
  fc.assert(
    fc.property(anything, ({ parts, other, at, reason }) => {
      const decidedBy = parts[at] ?? other
      const verdict = { decision: 'deny' as const, reason }
      const judgement = { verdict, rule: null, decidedBy, parts, parser: null, policyHash: 'p' }
      const guarded = { ...undecided(event), verdict, judgement }
      const answer = { exitCode: 0, stdout: '', stderr: '', degraded: [] }
      const facts = { event, decoded, guarded, answer, policyHash: null, root: '/', agentId: 'i', attended: true, tookMs: 0, changes: [] }
      const body = JSON.parse(JSON.stringify(decisionRecord(facts as unknown as Parameters<typeof decisionRecord>[0]).body))
      expect(recordedParts(body)).toEqual(judgedParts(judgement))
      const whole = ({ rule: _, ...rest }: (typeof parts)[number]) => rest
      expect(listParts(body)).toEqual(parts.map(whole))
      expect(decidingPart(body)).toEqual(whole(decidedBy))
    }),
  )
})

test('records of before, which wrote the deciding part in full', () => {
  const old = { what: 'unit', source: 'ls', normal: 'ls', reason: 'r', decision: 'allow', path: { lexical: '/a', real: null } }
  expect(decidingPart({ decidedBy: old, parts: [old], reason: 'other' })).toEqual(old)
  expect(decidingPart({})).toBeNull()
  expect(decidingPart({ decidedBy: 7, parts: [] })).toBeNull()
})
