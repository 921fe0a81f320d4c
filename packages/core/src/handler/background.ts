// A hook that runs on after the event has been answered. Invariant: it decides nothing any more; texts and evidence still count.
import type { HandlerRun, HookResult } from '../hook/hook-result.ts'
import { none } from '../verdict/verdict.ts'

export function runInBackground(run: Promise<HandlerRun>): HandlerRun {
  return { kind: 'detached', settled: run.then(dropDecision) }
}

async function dropDecision(run: HandlerRun): Promise<HandlerRun> {
  if (run.kind === 'detached') return run.settled
  if (run.kind !== 'answered') return run
  const { context, message, evidence } = run.result
  const result: HookResult = {
    verdict: none(),
    ...(context === undefined ? {} : { context }),
    ...(message === undefined ? {} : { message }),
    ...(evidence === undefined ? {} : { evidence }),
  }
  return { ...run, result }
}
