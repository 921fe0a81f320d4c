// The side that asks: a ledger whose every write happens on another thread. Reading stays here, on a connection of its own.
// Invariant: a promise settles after the other side said so, and every promise settles: if the other side ends, what it had not answered
// fails, because nobody can know whether it was written.
import { canonicalJson, type Entry, type EntryDraft } from '@belay/core/ledger'
import type { Store } from '../../store/store.ts'
import { explainDatabaseError, StoreError } from '../../store/store-error.ts'
import type { LedgerFiles } from '../ledger-files.ts'
import type { AppendOptions, Ledger } from '../open-ledger.ts'
import type { Ask } from './ask-thread.ts'
import type { LateDone, LateDraft } from './late-append.ts'
import { createRemoteKysely } from './remote-dialect.ts'

export interface ConnectOptions {
  readonly ask: Ask
  /** For reading. */
  readonly reader: Store
  readonly files: LedgerFiles
  /** Ends the other side, after all that was asked of it. */
  close(): Promise<void>
}

/** A ledger that is written elsewhere, and takes entries that nobody waits for. */
export interface RemoteLedger extends Ledger {
  /** Written a moment later, with others, and before all that is asked for after it; its place among them is that of the call. */
  appendLater(draft: LateDraft, done: LateDone): void
  /** What was given to be written later is written now. */
  hurry(): void
}

export function connectLedger({ ask, reader, files, close }: ConnectOptions): RemoteLedger {
  return {
    store: connectStore(ask, reader),
    files,
    append: async (draft: EntryDraft, options: AppendOptions = {}): Promise<Entry> => {
      const { actor, session, kind, policy, body } = draft
      const written = { actor, session, kind, policy, body: canonicalJson(body) }
      return ask('append', written, { ...options, timeMs: Date.now() })
    },
    appendLater: (draft, done) => ask.later(draft, Date.now(), done),
    hurry: () => ask.hurry(),
    checkpoint: () => ask('checkpoint'),
    rotateKey: actor => ask('rotateKey', actor),
    close: async () => {
      try {
        await close()
      } finally {
        await reader.close()
      }
    },
  }
}

function connectStore(ask: Ask, reader: Store): Store {
  return {
    ...reader,
    commit: async writes => ask('commit', writes),
    transact: async work => {
      const { id, begun } = ask.begin()
      await begun
      try {
        const result = await work(createRemoteKysely((sql, parameters) => ask('query', id, sql, parameters)))
        await ask('end', id, true)
        return result
      } catch (error) {
        await ask('end', id, false).catch(() => undefined)
        throw explainDatabaseError(error, reader.place)
      }
    },
    close: async () => {
      throw new StoreError('BELAY_STORE_IO', `${reader.place} is closed with its ledger`)
    },
  }
}
