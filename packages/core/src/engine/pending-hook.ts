// A hook that runs beside others, in a group or in the background, and has not answered yet.
// It settles exactly once: by its answer, its time limit or a cancel, whichever comes first.
import { readThrown } from '../handler/inline.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { CancelReason } from './firing.ts'
import { type Pending, readPending, type Stopper } from './start-hook.ts'
import { timeLeftFor } from './time-left.ts'
import { unwatch, type Watched, watch } from './watch.ts'

export class PendingHook implements Watched {
  readonly hook: RegisteredHook
  readonly stopper: Stopper
  /** By performance.now(); 0 where nobody wants a report. */
  startedAt = 0
  endedAt = 0
  /** Null: it has not answered yet. */
  run: HandlerRun | null = null
  dueAt: number | null = null
  previous: Watched | null = null
  next: Watched | null = null
  private readonly deadlineAt: number | null
  private readonly onSettled: (run: HandlerRun) => void

  constructor(hook: RegisteredHook, stopper: Stopper, deadlineAt: number | null, onSettled: (run: HandlerRun) => void) {
    this.hook = hook
    this.stopper = stopper
    this.deadlineAt = deadlineAt
    this.onSettled = onSettled
  }

  /** True: the hook has answered already. */
  start(answer: HandlerRun | Pending, startedAt: number): boolean {
    this.startedAt = startedAt
    if (!(answer instanceof Promise)) {
      this.end(answer)
      return true
    }
    watch(this)
    answer.then(
      value => this.settle(readPending(value, this.stopper, this.hook)),
      error => this.settle(readThrown(error, this.hook.label)),
    )
    return false
  }

  cancel(why: CancelReason): void {
    if (this.run !== null) return
    this.stopper.abort()
    this.settle({ kind: 'cancelled', why })
  }

  timeLeftMs(): number {
    return timeLeftFor(this.hook, this.deadlineAt)
  }

  expire(): void {
    this.cancel('timeout')
  }

  private settle(run: HandlerRun): void {
    if (this.run !== null) return
    unwatch(this)
    this.end(run)
    this.onSettled(run)
  }

  private end(run: HandlerRun): void {
    this.run = run
    if (this.startedAt !== 0) this.endedAt = performance.now()
  }
}
