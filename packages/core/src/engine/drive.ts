// Takes a firing through its plan: batch after batch, each hook selected at its turn, run, and folded in.
// Invariants: nothing here throws; synchronous function hooks cost no promise; every hook that applies ran, or counts as cancelled,
// or came after a deny.
import type { HookEvent } from '../hook/hook-event.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { Batch } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { runInBackground } from './background.ts'
import type { FireResult, SkipReason } from './fire-result.ts'
import type { Firing } from './firing.ts'
import { Flight, type Started } from './flight.ts'
import type { RunTimes } from './report-run.ts'
import { subjectOf, whySkipped } from './select.ts'
import { settleHook } from './settle-hook.ts'
import { startHook } from './start-hook.ts'

/** Null: a hook has not answered yet; the firing's `resolve` gets the result when all have. */
export function drive(firing: Firing): FireResult | null {
  const { batches } = firing.plan
  while (firing.nextBatch < batches.length && firing.tally.verdict.decision !== 'deny') {
    const batch = batches[firing.nextBatch] as Batch
    firing.nextBatch += 1
    if (!runBatch(firing, batch)) return null
  }
  return finish(firing)
}

/** Cancels what is running; what has not started yet counts as cancelled when its turn comes. */
export function cancelFiring(firing: Firing, why: 'timeout' | 'aborted'): void {
  firing.cancelled ??= why
  for (const flight of firing.flights) flight.cancel(why)
}

/** False: not all have answered yet. */
function runBatch(firing: Firing, batch: Batch): boolean {
  const { event, rewrites } = firing.tally
  const [only] = batch
  if (only === undefined || batch.length > 1) return runGroup(firing, batch, event)
  if (!isDue(firing, only, event)) return true
  const started = startHook(firing, only, event)
  if (started.answer instanceof Promise) return waitFor(firing, [started])
  settleHook(firing, only, started.answer, endNow(firing, started.startedAt), rewrites.length)
  return true
}

/** All see the event as it was before the group. */
function runGroup(firing: Firing, batch: Batch, event: HookEvent): boolean {
  const started: Started[] = []
  for (const hook of batch) if (isDue(firing, hook, event)) started.push(startHook(firing, hook, event))
  return waitFor(firing, started)
}

/** Whether the hook is to be started now. Where not, the report says why. */
function isDue(firing: Firing, hook: RegisteredHook, event: HookEvent): boolean {
  if (!hook.isUnconditional) {
    const why = whySkipped(hook, subjectOf(event, firing.rules.spec), firing.parts.registry.ports)
    if (why !== null) return skipHook(firing, hook, why)
  }
  if (firing.deadlineAt !== Number.POSITIVE_INFINITY && performance.now() >= firing.deadlineAt) firing.cancelled ??= 'timeout'
  if (firing.options.signal?.aborted) firing.cancelled ??= 'aborted'
  if (firing.cancelled !== null) return answerFor(firing, hook, { kind: 'cancelled', why: firing.cancelled })
  if (!hook.definition.async) return true
  return answerFor(firing, hook, { kind: 'detached', settled: runInBackground(firing, hook, event) })
}

function skipHook(firing: Firing, hook: RegisteredHook, why: SkipReason): false {
  if (firing.isReported) firing.skipped.push({ hook: hook.label, scope: hook.scope, why })
  return false
}

function answerFor(firing: Firing, hook: RegisteredHook, run: HandlerRun): false {
  settleHook(firing, hook, run, endNow(firing, firing.isReported ? performance.now() : 0), firing.tally.rewrites.length)
  return false
}

function endNow(firing: Firing, startedAt: number): RunTimes {
  return { startedAt, endedAt: firing.isReported ? performance.now() : 0 }
}

/** True: all had answered already. */
function waitFor(firing: Firing, started: readonly Started[]): boolean {
  const flights = started.map(one => new Flight(one, firing.deadlineAt, () => landOne(firing)))
  firing.flights = flights
  firing.pending = 1
  for (const flight of flights) if (flight.takeOff()) firing.pending += 1
  if (firing.cancelled !== null) cancelFiring(firing, firing.cancelled)
  firing.pending -= 1
  if (firing.pending > 0) return false
  settleFlights(firing)
  return true
}

function landOne(firing: Firing): void {
  firing.pending -= 1
  if (firing.pending > 0) return
  settleFlights(firing)
  const result = drive(firing)
  if (result !== null) firing.resolve?.(result)
}

/** Position order, whatever the order of the answers. */
function settleFlights(firing: Firing): void {
  const batchStart = firing.tally.rewrites.length
  const { flights } = firing
  firing.flights = []
  for (const flight of flights) if (flight.run !== null) settleHook(firing, flight.hook, flight.run, flight, batchStart)
}

function finish(firing: Firing): FireResult {
  const { tally } = firing
  if (firing.isReported) reportRest(firing)
  return {
    verdict: tally.verdict,
    event: tally.event,
    rewrites: tally.rewrites,
    context: tally.context,
    messages: tally.messages,
    evidence: tally.evidence,
    stop: tally.stop,
    suppressOutput: tally.suppressOutput,
    report: { runs: firing.runs, skipped: firing.skipped, dropped: tally.dropped },
    background: firing.background,
  }
}

/** The hooks whose turn never came. */
function reportRest(firing: Firing): void {
  const { batches, leftOut } = firing.plan
  for (let at = firing.nextBatch; at < batches.length; at += 1)
    for (const hook of batches[at] as Batch) skipHook(firing, hook, 'after-deny')
  for (const { hook, why } of leftOut) skipHook(firing, hook, why)
}
