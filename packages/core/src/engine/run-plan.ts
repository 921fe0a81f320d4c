// Takes a firing through its plan: batch after batch, each hook selected at its turn, run, and folded in.
// Invariants: nothing here throws; synchronous function hooks cost no promise; every hook that applies ran, or counts as cancelled,
// or came after a deny.
import { callInline, SAID_NOTHING } from '../handler/inline.ts'
import { InlineContext } from '../handler/inline-context.ts'
import type { InlineHandler } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { Batch } from '../registry/plan.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { runInBackground } from './background.ts'
import { finishFiring, skipHook } from './finish-firing.ts'
import { ALONE, type CancelReason, type Firing } from './firing.ts'
import { PendingHook } from './pending-hook.ts'
import { subjectOf, whySkipped } from './select.ts'
import { SequentialRunner } from './sequential-runner.ts'
import { settleHook, UNTIMED } from './settle-hook.ts'
import { createStopper, type Pending, type Stopper, startHook } from './start-hook.ts'

/** Runs hooks until one has to be waited for. True: the last one has answered. */
export function runPlan(firing: Firing): boolean {
  const { batches } = firing.plan
  let at = firing.nextBatch
  let hasAnswered = true
  while (hasAnswered && at < batches.length && firing.verdict.decision !== 'deny') {
    const batch = batches[at] as Batch
    at += 1
    hasAnswered = batch.length === 1 ? runOne(firing, batch[0] as RegisteredHook) : runGroup(firing, batch)
  }
  firing.nextBatch = at
  // A hook may have cancelled the firing itself, before there was anything to cancel.
  if (!hasAnswered && firing.options.signal?.aborted) queueMicrotask(() => cancelFiring(firing, 'aborted'))
  return hasAnswered
}

/** Cancels what is running; what has not started yet counts as cancelled when its turn comes. */
export function cancelFiring(firing: Firing, why: CancelReason): void {
  firing.cancelled ??= why
  firing.runner?.giveUp(why)
  for (const pending of firing.group ?? []) pending.cancel(why)
}

function runOne(firing: Firing, hook: RegisteredHook): boolean {
  if (firing.isQuick && hook.isPlain && hook.inline !== null) return runPlain(firing, hook, hook.inline)
  if (!isDue(firing, hook)) return true
  const startedAt = firing.isReported ? performance.now() : 0
  const stopper = createStopper(firing, hook)
  const answer = startHook(firing, hook, stopper)
  if (answer instanceof Promise) return waitFor(firing, answer, { hook, stopper, startedAt })
  settleHook(firing, hook, answer, { startedAt, endedAt: 0 })
  return true
}

/** The same with nothing to look up and nothing to write down: what most function hooks of a busy host are. */
function runPlain(firing: Firing, hook: RegisteredHook, run: InlineHandler): boolean {
  const context = new InlineContext(firing.event, firing, hook.label)
  const answer = callInline(run, context, hook.label)
  if (answer === SAID_NOTHING) return true
  if (answer instanceof Promise) return waitFor(firing, answer, { hook, stopper: context, startedAt: 0 })
  settleHook(firing, hook, answer, UNTIMED)
  return true
}

interface Started {
  readonly hook: RegisteredHook
  readonly stopper: Stopper
  readonly startedAt: number
}

function waitFor(firing: Firing, answer: Pending, { hook, stopper, startedAt }: Started): false {
  firing.runner ??= new SequentialRunner(firing, goOnAfter)
  firing.runner.follow(answer, hook, stopper, startedAt)
  return false
}

function goOnAfter(firing: Firing, hook: RegisteredHook, run: HandlerRun, startedAt: number): void {
  settleHook(firing, hook, run, { startedAt, endedAt: 0 })
  if (runPlan(firing)) resolveFiring(firing)
}

function resolveFiring(firing: Firing): void {
  firing.runner?.close()
  firing.resolve?.(finishFiring(firing))
}

/** All see the event as it was before the group; answers count in position order, whatever the order in which they come. */
function runGroup(firing: Firing, batch: Batch): boolean {
  let waiting = 0
  const settleNext = () => {
    waiting -= 1
    if (waiting > 0) return
    settleGroup(firing, group)
    if (runPlan(firing)) resolveFiring(firing)
  }
  firing.batchStart = firing.said === null ? 0 : firing.said.rewrites.length
  const due = batch.filter(hook => isDue(firing, hook))
  const group = due.map(hook => new PendingHook(hook, createStopper(firing, hook), firing.deadlineAt, settleNext))
  for (const pending of group) {
    const startedAt = firing.isReported ? performance.now() : 0
    if (!pending.start(startHook(firing, pending.hook, pending.stopper), startedAt)) waiting += 1
  }
  if (waiting === 0) settleGroup(firing, group)
  else firing.group = group
  return waiting === 0
}

function settleGroup(firing: Firing, group: readonly PendingHook[]): void {
  firing.group = null
  for (const pending of group) if (pending.run !== null) settleHook(firing, pending.hook, pending.run, pending)
  firing.batchStart = ALONE
}

/** Whether the hook is to be started now. Where not, the report says why. */
function isDue(firing: Firing, hook: RegisteredHook): boolean {
  if (!hook.isUnconditional) {
    const why = whySkipped(hook, subjectOf(firing.event, firing.plan.spec), firing.parts.registry)
    if (why !== null) return skipHook(firing, hook, why)
  }
  if (firing.deadlineAt !== null && performance.now() >= firing.deadlineAt) firing.cancelled ??= 'timeout'
  if (firing.options.signal?.aborted) firing.cancelled ??= 'aborted'
  if (firing.cancelled !== null) return answerFor(firing, hook, { kind: 'cancelled', why: firing.cancelled })
  if (!hook.definition.async) return true
  return answerFor(firing, hook, { kind: 'detached', settled: runInBackground(firing, hook) })
}

function answerFor(firing: Firing, hook: RegisteredHook, run: HandlerRun): false {
  const now = performance.now()
  settleHook(firing, hook, run, { startedAt: now, endedAt: now })
  return false
}
