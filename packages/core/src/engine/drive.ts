// Takes a firing through its plan: batch after batch, each hook selected at its turn, run, and folded in.
// Invariants: nothing here throws; synchronous function hooks cost no promise; every hook that applies ran, or counts as cancelled,
// or came after a deny.
import { SAID_NOTHING } from '../handler/inline.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { Batch } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { runInBackground } from './background.ts'
import { finishFiring, skipHook } from './finish-firing.ts'
import { ALONE, type CancelReason, type Firing } from './firing.ts'
import { Flight } from './flight.ts'
import { subjectOf, whySkipped } from './select.ts'
import { settleHook } from './settle-hook.ts'
import { createStopper, type Stopper, startHook } from './start-hook.ts'

/** Runs hooks until one has to be waited for. True: the last one has answered. */
export function drive(firing: Firing): boolean {
  const { batches } = firing.plan
  while (firing.nextBatch < batches.length && firing.verdict.decision !== 'deny') {
    const batch = batches[firing.nextBatch] as Batch
    firing.nextBatch += 1
    const hasAnswered = batch.length === 1 ? runOne(firing, batch[0] as RegisteredHook) : runGroup(firing, batch)
    if (hasAnswered) continue
    // A hook may have cancelled the firing itself, before there was anything to cancel.
    if (firing.options.signal?.aborted) queueMicrotask(() => cancelFiring(firing, 'aborted'))
    return false
  }
  return true
}

/** Cancels what is running; what has not started yet counts as cancelled when its turn comes. */
export function cancelFiring(firing: Firing, why: CancelReason): void {
  firing.cancelled ??= why
  firing.lane?.cancel(why)
  for (const flight of firing.group) flight.cancel(why)
}

function runOne(firing: Firing, hook: RegisteredHook): boolean {
  const isQuick = firing.isQuick && hook.isPlain
  if (!isQuick && !isDue(firing, hook)) return true
  const startedAt = firing.isReported ? performance.now() : 0
  const stopper = createStopper(firing, hook)
  const answer = startHook(firing, hook, stopper)
  if (isQuick && answer === SAID_NOTHING) return true
  if (answer instanceof Promise) return boardLane(firing, hook, stopper).takeOff(answer, startedAt)
  settleHook(firing, hook, answer, startedAt)
  return true
}

/** The hooks of a sequence take turns in one flight, as long as it is not cancelled. */
function boardLane(firing: Firing, hook: RegisteredHook, stopper: Stopper): Flight {
  const { lane } = firing
  if (lane === null) return openLane(firing, hook, stopper)
  lane.hook = hook
  lane.stopper = stopper
  lane.run = null
  return lane
}

function openLane(firing: Firing, hook: RegisteredHook, stopper: Stopper): Flight {
  const lane = new Flight(hook, stopper, firing, landLane)
  firing.lane = lane
  return lane
}

function landLane(firing: Firing, flight: Flight): void {
  const isQuick = firing.isQuick && flight.hook.isPlain && flight.run === SAID_NOTHING
  if (!isQuick) settleLane(firing, flight)
  if (drive(firing)) resolveFiring(firing)
}

function settleLane(firing: Firing, flight: Flight): void {
  if (flight.isCancelled) {
    flight.retire()
    firing.lane = null
  }
  settleFlight(firing, flight)
}

/** All see the event as it was before the group; answers count in position order, whatever the order in which they come. */
function runGroup(firing: Firing, batch: Batch): boolean {
  let waiting = 0
  const land = (_firing: Firing, flight: Flight) => {
    flight.retire()
    waiting -= 1
    if (waiting > 0) return
    settleGroup(firing, flights)
    if (drive(firing)) resolveFiring(firing)
  }
  firing.batchStart = firing.said === null ? 0 : firing.said.rewrites.length
  const due = batch.filter(hook => isDue(firing, hook))
  const flights = due.map(hook => new Flight(hook, createStopper(firing, hook), firing, land))
  for (const flight of flights) {
    const startedAt = firing.isReported ? performance.now() : 0
    if (!flight.takeOff(startHook(firing, flight.hook, flight.stopper), startedAt)) waiting += 1
  }
  if (waiting === 0) settleGroup(firing, flights)
  else firing.group = flights
  return waiting === 0
}

function settleGroup(firing: Firing, flights: readonly Flight[]): void {
  firing.group = []
  for (const flight of flights) settleFlight(firing, flight)
  firing.batchStart = ALONE
}

function settleFlight(firing: Firing, { hook, run, startedAt, endedAt }: Flight): void {
  if (run !== null) settleHook(firing, hook, run, startedAt, endedAt)
}

function resolveFiring(firing: Firing): void {
  firing.lane?.retire()
  firing.resolve?.(finishFiring(firing))
}

/** Whether the hook is to be started now. Where not, the report says why. */
function isDue(firing: Firing, hook: RegisteredHook): boolean {
  if (!hook.isUnconditional) {
    const why = whySkipped(hook, subjectOf(firing.event, firing.plan.spec), firing.parts.registry.ports)
    if (why !== null) return skipHook(firing, hook, why)
  }
  if (firing.deadlineAt !== Number.POSITIVE_INFINITY && performance.now() >= firing.deadlineAt) firing.cancelled ??= 'timeout'
  if (firing.options.signal?.aborted) firing.cancelled ??= 'aborted'
  if (firing.cancelled !== null) return answerFor(firing, hook, { kind: 'cancelled', why: firing.cancelled })
  if (!hook.definition.async) return true
  return answerFor(firing, hook, { kind: 'detached', settled: runInBackground(firing, hook) })
}

function answerFor(firing: Firing, hook: RegisteredHook, run: HandlerRun): false {
  const now = performance.now()
  settleHook(firing, hook, run, now, now)
  return false
}
