// From how a command ended to what the hook said. The dialect decides what an exit code means (docs/semantics.md, section 5); the words of an
// answer are the same in every dialect. Invariants: a hook that a signal ended is never a success, and a deny is never lost.
import { endOf } from '../../event/table.ts'
import type { CommandDialect, HookDefinition } from '../../hook/hook-definition.ts'
import type { HandlerRun, HookResult, RunDetail } from '../../hook/hook-result.ts'
import { deny, none } from '../../verdict/verdict.ts'
import type { ProcessEnd } from '../command/process-end.ts'
import { describeHook } from '../describe-hook.ts'
import { failed, type HandlerCode } from '../failure.ts'
import { parseAnswer } from './parse-answer.ts'
import { readAnswer, saysSomething } from './read-answer.ts'

/** How a hook is to be read: its dialect, its event and whether its stdout counts. */
export interface Reading {
  readonly hook: HookDefinition
  readonly dialect: CommandDialect
  readonly eventName: string
  readonly readsStdout: boolean
  /** The event has been answered: nothing can be rejected any more. */
  readonly isLate?: boolean
}

type Ended = Extract<ProcessEnd, { kind: 'exited' | 'killed' }>

export function interpretEnd(end: ProcessEnd, reading: Reading): HandlerRun {
  if (end.kind === 'not-started') return interpretNotStarted(end, reading)
  if (end.kind === 'cancelled') return { kind: 'cancelled', why: end.why, detail: detailOf(end) }
  const spoken = readSpoken(end, reading)
  if (end.kind === 'exited' && end.exitCode === 0) return interpretSuccess(spoken, end, reading)
  if (rejectsByCode(reading)) return answered({ verdict: deny(`Hook failed: ${tell(end)}`) }, detailOf(end))
  if (end.kind === 'exited' && end.exitCode === 2 && reading.dialect !== 'toml') return interpretBlock(spoken, end, reading)
  return interpretFailure(spoken, end, reading)
}

/** hooks.toml: any code but 0 rejects. After the call, and for a hook that nobody waits for, nothing is left to reject: its failure is shown. */
function rejectsByCode({ dialect, eventName, hook, isLate }: Reading): boolean {
  return dialect === 'toml' && endOf(eventName) !== 'tool' && hook.async !== true && isLate !== true
}

/** What stdout said, before the exit code has its say. */
type Spoken =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bad'; readonly why: string }
  | { readonly kind: 'result'; readonly result: HookResult; readonly notes: readonly string[] }

const TEXT_IS_CONTEXT = new Set(['SessionStart', 'UserPromptSubmit'])

function readSpoken(end: Ended, reading: Reading): Spoken {
  if (!reading.readsStdout) return { kind: 'nothing' }
  const parsed = parseAnswer(end.stdout)
  if (parsed.kind === 'empty') return { kind: 'nothing' }
  if (parsed.kind === 'text') return parsed
  if (parsed.kind === 'value')
    return TEXT_IS_CONTEXT.has(reading.eventName) ? { kind: 'text', text: parsed.text } : { kind: 'bad', why: parsed.why }
  if (parsed.kind === 'garbled') return { kind: 'bad', why: end.truncated ? `${parsed.why} (it was longer than is kept)` : parsed.why }
  const answer = readAnswer(parsed.value, reading.eventName)
  return answer.ok ? { kind: 'result', result: answer.result, notes: answer.notes } : { kind: 'bad', why: answer.why }
}

function interpretSuccess(spoken: Spoken, end: Ended, reading: Reading): HandlerRun {
  switch (spoken.kind) {
    case 'nothing':
      return answered({ verdict: none() }, detailOf(end))
    case 'text':
      if (!TEXT_IS_CONTEXT.has(reading.eventName)) return answered({ verdict: none() }, detailOf(end))
      return answered({ verdict: none(), context: spoken.text }, detailOf(end))
    case 'bad':
      return failed('BELAY_HANDLER_BAD_ANSWER', `${describeHook(reading.hook)}: ${spoken.why}`, detailOf(end))
    case 'result':
      return answered(spoken.result, detailOf(end, spoken.notes))
  }
}

/** Exit code 2: a deny, whatever stdout says. The reason is stderr, else what stdout offers; genesis hooks answer on stdout first. */
function interpretBlock(spoken: Spoken, end: Ended, { dialect }: Reading): HandlerRun {
  const said = spoken.kind === 'result' ? spoken.result : undefined
  const saidReason = said?.verdict.decision === 'deny' ? said.verdict.reason : undefined
  const shown = spoken.kind === 'text' || spoken.kind === 'bad' ? end.stdout.trim() : ''
  const reasons = dialect === 'genesis' ? [saidReason, end.stderr.trim(), shown] : [end.stderr.trim(), saidReason, shown]
  const reason = reasons.find(text => text !== undefined && text !== '')
  const verdict = deny(reason ?? 'the hook exited with code 2 and gave no reason')
  const notes = looksBroken(end.stderr) ? [BROKEN_NOTE] : []
  return answered({ ...said, verdict }, detailOf(end, notes))
}

const BROKEN_NOTE =
  'This exit code 2 seems to come from an interpreter that did not find the script or understand its arguments, not from a decision: check the path in the command.'

/** Python exits with 2 for a missing script, and so does argparse for bad arguments. */
function looksBroken(stderr: string): boolean {
  return /can't open file .*No such file or directory/.test(stderr) || /^usage: [\s\S]*error: /.test(stderr)
}

/** Any other way to fail: in settings a valid answer still decides; elsewhere, and after a signal, only a deny does. */
function interpretFailure(spoken: Spoken, end: Ended, reading: Reading): HandlerRun {
  if (spoken.kind === 'result' && saysSomething(spoken.result)) {
    const decides = end.kind === 'exited' && reading.dialect === 'settings'
    if (decides || spoken.result.verdict.decision === 'deny') return answered(spoken.result, detailOf(end, spoken.notes))
  }
  const code = end.kind === 'killed' ? 'BELAY_HANDLER_SIGNAL' : 'BELAY_HANDLER_EXIT'
  return failed(code, `${describeHook(reading.hook)} ${howItEnded(end)}${lastWords(end)}`, detailOf(end))
}

const NOT_STARTED: Readonly<Record<Extract<ProcessEnd, { kind: 'not-started' }>['code'], HandlerCode>> = {
  'no-cwd': 'BELAY_HANDLER_NO_CWD',
  'no-program': 'BELAY_HANDLER_NO_PROGRAM',
  refused: 'BELAY_HANDLER_NOT_STARTED',
}

function interpretNotStarted(end: Extract<ProcessEnd, { kind: 'not-started' }>, reading: Reading): HandlerRun {
  if (rejectsByCode(reading)) return answered({ verdict: deny(`Hook error: ${end.why}`) }, {})
  return failed(NOT_STARTED[end.code], `${describeHook(reading.hook)} could not start: ${end.why}`)
}

function answered(result: HookResult, detail: RunDetail): HandlerRun {
  return { kind: 'answered', result, detail }
}

function tell(end: Ended): string {
  return end.stderr.trim() === '' ? howItEnded(end) : end.stderr.trim()
}

function howItEnded(end: Ended): string {
  return end.kind === 'killed' ? `was ended by ${end.signal}` : `exited with code ${end.exitCode}`
}

const WORDS_SHOWN = 500

/** The end of stderr: that is where programs say what went wrong. */
function lastWords(end: Ended): string {
  const words = end.stderr.trim()
  if (words === '') return ''
  return `: ${words.length > WORDS_SHOWN ? `…${words.slice(-WORDS_SHOWN)}` : words}`
}

function detailOf(end: Exclude<ProcessEnd, { kind: 'not-started' }>, notes: readonly string[] = []): RunDetail {
  return {
    ...(end.kind === 'exited' ? { exitCode: end.exitCode } : {}),
    ...(end.kind === 'killed' ? { exitCode: null, signal: end.signal } : {}),
    stdout: end.stdout,
    stderr: end.stderr,
    truncated: end.truncated,
    ...(notes.length === 0 ? {} : { notes }),
  }
}
