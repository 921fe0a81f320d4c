// A hook has ended: its answer or its failure enters the result, its run the report.
import { SAID_NOTHING } from '../handler/inline.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { none, type Verdict } from '../verdict/verdict.ts'
import { type Firing, openLog } from './firing.ts'
import { attributeEvidence, foldAnswer, foldMessage, foldVerdict, foldWarning } from './fold-answer.ts'
import { judgeFailure, type LostRun, warnOfLoss } from './fold-failure.ts'
import { outcomeOf, type RunTimes, reportRun } from './report-run.ts'

/** Where nobody wants a report. */
export const UNTIMED: RunTimes = { startedAt: 0, endedAt: 0 }

/** Times count only where there is a report; a hook that has just answered (`endedAt` is 0) ends now. */
export function settleHook(firing: Firing, hook: RegisteredHook, run: HandlerRun, times: RunTimes): void {
  if (run !== SAID_NOTHING || firing.isReported || hook.definition.once) settleSpoken(firing, hook, run, times)
}

function settleSpoken(firing: Firing, hook: RegisteredHook, run: HandlerRun, { startedAt, endedAt }: RunTimes): void {
  const verdict = countRun(firing, hook, run)
  if (run.kind === 'detached') followDetached(firing, hook, run.settled, startedAt)
  else if (hook.definition.once && outcomeOf(run, verdict) === 'success') firing.parts.registry.retire(hook, firing.event.sessionId)
  if (!firing.isReported) return
  const report = reportRun(hook, run, verdict, { startedAt, endedAt: endedAt === 0 ? performance.now() : endedAt })
  openLog(firing).runs.push(report)
  firing.options.observer?.ended(report)
}

function countRun(firing: Firing, hook: RegisteredHook, run: HandlerRun): Verdict {
  switch (run.kind) {
    case 'answered':
      return foldAnswer(firing, hook, run.result, firing.plan)
    case 'detached':
      return none()
    default:
      return countLoss(firing, hook, run)
  }
}

function countLoss(firing: Firing, hook: RegisteredHook, run: LostRun): Verdict {
  const verdict = foldVerdict(firing, hook, judgeFailure(hook, run, firing.plan.spec?.failure ?? 'continue'), firing.plan)
  // A refusal says why by itself.
  if (verdict.decision === 'none') warnPerson(firing, hook, run)
  return verdict
}

function warnPerson(firing: Firing, hook: RegisteredHook, run: LostRun): void {
  const text = warnOfLoss(hook, run)
  if (run.kind === 'failed' && run.message !== undefined) foldMessage(firing, run.message)
  else if (text !== null && firing.parts.warnings.isNew(hook, firing.event.sessionId)) foldWarning(firing, text)
}

/** It decides nothing any more, but how it ended is still reported, and a `once` hook that succeeded is gone. */
function followDetached(firing: Firing, hook: RegisteredHook, settled: Promise<HandlerRun>, startedAt: number): void {
  const end = lastEnd(settled).then(run => {
    if (hook.definition.once && outcomeOf(run, none()) === 'success') firing.parts.registry.retire(hook, firing.event.sessionId)
    if (run.kind === 'failed' || run.kind === 'cancelled') warnLater(firing, hook, run)
    const report = reportRun(hook, run, none(), { startedAt, endedAt: performance.now() })
    const evidence = run.kind === 'answered' ? run.result.evidence : undefined
    return evidence === undefined ? report : { ...report, evidence: attributeEvidence(hook, evidence) }
  })
  openLog(firing).background.push(end)
}

function warnLater({ parts, event }: Firing, hook: RegisteredHook, run: LostRun): void {
  const text = warnOfLoss(hook, run)
  if (text !== null && parts.warnings.isNew(hook, event.sessionId)) parts.warnings.keep(event.sessionId, text)
}

async function lastEnd(settled: Promise<HandlerRun>): Promise<HandlerRun> {
  let run = await settled
  while (run.kind === 'detached') run = await run.settled
  return run
}
