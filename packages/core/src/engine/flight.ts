// One hook that is running and has not answered yet. Lands exactly once: by its answer, its time limit or a cancel, whichever comes first.
import { readAnswer, readThrown } from '../handler/inline.ts'
import { InlineContext } from '../handler/inline-context.ts'
import { limitOf } from '../handler/limit.ts'
import type { InlineAnswer } from '../hook/hook-context.ts'
import type { HandlerRun } from '../hook/hook-result.ts'
import type { RegisteredHook } from '../registry/registered-hook.ts'
import { unwatch, type Watched, watch } from './watch.ts'

/** A hook that was started: it has answered already, or its promise says when. */
export interface Started {
  readonly hook: RegisteredHook
  readonly context: InlineContext | AbortController
  readonly answer: HandlerRun | Promise<InlineAnswer | HandlerRun>
  /** By performance.now(); 0 where nobody wants a report. */
  readonly startedAt: number
}

/** Processes and requests end themselves at their limit and say how; this is what they get to do so. */
const GRACE_MS = 2_000

export class Flight implements Watched {
  run: HandlerRun | null = null
  endedAt = 0
  dueAt = 0
  previous: Watched | null = null
  next: Watched | null = null
  private readonly started: Started
  private readonly deadlineAt: number
  private readonly onLanded: () => void

  constructor(started: Started, deadlineAt: number, onLanded: () => void) {
    this.started = started
    this.deadlineAt = deadlineAt
    this.onLanded = onLanded
  }

  get hook(): RegisteredHook {
    return this.started.hook
  }

  get startedAt(): number {
    return this.started.startedAt
  }

  /** Gives back whether there is anything to wait for. */
  takeOff(): boolean {
    const { answer } = this.started
    if (!(answer instanceof Promise)) {
      this.run = answer
      if (this.startedAt !== 0) this.endedAt = performance.now()
      return false
    }
    watch(this)
    answer.then(
      value => this.land(value),
      error => this.crash(error),
    )
    return true
  }

  cancel(why: 'timeout' | 'aborted'): void {
    if (this.run !== null) return
    this.started.context.abort()
    this.end({ kind: 'cancelled', why })
  }

  timeLeftMs(): number {
    const left = this.deadlineAt === Number.POSITIVE_INFINITY ? undefined : this.deadlineAt - performance.now()
    const limit = limitOf(this.hook.definition, left === undefined ? {} : { deadlineMs: left })
    if (this.started.context instanceof InlineContext) return limit
    return left === undefined ? limit + GRACE_MS : Math.min(limit + GRACE_MS, left)
  }

  expire(): void {
    this.cancel('timeout')
  }

  private land(value: InlineAnswer | HandlerRun): void {
    if (this.run !== null) return
    this.end(
      this.started.context instanceof InlineContext
        ? readAnswer(value as InlineAnswer, this.started.context, this.hook.label)
        : (value as HandlerRun),
    )
  }

  private crash(error: unknown): void {
    if (this.run === null) this.end(readThrown(error, this.hook.label))
  }

  private end(run: HandlerRun): void {
    unwatch(this)
    this.run = run
    if (this.startedAt !== 0) this.endedAt = performance.now()
    this.onLanded()
  }
}
