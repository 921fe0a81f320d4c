// Function hooks: what they returned, read as a HandlerRun. Never throws; a synchronous function costs no promise.

import { formatError } from '../hook/errors.ts'
import type { HookAnswer, InlineAnswer, InlineHandler } from '../hook/hook-context.ts'
import type { HandlerRun, HookResult } from '../hook/hook-result.ts'
import { isObject } from '../value/is-object.ts'
import { allow, ask, deny, none, type Verdict } from '../verdict/verdict.ts'
import type { InlineContext } from './inline-context.ts'

/** The run of a hook that has no opinion and changed nothing. */
export const SAID_NOTHING: HandlerRun = Object.freeze({ kind: 'answered', result: Object.freeze({ verdict: none() }) })

/** A promise comes back as it is, for the caller to wait on; its answer goes through `readAnswer`. */
export function callInline(run: InlineHandler, context: InlineContext, label: string): HandlerRun | Promise<InlineAnswer> {
  try {
    const answer = run(context)
    if (answer === undefined && context.isUntouched) return SAID_NOTHING
    if (answer instanceof Promise) return answer
    return isThenable(answer) ? Promise.resolve(answer) : readAnswer(answer, context, label)
  } catch (error) {
    return readThrown(error, label)
  }
}

export function readAnswer(answer: InlineAnswer, context: InlineContext, label: string): HandlerRun {
  return answer === undefined && context.isUntouched ? SAID_NOTHING : readSpoken(answer, context, label)
}

function readSpoken(answer: InlineAnswer, context: InlineContext, label: string): HandlerRun {
  const ended = readEnd(answer)
  const said = readResult(ended)
  if (said === null) return readMalformed(ended, label)
  const changed = context.takeRewrite()
  if (changed === null) return said === NOTHING ? SAID_NOTHING : { kind: 'answered', result: said }
  return { kind: 'answered', result: { ...said, rewrite: { ...changed, ...said.rewrite } } }
}

/** `continue: false`, as commands say it, is `stop`. */
function readEnd(answer: InlineAnswer): InlineAnswer {
  if (!isObject(answer) || !('continue' in answer) || answer.continue !== false) return answer
  const { continue: _, stopReason, stop_reason, reason, ...rest } = answer as Readonly<Record<string, unknown>>
  const why = [stopReason, stop_reason, reason].find(text => typeof text === 'string' && text.trim() !== '')
  return { ...rest, stop: { reason: typeof why === 'string' ? why : 'No reason provided' } }
}

/** A named error; a deny or the end of the turn inside it counts all the same. */
function readMalformed(answer: unknown, label: string): HandlerRun {
  const what = `hook "${label}" returned ${show(answer)}`
  const why = formatError('BELAY_HOOK_ANSWER', what)
  const { verdict: said, stop } = isObject(answer) ? answer : {}
  const verdict = readVerdict(said)
  const isStopped = ANSWER_CHECKS.stop(stop)
  if (verdict?.decision !== 'deny' && !isStopped) return { kind: 'failed', code: 'BELAY_HOOK_ANSWER', why, what }
  const result = { verdict: verdict ?? none(), ...(isStopped ? { stop: stop as NonNullable<HookResult['stop']> } : {}) }
  return { kind: 'answered', result, detail: { notes: [why] } }
}

export function readThrown(error: unknown, label: string): HandlerRun {
  const what = `hook "${label}" threw: ${error instanceof Error ? error.message : show(error)}`
  return { kind: 'failed', code: 'BELAY_HOOK_THREW', why: formatError('BELAY_HOOK_THREW', what), what }
}

const NOTHING: HookResult = { verdict: none() }

/** Null: it is neither nothing, nor a verdict, nor a result. */
function readResult(answer: InlineAnswer): HookResult | null {
  if (answer === undefined || answer === null || (answer as unknown) === none()) return NOTHING
  if (!isObject(answer)) return null
  if ('decision' in answer) {
    const verdict = readVerdict(answer)
    return verdict === null ? null : { verdict }
  }
  return isAnswer(answer) ? { ...answer, verdict: readVerdict(answer.verdict) ?? none() } : null
}

/** Null: no verdict. A hook speaks for itself: its ask is never the soft one that stands for "no rule matched". */
function readVerdict(value: unknown): Verdict | null {
  if (!isObject(value)) return null
  switch (value.decision) {
    case 'none':
      return none()
    case 'allow':
      return allow(value.reason)
    case 'ask':
      return ask(value.reason)
    case 'deny':
      return deny(value.reason)
    default:
      return null
  }
}

const ANSWER_CHECKS: Readonly<Record<keyof HookAnswer, (value: unknown) => boolean>> = {
  verdict: value => readVerdict(value) !== null,
  rewrite: isObject,
  context: value => typeof value === 'string',
  message: value => typeof value === 'string',
  stop: value => isObject(value) && typeof value.reason === 'string',
  suppressOutput: value => typeof value === 'boolean',
  forAgent: isObject,
  evidence: value => isObject(value) && typeof value.kind === 'string',
}

/** A misspelt key (`contxt`) is an error too: read as "no opinion" it would be a gate that stands open. */
function isAnswer(value: object): value is HookAnswer {
  return Object.entries(value).every(
    ([key, part]) => Object.hasOwn(ANSWER_CHECKS, key) && (part === undefined || ANSWER_CHECKS[key as keyof HookAnswer](part)),
  )
}

function isThenable(value: unknown): value is PromiseLike<InlineAnswer> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 120)
  } catch {
    return Object.prototype.toString.call(value)
  }
}
