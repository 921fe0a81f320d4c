// What was decided becomes the agent's answer and a record. On disk before the answer: deny, ask, rewrite, evidence, Stop. A plain allow or
// none is answered at once and recorded after it.
import { deny, endOf, type GuardedCall, type HookEvent, type HookResult } from '@belay/core'
import { type Encoded, encodeAnswer } from '@belay/core/adapter'
import { nameInResult } from '../guard/name-in-result.ts'
import { signDenial } from '../guard/sign-denial.ts'
import type { AppendOptions } from '../ledger/open-ledger.ts'
import { decisionRecord } from './decision-record.ts'
import type { HookAnswer } from './hook-call.ts'
import type { Judging } from './judge-event.ts'
import { readerCommand } from './reader-command.ts'

export function settleAnswer(judging: Judging): HookAnswer | Promise<HookAnswer> {
  const { options, records, decoded, call, guarded, added } = judging
  const encodeAt = options.now()
  const findCommand = () => readerCommand(call, options.path)
  const encodeOptions = { attended: call.attended, findCommand, signature: () => signDenial(judging.event.actor, guarded, findCommand()) }
  const result = nameInResult(resultOf(guarded, added), judging.event, findCommand)
  const answer = encodeAnswer(decoded, result, encodeOptions)
  const endedAt = options.now()
  const make = () => recordOf(judging, answer, encodeAt, endedAt)
  const mayFollow = !judging.owesEvidence && !mustBeOnDisk(judging.event, guarded)
  if (mayFollow) {
    records.add({ make, options: appendOptions(judging) })
    return decided(judging, answer, result)
  }
  return records.write({ make, options: appendOptions(judging) }).then(isWritten => {
    // The ledger cannot write: a call whose evidence the policy requires is denied, everything else goes on as decided.
    if (isWritten || !judging.owesEvidence) return decided(judging, answer, result)
    const refused = { ...resultOf(guarded, []), verdict: deny('the record of this call cannot be written, and the policy requires it') }
    return decided(judging, encodeAnswer(decoded, refused, encodeOptions), refused)
  })
}

function recordOf(judging: Judging, answer: Encoded, encodeAt: number, endedAt: number) {
  const { event, decoded, guarded, project, call, work, refused, isPaused, begunAt, startedAt, guardAt, guardedAt, approvalMs, asked } =
    judging
  return decisionRecord({
    event,
    decoded,
    guarded,
    answer,
    policyHash: project.guard.policyHash,
    root: project.loaded.root,
    agentId: work.agentId,
    refused,
    attended: call.attended,
    tookMs: endedAt - startedAt,
    changes: project.sources.changes,
    times: { begunAt, startedAt, guardAt, guardedAt, approvalMs, encodeAt, endedAt },
    isPaused,
    asked,
  })
}

function appendOptions({ call, event }: Judging): AppendOptions {
  const options: { -readonly [K in keyof AppendOptions]: AppendOptions[K] } = {}
  if (call.eventId !== null) options.eventId = call.eventId
  if (event.name === 'SessionEnd') options.seal = true
  return options
}

function mustBeOnDisk(event: HookEvent, { verdict, fired }: GuardedCall): boolean {
  return verdict.decision === 'deny' || verdict.decision === 'ask' || fired.rewrites.length > 0 || endOf(event.name) === 'turn'
}

function decided({ event, guarded, work, metadata }: Judging, answer: Encoded, result: HookResult): HookAnswer {
  const { stdout, stderr, exitCode: exit } = answer
  const { verdict } = result
  const settled = verdict === guarded.verdict ? guarded : { ...guarded, verdict }
  return {
    kind: 'answer',
    exit,
    stdout,
    stderr,
    decided: { event, guarded: settled, result, agentId: work.agentId, metadata: metadata ?? new Map() },
  }
}

export function say({ stdout, stderr, exitCode }: Encoded): HookAnswer {
  return { kind: 'answer', exit: exitCode, stdout, stderr }
}

function resultOf({ verdict, fired }: GuardedCall, added: readonly string[]): HookResult {
  const result: { -readonly [K in keyof HookResult]: HookResult[K] } = { verdict }
  if (fired.rewrites.length > 0) result.rewrite = rewriteOf(fired)
  if (fired.context.length > 0 || added.length > 0) result.context = [...fired.context, ...added].join('\n')
  if (fired.messages.length > 0) result.message = fired.messages.join('\n')
  if (fired.stop !== null) result.stop = fired.stop
  if (fired.suppressOutput) result.suppressOutput = true
  if (fired.forAgent !== undefined) result.forAgent = fired.forAgent
  return result
}

/** The last rewrite of each target is what stands. */
function rewriteOf({ rewrites }: GuardedCall['fired']): NonNullable<HookResult['rewrite']> {
  return Object.fromEntries(rewrites.map(({ target, after }) => [target, after]))
}
