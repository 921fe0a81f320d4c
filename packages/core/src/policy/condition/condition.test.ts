import { describe, expect, test } from 'vitest'
import { type Condition, compileCondition, conditionHolds, evaluateCondition } from './condition.ts'
import type { ConditionFields } from './condition-fields.ts'

function compiled(text: string): Condition {
  const result = compileCondition(text)
  if (!result.ok) throw new Error(`${text}: ${result.error.message}`)
  return result.condition
}

const call: ConditionFields = {
  event: { name: 'PreToolUse', tool: 'Bash', input: { command: 'git push', count: 3, tags: ['a', 'b'] } },
  actor: { id: 'agent:executor', kind: 'agent', role: 'executor' },
  session: { heartbeat: 4, context_usage: 1 },
}

describe('evaluateCondition', () => {
  test.each<[string, boolean]>([
    ['commitment.requires_review == true', false],
    ['commitment.requires_review', false],
    ['commitment.id == ""', true],
    ['commitment.evidence_count == 0', true],
    ['effort.phase == ""', true],
    ['session.started_at == null', true],
    ['event.tool == "Bash" && event.input.command.startsWith("git")', true],
    ['event.input.count + 1 == 4', true],
    ['event.input.tags.exists(tag, tag == "b")', true],
    ['event.prompt == ""', true],
    ['actor.role in ["executor", "auditor"]', true],
    ['session.heartbeat >= 3', true],
    ['session.context_usage >= 0.90', true],
    ['session.context_usage * 100.0 > 90.0', true],
    ['event.input.command.matches("^git (push|pull)$")', true],
    ['event.input.tags.all(tag, tag.matches("^[ab]$"))', true],
    ['has(event.input.missing)', false],
    ['task.dir == "" ? false : true', false],
    ['commitment == null', true],
    ['null == commitment', true],
    ['commitment != null', false],
    ['effort == null && task == null', true],
    ['commitment != null && commitment.requires_review', false],
    ['commitment == null || commitment.state == "open"', true],
    ['event == null || actor == null || session == null', false],
  ])('%s', (text, value) => {
    expect(evaluateCondition(compiled(text), call)).toEqual({ ok: true, value })
  })

  test('null is unset for a declared field, and null for any other', () => {
    const fields: ConditionFields = { event: { prompt: null, custom_instructions: null }, commitment: null }
    expect(evaluateCondition(compiled('event.prompt == "" && event.custom_instructions == null'), fields)).toEqual({
      ok: true,
      value: true,
    })
    expect(evaluateCondition(compiled('commitment.tier == ""'), fields)).toEqual({ ok: true, value: true })
    expect(evaluateCondition(compiled('commitment == null'), fields)).toEqual({ ok: true, value: true })
    expect(evaluateCondition(compiled('commitment == null'), { commitment: { id: 'cmt_1' } })).toEqual({ ok: true, value: false })
    expect(evaluateCondition(compiled('commitment != null'), { commitment: {} })).toEqual({ ok: true, value: true })
  })

  test('a field nobody declared is an error, and closes a gate', () => {
    const condition = compiled('event.input.missing == 1')
    expect(evaluateCondition(condition, call)).toEqual({ ok: false, why: 'No such key: missing' })
    expect(conditionHolds(condition, call)).toBe(true)
    expect(conditionHolds(compiled('event.input.count == 1'), call)).toBe(false)
  })

  test('the prototype of a value is not a field', () => {
    expect(evaluateCondition(compiled('event.input.constructor == null'), call).ok).toBe(false)
    expect(evaluateCondition(compiled('event.input.__proto__ == null'), call).ok).toBe(false)
  })

  test('a dynamic value that is no boolean is an error', () => {
    expect(evaluateCondition(compiled('event.input.command'), call)).toEqual({ ok: false, why: 'gave string, not true or false' })
  })

  test.each([
    ['a backtracking pattern', 'event.input.text.matches("(a+)+$")', { text: `${'a'.repeat(40)}!` }, { ok: true, value: false }],
    [
      'a backtracking pattern inside a loop',
      'event.input.list.exists(text, text.matches("(a|aa)+$"))',
      { list: [`${'a'.repeat(60)}!`] },
      { ok: true, value: false },
    ],
  ])('%s is matched in linear time', (_title, text, input, expected) => {
    expect(evaluateCondition(compiled(text), { event: { input } })).toEqual(expected)
  })

  test.each([
    ['a list beyond the loop budget', 'event.input.list.all(x, x > 0)', { list: Array(10_001).fill(1) }],
    ['nested loops over a long list', 'event.input.list.all(x, event.input.list.all(y, x == y))', { list: Array(101).fill(1) }],
    ['a loop over the characters of a long text', 'event.input.text.split("").all(c, c == "a")', { text: 'a'.repeat(70_000) }],
    ['a pattern over huge texts', 'event.input.text.matches("b")', { text: 'a'.repeat(2_000_000) }],
  ])('%s is refused, which closes a gate', (_title, text, input) => {
    const condition = compiled(text)
    expect(evaluateCondition(condition, { event: { input } }).ok).toBe(false)
    expect(conditionHolds(condition, { event: { input } })).toBe(true)
  })

  test('names the roots it reads', () => {
    expect([...compiled('commitment.tier == "t3" && actor.id != ""').reach.reads].sort()).toEqual(['actor', 'commitment'])
  })
})

describe('compileCondition', () => {
  test.each([
    ['commitment.requires_review ==', 'Unexpected token: EOF', 30],
    ['comitment.id == ""', 'Unknown variable: comitment', 1],
    ['actor.id == "a" && foo', 'Unknown variable: foo', 20],
    ['1 + 2', 'gives int, not true or false', 1],
    ['', 'Unexpected token: EOF', 1],
    ['event.input.a.all(x, event.input.b.all(y, event.input.c.all(z, x == y)))', 'nests loops more than 2 deep', 1],
    ['event.input.a.all(x, event.input.b.split("").all(y, x == y))', 'nests loops more than 1 deep', 1],
    [`${'true && '.repeat(600)}true`, 'is longer than 4096 characters', 1],
  ])('%s', (text, message, column) => {
    expect(compileCondition(text)).toEqual({ ok: false, error: { message, column } })
  })
})
