// A hook that has not answered yet. It lands exactly once: by its answer, its time limit or a cancel, whichever comes first.
// A flight that landed by an answer may carry the next hook; a cancelled one may not, because the old answer can still arrive.
import { readThrown } from '../handler/inline.ts'
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { CancelReason, Firing } from './firing.ts'
import { type Pending, readPending, type Stopper } from './start-hook.ts'
import { timeLeftFor } from './time-left.ts'
import { restart, unwatch, type Watched, watch } from './watch.ts'

/** Told once the hook has landed. A function of the module, not a closure: flights are made often. */
export type OnLanded = (firing: Firing, flight: Flight) => void

export class Flight implements Watched {
  // Declared only: a field that is defined first and assigned afterwards costs twice.
  declare hook: RegisteredHook
  declare stopper: Stopper
  /** By performance.now(); 0 where nobody wants a report. */
  declare startedAt: number
  declare endedAt: number
  /** Null: still in the air. */
  declare run: HandlerRun | null
  declare isCancelled: boolean
  declare dueAt: number
  declare previous: Watched | null
  declare next: Watched | null
  declare private isWatched: boolean
  declare private readonly firing: Firing
  declare private readonly onLanded: OnLanded
  declare private readonly onValue: (value: InlineAnswer | HandlerRun) => void
  declare private readonly onError: (error: unknown) => void

  constructor(hook: RegisteredHook, stopper: Stopper, firing: Firing, onLanded: OnLanded) {
    this.hook = hook
    this.stopper = stopper
    this.startedAt = 0
    this.endedAt = 0
    this.run = null
    this.isCancelled = false
    this.dueAt = 0
    this.previous = null
    this.next = null
    this.isWatched = false
    this.firing = firing
    this.onLanded = onLanded
    this.onValue = value => {
      if (!this.isCancelled) this.land(readPending(value, this.stopper, this.hook))
    }
    this.onError = error => {
      if (!this.isCancelled) this.land(readThrown(error, this.hook.label))
    }
  }

  /** True: the hook has answered already. */
  takeOff(answer: HandlerRun | Pending, startedAt: number): boolean {
    this.startedAt = startedAt
    if (!(answer instanceof Promise)) {
      this.end(answer)
      return true
    }
    if (this.isWatched) restart(this)
    else this.getWatched()
    answer.then(this.onValue, this.onError)
    return false
  }

  cancel(why: CancelReason): void {
    if (this.run !== null) return
    this.isCancelled = true
    this.stopper.abort()
    this.land({ kind: 'cancelled', why })
  }

  /** It carries no hook any more. */
  retire(): void {
    if (this.isWatched) unwatch(this)
    this.isWatched = false
  }

  timeLeftMs(): number {
    return timeLeftFor(this.hook, this.firing.deadlineAt)
  }

  expire(): void {
    this.cancel('timeout')
  }

  private getWatched(): void {
    this.isWatched = true
    watch(this)
  }

  private land(run: HandlerRun): void {
    this.end(run)
    this.onLanded(this.firing, this)
  }

  private end(run: HandlerRun): void {
    this.run = run
    if (this.startedAt !== 0) this.endedAt = performance.now()
  }
}
