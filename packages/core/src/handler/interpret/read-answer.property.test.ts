// Whatever a program prints, reading it never throws, and a deny in it is never lost.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CommandDialect, HookDefinition } from '../../hook/hook-definition.ts'
import { interpretEnd } from './interpret-end.ts'

const runs = Number(process.env.BELAY_FUZZ_RUNS ?? 100)

const EVENTS = ['PreToolUse', 'PostToolUse', 'UserPromptSubmit', 'SessionStart', 'Stop', 'PermissionRequest', 'Elicitation', 'NoSuchEvent']
const DIALECTS: CommandDialect[] = ['settings', 'toml', 'genesis']
const KEYS = [
  'decision',
  'reason',
  'permissionDecision',
  'hookSpecificOutput',
  'permission',
  'Reject',
  'ModifyInput',
  'continue',
  'stopReason',
  'updatedInput',
  'modified_input',
  'additionalContext',
  'systemMessage',
  'evidence',
  'suppressOutput',
  'cancel',
  'async',
  'tool_input',
  'session_id',
  'behavior',
]
const WORDS = ['allow', 'deny', 'ask', 'block', 'approve', 'defer', 'modify', 'maybe', '', 'Continue']

const { answer } = fc.letrec(tie => ({
  answer: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 6 }),
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(...WORDS),
    fc.boolean(),
    fc.integer(),
    fc.constant(null),
    tie('answer'),
    fc.array(tie('value'), { maxLength: 2 }),
  ),
}))

const situation = fc.record({
  dialect: fc.constantFrom(...DIALECTS),
  eventName: fc.constantFrom(...EVENTS),
  exitCode: fc.oneof(fc.constantFrom(0, 1, 2), fc.integer({ min: 0, max: 255 })),
  signal: fc.option(fc.constantFrom('SIGKILL', 'SIGSEGV'), { nil: null, freq: 4 }),
  stderr: fc.string(),
})

function interpret(
  stdout: string,
  { dialect, eventName, exitCode, signal, stderr }: typeof situation extends fc.Arbitrary<infer S> ? S : never,
) {
  const hook: HookDefinition = { event: eventName, scope: 'session', handler: { type: 'command', command: 'x', dialect } }
  const output = { stdout, stderr, truncated: false }
  const end = signal === null ? ({ kind: 'exited', exitCode, ...output } as const) : ({ kind: 'killed', signal, ...output } as const)
  return interpretEnd(end, { hook, dialect, eventName, readsStdout: true })
}

describe('reading what a hook printed', () => {
  it('never throws and never allows after a signal', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string({ unit: 'binary' }),
          answer.map(value => JSON.stringify(value)),
        ),
        situation,
        (stdout, given) => {
          const run = interpret(stdout, given)
          if (given.signal !== null) expect(run.kind === 'answered' ? run.result.verdict.decision : 'failed').toMatch(/^(deny|failed)$/)
        },
      ),
      { numRuns: runs },
    )
  })

  it.each<[string, Record<string, unknown>]>([
    ['decision deny', { decision: 'deny' }],
    ['decision block', { decision: 'block' }],
    ['permissionDecision', { permissionDecision: 'deny' }],
    ['permission', { permission: 'deny' }],
    ['Reject', { Reject: { reason: 'r' } }],
    ['cancel', { cancel: true }],
  ])('%s is a deny whatever stands beside it, however the hook ended', (_title, denial) => {
    fc.assert(
      fc.property(answer, situation, (beside, given) => {
        const run = interpret(JSON.stringify({ ...(beside as object), ...denial }), given)
        expect(run.kind === 'answered' && run.result.verdict.decision).toBe('deny')
      }),
      { numRuns: runs },
    )
  })
})
