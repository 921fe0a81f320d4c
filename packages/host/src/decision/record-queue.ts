// The one queue of records in the daemon, in the order of the answers. A record that nobody waits for is made a moment after its answer, with
// others: agents that ask come first. How many may be on their way to the disk is bounded, so that agents who ask faster than it writes cannot
// fill the memory. Where it is full, a record that nobody waits for is counted and lost, and one that is waited for waits for room.
import type { EntryDraft } from '@belay/core/ledger'
import type { AppendOptions } from '../ledger/open-ledger.ts'
import type { DecisionDraft } from './decision-record.ts'

export interface QueuedRecord<D extends EntryDraft = DecisionDraft> {
  make(): D
  readonly options: AppendOptions
}

export interface RecordQueue<D extends EntryDraft = DecisionDraft> {
  /** Nobody waits for it. */
  add(record: QueuedRecord<D>): void
  /** false: it could not be written, which was reported. */
  write(record: QueuedRecord<D>): Promise<boolean>
  /** Resolves when everything given before is on disk, or was reported. */
  settle(): Promise<void>
}

export interface RecordPort<D extends EntryDraft = DecisionDraft> {
  /** Hands it to the ledger. Gives its length, as `done` does once it is on disk, or could not be written, which was reported. */
  record(draft: D, options: AppendOptions, done: RecordDone): number
  /** Told of everything, for the live feed. */
  onDecision(draft: D): void
  /** There was no room for a record: it is counted, and an entry will say how many. */
  onNoRoom(): void
}

export type RecordDone = (length: number, isWritten: boolean) => void

export interface RecordLimits {
  /** Records that are not on disk. */
  readonly most: number
  /** Characters of those that were made. */
  readonly mostText: number
  /** How long a record that is waited for waits for room. */
  readonly waitMs: number
}

/** A second or two of what a busy fleet does. */
const LIMITS: RecordLimits = { most: 16_384, mostText: 32 * 1024 * 1024, waitMs: 5000 }
/** Made together, when those who ask at about the same moment have their answers: one by one between them they cost twice as much. The first
 * after a quiet moment is made at once. */
const GATHER_MS = 10
/** Made in one turn: about a millisecond, so that nobody who asks meanwhile notices. */
const MAX_PER_TURN = 32

export function createRecordQueue<D extends EntryDraft>(port: RecordPort<D>, limits: RecordLimits = LIMITS): RecordQueue<D> {
  let waiting: QueuedRecord<D>[] = []
  let isScheduled = false
  let madeAt = Number.NEGATIVE_INFINITY
  let unwritten = 0
  let text = 0
  let settled: (() => void)[] = []
  const room = createRoom(() => unwritten < limits.most && text < limits.mostText, limits.waitMs)

  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    if (performance.now() - madeAt < GATHER_MS) setTimeout(makeSome, GATHER_MS)
    else setImmediate(makeSome)
  }

  function makeSome(): void {
    makeFirst(MAX_PER_TURN)
    madeAt = performance.now()
    isScheduled = waiting.length > 0
    if (isScheduled) setImmediate(makeSome)
  }

  function makeFirst(count: number): void {
    const batch = waiting
    waiting = batch.length > count ? batch.slice(count) : []
    for (let at = 0; at < batch.length && at < count; at++) handOver(batch[at] as QueuedRecord<D>, isDone)
  }

  function handOver({ make, options }: QueuedRecord<D>, done: RecordDone): void {
    const draft = make()
    port.onDecision(draft)
    text += port.record(draft, options, done)
  }

  function isDone(length: number): void {
    text -= length
    unwritten--
    room.look()
    if (unwritten > 0) return
    const told = settled
    settled = []
    for (const tell of told) tell()
  }

  function writeNow(record: QueuedRecord<D>): Promise<boolean> {
    // What was answered before stands before it.
    makeFirst(waiting.length)
    unwritten++
    return new Promise(resolve => {
      handOver(record, (length, isWritten) => {
        isDone(length)
        resolve(isWritten)
      })
    })
  }

  function refuse(): boolean {
    port.onNoRoom()
    return false
  }

  return {
    add(record) {
      if (!room.isFree()) {
        refuse()
        return
      }
      waiting.push(record)
      unwritten++
      schedule()
    },
    write: record => (room.isFree() ? writeNow(record) : room.wait().then(isFree => (isFree ? writeNow(record) : refuse()))),
    settle() {
      makeFirst(waiting.length)
      return unwritten === 0 ? Promise.resolve() : new Promise(resolve => settled.push(resolve))
    },
  }
}

interface Room {
  /** Nobody came before who still waits. */
  isFree(): boolean
  /** false: there was none in time. */
  wait(): Promise<boolean>
  /** Something went: whoever waits may have its place. */
  look(): void
}

function createRoom(hasRoom: () => boolean, waitMs: number): Room {
  const waiting = new Set<(isFree: boolean) => void>()
  return {
    isFree: () => waiting.size === 0 && hasRoom(),
    wait: () =>
      new Promise(resolve => {
        const tell = (isFree: boolean): void => {
          waiting.delete(tell)
          clearTimeout(timer)
          resolve(isFree)
        }
        const timer = setTimeout(() => tell(false), waitMs)
        waiting.add(tell)
      }),
    look() {
      const [first] = waiting
      if (first !== undefined && hasRoom()) first(true)
    },
  }
}
