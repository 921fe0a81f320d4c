// The side that asks: a ledger whose every write happens on another thread. Reading stays here, on a connection of its own.
// Invariant: a promise settles after the other side said so, and every promise settles: if the other side ends, what it had not answered
// fails, because nobody can know whether it was written.
import { canonicalJson, type Entry, type EntryDraft } from '@belay/core/ledger'
import type { Store } from '../../store/store.ts'
import { explainDatabaseError, StoreError } from '../../store/store-error.ts'
import type { LedgerFiles } from '../ledger-files.ts'
import type { AppendOptions, Ledger } from '../open-ledger.ts'
import type { AppendDone, BatchDraft } from './append-batch.ts'
import type { Ask } from './ask-thread.ts'
import { createRemoteKysely } from './remote-dialect.ts'

export interface ConnectOptions {
  readonly ask: Ask
  /** For reading. */
  readonly reader: Store
  readonly files: LedgerFiles
  /** Ends the other side, after all that was asked of it. */
  close(): Promise<void>
}

/** A ledger that is written elsewhere. */
export interface RemoteLedger extends Ledger {
  /** An entry whose body is canonical JSON already; no promise, because there is one for nearly every event. */
  appendText(draft: BatchDraft, done: AppendDone): void
}

export function connectLedger({ ask, reader, files, close }: ConnectOptions): RemoteLedger {
  return {
    store: connectStore(ask, reader),
    files,
    append: (draft, options) => appendOne(ask, draft, options),
    appendText: (draft, done) => ask.append(draft, Date.now(), done),
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

function appendOne(ask: Ask, draft: EntryDraft, options: AppendOptions = {}): Promise<Entry> {
  return new Promise((resolve, reject) => {
    const { actor, session, kind, policy } = draft
    const { eventId = null, seal = false } = options
    const body = canonicalJson(draft.body)
    ask.append({ actor, session, kind, policy, body, eventId, seal, wants: 'entry' }, Date.now(), written => {
      if (!written.ok) reject(written.error)
      else if (written.entry === null) reject(new Error('the entry that was asked for did not come back'))
      else resolve(written.entry)
    })
  })
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
