// Records of decisions, in the order of the answers. One that nobody waits for is made a moment after its answer, a few at a time: agents that ask
// come first. How many may wait for the disk is bounded, so that agents who ask faster than it writes cannot fill the memory.
import type { EntryDraft } from '@belay/core/ledger'
import type { AppendOptions } from '../ledger/open-ledger.ts'
import type { DecisionDraft } from './decision-record.ts'

export interface LateRecord<D extends EntryDraft = DecisionDraft> {
  make(): D
  readonly options: AppendOptions
}

export interface LateRecords<D extends EntryDraft = DecisionDraft> {
  /** Nobody waits for it. */
  add(record: LateRecord<D>): void
  /** false: it could not be written, which was reported. */
  write(record: LateRecord<D>): Promise<boolean>
  /** So many are not on disk yet that answers have to wait for theirs. */
  readonly isFull: boolean
  /** Resolves when everything given before is on disk, or was reported. */
  settle(): Promise<void>
}

/** A second or two of what a busy fleet does, a few megabytes; fewer where they are large. */
const MOST_UNWRITTEN = 4096
const MOST_TEXT = 32 * 1024 * 1024
/** Made together, when those who ask at about the same moment have their answers: one by one between them they cost twice as much. The first
 * after a quiet moment is made at once. */
const LATE_MS = 18
/** Made in one turn: a fraction of a millisecond, so that nobody who asks meanwhile notices. */
const MOST_PER_TURN = 16

export interface RecordPort<D extends EntryDraft = DecisionDraft> {
  /** Written a moment later. Gives its length, as `done` does once it is on disk, or could not be written, which was reported. */
  record(draft: D, options: AppendOptions, done: RecordDone): number
  /** Somebody waits for what was given last: it goes to disk now, with all before it. */
  hurry(): void
  /** Told of everything, for the live feed. */
  onDecision(draft: D): void
}

export type RecordDone = (length: number, isWritten: boolean) => void

export function createLateRecords<D extends EntryDraft>(port: RecordPort<D>): LateRecords<D> {
  let waiting: LateRecord<D>[] = []
  let isScheduled = false
  let madeAt = Number.NEGATIVE_INFINITY
  let unwritten = 0
  /** Characters of what was handed over and is not on disk. */
  let text = 0
  let settled: (() => void)[] = []

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    if (performance.now() - madeAt < LATE_MS) setTimeout(makeSome, LATE_MS)
    else setImmediate(makeSome)
  }

  function makeSome(): void {
    makeFirst(MOST_PER_TURN)
    madeAt = performance.now()
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(makeSome)
  }

  function makeFirst(count: number): void {
    const batch = waiting
    waiting = batch.length > count ? batch.slice(count) : []
    for (let at = 0; at < batch.length && at < count; at++) handOver(batch[at] as LateRecord<D>, isDone)
  }

  function handOver({ make, options }: LateRecord<D>, done: RecordDone): void {
    const draft = make()
    port.onDecision(draft)
    text += port.record(draft, options, done)
  }

  function isDone(length: number): void {
    text -= length
    if (--unwritten === 0) tellSettled()
  }

  function tellSettled(): void {
    const told = settled
    settled = []
    for (const tell of told) tell()
  }

  return {
    add(record) {
      waiting.push(record)
      unwritten++
      schedule()
    },
    write(record) {
      // What was answered before stands before it.
      makeFirst(waiting.length)
      unwritten++
      return new Promise(resolve => {
        handOver(record, (length, isWritten) => {
          isDone(length)
          resolve(isWritten)
        })
        port.hurry()
      })
    },
    get isFull() {
      return unwritten >= MOST_UNWRITTEN || text >= MOST_TEXT
    },
    settle() {
      makeFirst(waiting.length)
      return unwritten === 0 ? Promise.resolve() : new Promise(resolve => settled.push(resolve))
    },
  }
}
