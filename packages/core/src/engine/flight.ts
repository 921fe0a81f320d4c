// A hook that has not answered yet. It lands exactly once: by its answer, its time limit or a cancel, whichever comes first.
// A flight that landed by an answer may carry the next hook; a cancelled one may not, because the old answer can still arrive.
import { readThrown } from '../handler/inline.ts'
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { CancelReason } from './firing.ts'
import { type Pending, readPending, type Stopper } from './start-hook.ts'
import { timeLeftFor } from './time-left.ts'
import { unwatch, type Watched, watch } from './watch.ts'

export class Flight implements Watched {
  hook: RegisteredHook
  stopper: Stopper
  /** By performance.now(); 0 where nobody wants a report. */
  startedAt = 0
  endedAt = 0
  /** Null: still in the air. */
  run: HandlerRun | null = null
  isCancelled = false
  dueAt = 0
  previous: Watched | null = null
  next: Watched | null = null
  private readonly deadlineAt: number
  private readonly onLanded: (flight: Flight) => void
  private readonly onValue: (value: InlineAnswer | HandlerRun) => void
  private readonly onError: (error: unknown) => void

  constructor(hook: RegisteredHook, stopper: Stopper, deadlineAt: number, onLanded: (flight: Flight) => void) {
    this.hook = hook
    this.stopper = stopper
    this.deadlineAt = deadlineAt
    this.onLanded = onLanded
    this.onValue = value => this.isCancelled || this.land(readPending(value, this.stopper, this.hook))
    this.onError = error => this.isCancelled || this.land(readThrown(error, this.hook.label))
  }

  /** Carries the next hook of a sequence. */
  board(hook: RegisteredHook, stopper: Stopper): void {
    this.hook = hook
    this.stopper = stopper
    this.run = null
  }

  /** True: the hook has answered already. */
  takeOff(answer: HandlerRun | Pending, startedAt: number): boolean {
    this.startedAt = startedAt
    if (!(answer instanceof Promise)) {
      this.end(answer)
      return true
    }
    watch(this)
    answer.then(this.onValue, this.onError)
    return false
  }

  cancel(why: CancelReason): void {
    if (this.run !== null) return
    this.isCancelled = true
    this.stopper.abort()
    this.land({ kind: 'cancelled', why })
  }

  timeLeftMs(): number {
    return timeLeftFor(this.hook, this.deadlineAt)
  }

  expire(): void {
    this.cancel('timeout')
  }

  private land(run: HandlerRun): void {
    unwatch(this)
    this.end(run)
    this.onLanded(this)
  }

  private end(run: HandlerRun): void {
    this.run = run
    if (this.startedAt !== 0) this.endedAt = performance.now()
  }
}
