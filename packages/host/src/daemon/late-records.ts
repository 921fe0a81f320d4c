// Records of decisions, in the order of the answers. One that nobody waits for is made after its answer is out: making it takes as long as
// deciding. How many may wait for the disk is bounded, so that agents who ask faster than it writes cannot fill the memory.
import type { EntryDraft } from '@belay/core/ledger'
import type { AppendOptions } from '../ledger/open-ledger.ts'
import { countText } from './count-text.ts'
import type { DecideOptions } from './decide.ts'

export interface LateRecord {
  make(): EntryDraft
  readonly options: AppendOptions
}

export interface LateRecords {
  /** Nobody waits for it. */
  add(record: LateRecord): void
  /** false: it could not be written, which was reported. */
  write(record: LateRecord): Promise<boolean>
  /** So many are not on disk yet that answers have to wait for theirs. */
  readonly isFull: boolean
  /** Resolves when everything given before is on disk, or was reported. */
  settle(): Promise<void>
}

/** A second or two of what a busy fleet does, a few megabytes; fewer where they are large. */
const MOST_UNWRITTEN = 4096
const MOST_TEXT = 32 * 1024 * 1024
/** Made together a moment later, so that the next call of an agent who has just got its answer does not find us at it. */
const LATE_MS = 2

type Port = Pick<DecideOptions, 'record' | 'onDecision' | 'onRecordFailure'>

export function createLateRecords(port: Port): LateRecords {
  let waiting: LateRecord[] = []
  let timer: NodeJS.Timeout | undefined
  let unwritten = 0
  /** Characters of what was handed over and is not on disk. */
  let text = 0
  let settled: (() => void)[] = []

  async function hand({ make, options }: LateRecord): Promise<boolean> {
    const draft = make()
    const length = countText(draft.body)
    text += length
    port.onDecision(draft)
    try {
      await port.record(draft, options)
      return true
    } catch (error) {
      port.onRecordFailure(error, draft)
      return false
    } finally {
      text -= length
      if (--unwritten === 0) tellSettled()
    }
  }

  function tellSettled(): void {
    const told = settled
    settled = []
    for (const tell of told) tell()
  }

  function flush(): void {
    clearTimeout(timer)
    const batch = waiting
    waiting = []
    for (const record of batch) void hand(record)
  }

  return {
    add(record) {
      if (waiting.push(record) === 1) timer = setTimeout(flush, LATE_MS)
      unwritten++
    },
    write(record) {
      // What was answered before stands before it.
      flush()
      unwritten++
      return hand(record)
    },
    get isFull() {
      return unwritten >= MOST_UNWRITTEN || text >= MOST_TEXT
    },
    settle() {
      flush()
      return unwritten === 0 ? Promise.resolve() : new Promise(resolve => settled.push(resolve))
    },
  }
}
