// A hook has ended: its answer or its failure enters the result, its run the report.
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { none, type Verdict } from '../verdict/verdict.ts'
import type { Firing } from './firing.ts'
import { foldAnswer, foldVerdict } from './fold-answer.ts'
import { judgeFailure } from './fold-failure.ts'
import { outcomeOf, type RunTimes, reportRun } from './report-run.ts'

/** `batchStart`: how many rewrites there were before the hook's group began. */
export function settleHook(firing: Firing, hook: RegisteredHook, run: HandlerRun, times: RunTimes, batchStart: number): void {
  const verdict = countRun(firing, hook, run, batchStart)
  if (hook.definition.once && run.kind !== 'detached' && outcomeOf(run, verdict) === 'success') firing.parts.registry.retire(hook)
  if (run.kind === 'detached') followDetached(firing, hook, run.settled, times.startedAt)
  if (!firing.isReported) return
  const report = reportRun(hook, run, verdict, times)
  firing.runs.push(report)
  firing.options.observer?.ended(report)
}

function countRun(firing: Firing, hook: RegisteredHook, run: HandlerRun, batchStart: number): Verdict {
  const { tally, rules } = firing
  switch (run.kind) {
    case 'answered':
      return foldAnswer(tally, hook, run.result, rules, batchStart)
    case 'detached':
      return none()
    default:
      return foldVerdict(tally, hook, judgeFailure(hook, run, rules.spec?.failure ?? 'continue'), rules)
  }
}

/** It decides nothing any more, but how it ended is still reported, and a `once` hook that succeeded is gone. */
function followDetached(firing: Firing, hook: RegisteredHook, settled: Promise<HandlerRun>, startedAt: number): void {
  const end = lastEnd(settled).then(run => {
    if (hook.definition.once && outcomeOf(run, none()) === 'success') firing.parts.registry.retire(hook)
    return reportRun(hook, run, none(), { startedAt, endedAt: performance.now() })
  })
  firing.background.push(end)
}

async function lastEnd(settled: Promise<HandlerRun>): Promise<HandlerRun> {
  let run = await settled
  while (run.kind === 'detached') run = await run.settled
  return run
}
