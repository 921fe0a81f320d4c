// The hook of a sequence that has not answered yet. One runner serves hook after hook with the same two functions, until a hook is given up.
// Then the runner is closed: what that hook still says is not heard, and the firing goes on with a new runner.
import { readThrown } from '../handler/inline.ts'
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import type { CancelReason, Firing } from './firing.ts'
import { type Pending, readPending, type Stopper } from './start-hook.ts'
import { timeLeftFor } from './time-left.ts'
import { restart, unwatch, type Watched, watch } from './watch.ts'

export type OnSettled = (firing: Firing, hook: RegisteredHook, run: HandlerRun, startedAt: number) => void

export class SequentialRunner implements Watched {
  // Declared only: a field that is defined first and assigned afterwards costs twice.
  declare dueAt: number | null
  declare previous: Watched | null
  declare next: Watched | null
  declare private readonly firing: Firing
  declare private readonly onSettled: OnSettled
  declare private readonly onValue: (value: InlineAnswer | HandlerRun) => void
  declare private readonly onError: (error: unknown) => void
  /** Null: nothing is under way. */
  declare private hook: RegisteredHook | null
  declare private stopper: Stopper | null
  declare private startedAt: number
  declare private isClosed: boolean

  constructor(firing: Firing, onSettled: OnSettled) {
    this.dueAt = null
    this.previous = null
    this.next = null
    this.firing = firing
    this.onSettled = onSettled
    this.onValue = value => {
      if (this.hook !== null && this.stopper !== null && !this.isClosed) this.settle(this.hook, readPending(value, this.stopper, this.hook))
    }
    this.onError = error => {
      if (this.hook !== null && !this.isClosed) this.settle(this.hook, readThrown(error, this.hook.label))
    }
    this.hook = null
    this.stopper = null
    this.startedAt = 0
    this.isClosed = false
    watch(this)
  }

  follow(answer: Pending, hook: RegisteredHook, stopper: Stopper, startedAt: number): void {
    this.hook = hook
    this.stopper = stopper
    this.startedAt = startedAt
    restart(this)
    answer.then(this.onValue, this.onError)
  }

  /** The hook had its time, or nobody wants to know any more. */
  giveUp(why: CancelReason): void {
    const { hook } = this
    if (hook === null) return
    this.close()
    this.stopper?.abort()
    this.settle(hook, { kind: 'cancelled', why })
  }

  close(): void {
    this.isClosed = true
    this.firing.runner = null
    unwatch(this)
  }

  timeLeftMs(): number {
    return this.hook === null ? Number.POSITIVE_INFINITY : timeLeftFor(this.hook, this.firing.deadlineAt)
  }

  expire(): void {
    this.giveUp('timeout')
  }

  private settle(hook: RegisteredHook, run: HandlerRun): void {
    this.hook = null
    this.onSettled(this.firing, hook, run, this.startedAt)
  }
}
