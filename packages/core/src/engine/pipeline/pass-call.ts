// A call before it runs: PreToolUse hooks, permissions on what they left of the input, and a person where those ask.
// Invariants: a changed input is validated again unless that is switched off, and always judged again; an ask that nobody answers is a deny.
import { errorText } from '../../value/error-text.ts'
import { stricter, type Verdict } from '../../verdict/verdict.ts'
import type { GuardedCall } from '../guard-call.ts'
import { passEvent } from './pass-event.ts'
import type { Approval, CallOptions, PipelineParts } from './pipeline-parts.ts'
import { whyNotPlain } from './plain-input.ts'
import type { Tool, ToolInput, ToolStatus } from './tool.ts'
import { isChecked, validateInput } from './validate-input.ts'

export interface PassedCall {
  /** null: the tool may run. */
  readonly refused: { readonly status: ToolStatus; readonly reason: string } | null
  readonly input: ToolInput
  readonly guarded: readonly GuardedCall[]
}

export interface CallToPass {
  readonly tool: Tool
  readonly input: ToolInput
  readonly toolUseId: string
  readonly options: CallOptions
}

/** An approver who keeps changing the input is not asked for ever. */
const MAX_ROUNDS = 3

export async function passCall(parts: PipelineParts, call: CallToPass): Promise<PassedCall> {
  const passed = await passRounds(parts, call)
  if (passed.refused !== null) await tellDenied(parts, { ...call, input: passed.input }, passed.refused.reason)
  return passed
}

/** For those who took note of the call before somebody else refused it. */
export async function tellDenied(parts: PipelineParts, { tool, input, toolUseId, options }: CallToPass, reason: string): Promise<void> {
  if (!parts.gate.isWatched('PermissionDenied')) return
  await passEvent(parts, 'PermissionDenied', { toolName: tool.name, toolInput: input, toolUseId, reason }, options)
}

async function passRounds(parts: PipelineParts, call: CallToPass): Promise<PassedCall> {
  const { tool, toolUseId, options } = call
  const guarded: GuardedCall[] = []
  let { input } = call
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const problem = whyNotPlain(input)
    if (problem !== null) return { refused: { status: 'invalid', reason: problem }, input, guarded }
    const payload = { toolName: tool.name, toolInput: input, toolUseId, ...kindOf(tool) }
    const passed = await passEvent(parts, 'PreToolUse', payload, options)
    guarded.push(passed)
    const checked = await recheck(parts, tool, input, passed)
    if (!checked.ok) return { refused: { status: 'invalid', reason: checked.problem }, input, guarded }
    input = checked.input
    const answer = await answerFor(parts, { ...call, input }, passed, guarded)
    if (answer.decision === 'deny') return { refused: { status: 'denied', reason: answer.reason ?? 'refused' }, input, guarded }
    if (answer.input === undefined) return { refused: null, input, guarded }
    input = answer.input
    const valid = isChecked(tool) ? await validateInput(tool, input) : null
    if (valid?.ok === false) return { refused: { status: 'invalid', reason: valid.problem }, input, guarded }
  }
  return { refused: { status: 'denied', reason: 'its input was changed again and again' }, input, guarded }
}

function kindOf({ kind }: Tool): { readonly toolKind?: string } {
  return kind === undefined ? {} : { toolKind: kind }
}

async function recheck(parts: PipelineParts, tool: Tool, before: ToolInput, { verdict, fired }: GuardedCall) {
  const after = fired.event.fields.toolInput as ToolInput
  const problem = after === before ? null : whyNotPlain(after)
  if (problem !== null) return { ok: false as const, problem }
  if (after === before || verdict.decision === 'deny' || !parts.revalidate || !isChecked(tool)) return { ok: true as const, input: after }
  return validateInput(tool, after)
}

async function answerFor(
  parts: PipelineParts,
  { tool, input, toolUseId, options }: CallToPass,
  passed: GuardedCall,
  guarded: GuardedCall[],
): Promise<Approval> {
  const settled = await settleAsk(parts, { tool, input, toolUseId, options }, passed.verdict, guarded)
  if (settled.decision === 'deny') return { decision: 'deny', reason: settled.reason }
  if (settled.decision !== 'ask') return { decision: 'allow' }
  const reason = settled.reason ?? 'a person must agree'
  if (parts.approve === null) return { decision: 'deny', reason: `${reason} (nobody is there to be asked)` }
  try {
    const request = { tool: tool.name, input, toolUseId, reason, event: passed.fired.event, judgement: passed.judgement }
    const answer = await parts.approve({ ...request, signal: options.signal })
    return answer.decision === 'allow' ? answer : { decision: 'deny', reason: answer.reason ?? `not approved: ${reason}` }
  } catch (error) {
    return { decision: 'deny', reason: `the question could not be asked: ${errorText(error)}` }
  }
}

/** Hooks of PermissionRequest may answer in the person's place, as far as an allow of a hook counts. */
async function settleAsk(parts: PipelineParts, call: CallToPass, verdict: Verdict, guarded: GuardedCall[]): Promise<Verdict> {
  if (verdict.decision !== 'ask' || !parts.gate.isWatched('PermissionRequest')) return verdict
  const payload = { toolName: call.tool.name, toolInput: call.input, toolUseId: call.toolUseId, ...kindOf(call.tool) }
  const answered = await passEvent(parts, 'PermissionRequest', payload, call.options)
  guarded.push(answered)
  return stricter(verdict, answered.fired.verdict)
}
