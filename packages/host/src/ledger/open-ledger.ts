// The ledger of one user, open for writing. One process at a time: the store's lock sees to it.

import { randomBytes } from 'node:crypto'
import { canonicalJson, type Entry, type EntryDraft, prepareEntry, type Redactor, type WrittenDraft } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import type { Driver } from '../store/driver/driver.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type CheckpointRow, findLastCheckpoint } from '../store/table/checkpoint.ts'
import { listKeys } from '../store/table/key.ts'
import { findOrigin, prepareOriginInsert } from '../store/table/meta.ts'
import { createCheckpointExporter } from './checkpoint-exporter.ts'
import { createNameCleaner } from './clean-name.ts'
import { CLOCK_STEP_MS, type Clock, systemClock, watchClock } from './clock.ts'
import { createId } from './create-id.ts'
import { createSalt } from './create-salt.ts'
import type { CheckpointTarget } from './export-checkpoint.ts'
import { type ForeignRows, findForeignRows, refuseRows } from './foreign-rows.ts'
import { createKeyring, findSigner } from './keyring.ts'
import { type LedgerFiles, locateBeside, locateLedger } from './ledger-files.ts'
import { CLOCK_STEP, LEDGER_ACTOR, LEDGER_FORMAT, LEDGER_REFUSED, LEDGER_STARTED_ANEW } from './ledger-kind.ts'
import { createLedgerWriter, type LedgerWriter } from './ledger-writer.ts'
import { createBodyMaker } from './make-body.ts'
import { type OldCheckpoint, setOldCheckpointAside } from './old-checkpoint.ts'
import type { Request } from './plan-batch.ts'
import { createRowMac } from './row-mac.ts'

/** In the record of rows that were taken out. */
const MAX_NAMED_HASHES = 100

export interface LedgerOptions {
  /** Folder of the store, or the database itself, everything else beside it. */
  readonly home?: string
  readonly file?: string
  readonly clock?: Clock
  readonly createId?: (nowMs: number) => string
  /** Applied to bodies and to names that come from outside, before anything is hashed. */
  readonly redactor?: Pick<Redactor, 'redactJson' | 'redactText' | 'isClean'>
  /** Beside the file in the home folder, which always gets them. */
  readonly exportTo?: readonly CheckpointTarget[]
  readonly onWarning?: (message: string) => void
  readonly sealEveryRecords?: number
  readonly sealEveryMs?: number
  readonly lockWaitMs?: number
  readonly driver?: Driver
}

export interface AppendOptions {
  /** Of the delivery: the same id twice is one entry, and the second call gets the first one's. */
  readonly eventId?: string
  /** Make a checkpoint with it, as at the end of a session. */
  readonly seal?: boolean
}

/** Of a draft that was made elsewhere. */
export interface WrittenOptions extends AppendOptions {
  /** When it was made. */
  readonly timeMs?: number
}

export interface Ledger {
  readonly store: Store
  readonly files: LedgerFiles
  /** Resolves when the entry is on disk. */
  append(draft: EntryDraft, options?: AppendOptions): Promise<Entry>
  /** Seals what is there; undefined for an empty ledger. */
  checkpoint(): Promise<CheckpointRow | undefined>
  /** From now on a new key signs; the old one signs once more, together with it. */
  rotateKey(actor: string): Promise<Entry>
  /** Seals, waits for exports, gives the lock back. */
  close(): Promise<void>
}

/** One that writes on this thread. */
export interface LocalLedger extends Ledger {
  /** As `append`, with bodies as canonical JSON, all of them together. An error stands where one could not be made ready. */
  appendAll(drafts: readonly (WrittenDraft & WrittenOptions)[]): Promise<readonly (Entry | Error)[]>
}

export async function openLedger(options: LedgerOptions): Promise<LocalLedger> {
  const files = options.file === undefined ? locateLedger(options.home ?? '.') : locateBeside(options.file)
  const store = await openSqliteStore({
    file: files.database,
    ...(options.lockWaitMs !== undefined && { lockWaitMs: options.lockWaitMs }),
    ...(options.driver && { driver: options.driver }),
  })
  try {
    return await startLedger(store, files, options)
  } catch (error) {
    await store.close()
    throw error
  }
}

async function startLedger(store: Store, files: LedgerFiles, options: LedgerOptions): Promise<LocalLedger> {
  const clock = options.clock ?? systemClock
  const warn = options.onWarning ?? (() => undefined)
  const origin = (await findOrigin(store)) ?? (await createOrigin(store))
  const replaced = setOldCheckpointAside(files.checkpoint, origin)
  const exporter = createCheckpointExporter([{ type: 'file', file: files.checkpoint }, ...(options.exportTo ?? [])], warn)
  const everyRecords = options.sealEveryRecords ?? 1000
  const writer = createLedgerWriter({
    store,
    sealing: () => ({ origin, signers: keyring.signers(), makeMac: keyring.makeMac, everyRecords }),
    onCheckpoint: exporter.add,
  })
  const format: FormatState = { isSecond: !(await endsInFirstFormat(store)) }
  const appending = createAppend(writer, { ...options, createSalt: () => (format.isSecond ? createSalt() : null) }, clock)
  const append = appending.one
  const keyring = createKeyring({ store, directory: files.keys, origin, append })
  const refused = await refuseForeignRows(store, files, clock)
  await keyring.open()
  if (!format.isSecond) await switchFormat(format, append)
  if (refused) await recordRefused(refused, append, warn)
  if (replaced) await recordReplaced(replaced, append, warn)
  // Rows of a version that made no keyed hash: sealed now, because later nobody could tell who wrote them.
  if (store.migratedFrom !== undefined) await writer.write([{ seal: true }])
  await recordClockStepWhileClosed(store, clock, appending.one)

  const checkpoint = async (): Promise<CheckpointRow | undefined> => {
    const written = await writer.write([{ seal: true }])
    await exporter.settle()
    return written.checkpoint ?? findLastCheckpoint(store)
  }
  const timer = setInterval(() => {
    checkpoint().catch(error => warn(`checkpoint not made: ${errorText(error)}`))
  }, options.sealEveryMs ?? 60_000).unref()

  const close = async (): Promise<void> => {
    clearInterval(timer)
    try {
      await checkpoint()
    } finally {
      await store.close()
    }
  }
  return {
    store,
    files,
    append,
    appendAll: appending.all,
    checkpoint,
    rotateKey: actor => keyring.rotate(actor, 'asked for'),
    close,
  }
}

interface FormatState {
  isSecond: boolean
}

async function endsInFirstFormat({ db }: Store): Promise<boolean> {
  const last = await db.selectFrom('ledger').select('salt').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return last !== undefined && last.salt === null
}

/** Sealed, so that nobody can go back behind it unseen. */
async function switchFormat(format: FormatState, append: Appending['one']): Promise<void> {
  format.isSecond = true
  const body = { from: 1, to: 2 }
  await append({ actor: LEDGER_ACTOR, session: null, kind: LEDGER_FORMAT, policy: null, body }, { seal: true })
}

type InnerOptions = WrittenOptions & Pick<Request, 'writes' | 'cosigner'>

interface Appending {
  /** Never throws: what goes wrong is a rejection. */
  one(draft: EntryDraft, options?: InnerOptions): Promise<Entry>
  all: LocalLedger['appendAll']
}

type PrepareOptions = Pick<LedgerOptions, 'redactor' | 'createId'> & { readonly createSalt: () => string | null }

function createAppend(writer: LedgerWriter, options: PrepareOptions, clock: Clock): Appending {
  const readClock = watchClock(clock)
  const prepare = createPrepare(options)
  /** What the clock did stands before what was recorded after it. */
  const readTime = () => {
    const { nowMs, stepMs } = readClock()
    return { nowMs, before: stepMs === undefined ? [] : [prepare(writeBody(clockStep(stepMs)), {}, nowMs)] }
  }
  return {
    one: (draft, given = {}) =>
      new Promise((resolve, reject) => {
        const { nowMs, before } = readTime()
        const request = prepare(writeBody(draft), given, nowMs)
        writer.enqueue([...before, request], ({ entries }) => resolve(needEntry(entries[before.length])), reject)
      }),
    all: async drafts => {
      const { nowMs, before } = readTime()
      const prepared = drafts.map(draft => attempt(() => prepare(draft, draft, nowMs)))
      const good = prepared.flatMap(request => (request instanceof Error ? [] : [request]))
      const { entries } = await writer.write([...before, ...good])
      let at = before.length
      return prepared.map(request => (request instanceof Error ? request : needEntry(entries[at++])))
    },
  }
}

/** Everything about an entry but its place. */
function createPrepare({ redactor, createId: makeId = createId, createSalt: makeSalt }: PrepareOptions) {
  const makeBody = createBodyMaker(redactor)
  const cleanName = redactor ? createNameCleaner(redactor.redactText) : (name: string) => name
  const cleanEventId = (eventId: string): string => keepWhole(redactor ? redactor.redactText(eventId) : eventId)
  return (draft: WrittenDraft, options: InnerOptions, nowMs: number): Request => {
    const { timeMs = nowMs, eventId, seal = false, writes, cosigner } = options
    const { actor, session, kind, policy } = draft
    const { body, blobs, split } = makeBody(draft.body)
    const named = { actor: cleanName(actor), session: session === null ? null : cleanName(session), kind, policy, body, head: split.head }
    return {
      entry: { prepared: prepareEntry(named, makeId(timeMs), timeMs, makeSalt()), split, blobs },
      seal,
      ...(eventId !== undefined && { eventId: cleanEventId(eventId) }),
      ...(writes && { writes }),
      ...(cosigner && { cosigner }),
    }
  }
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function needEntry(entry: Entry | undefined): Entry {
  if (!entry) throw new Error('a request with an entry was answered without one')
  return entry
}

/** As the database keeps it: two ids that are one there must not be two here, or it refuses whatever is written with them. */
function keepWhole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function clockStep(stepMs: number): EntryDraft {
  return { actor: LEDGER_ACTOR, session: null, kind: CLOCK_STEP, policy: null, body: { stepMs } }
}

function writeBody({ actor, session, kind, policy, body }: EntryDraft): WrittenDraft {
  return { actor, session, kind, policy, body: canonicalJson(body) }
}

/** Nobody watched the clock while the ledger was closed; what can be seen is that it is now before the last entry. */
async function recordClockStepWhileClosed(store: Store, clock: Clock, append: Appending['one']): Promise<void> {
  const last = await store.db.selectFrom('ledger').select('time').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const stepMs = last ? clock.now() - Date.parse(last.time) : 0
  if (stepMs < -CLOCK_STEP_MS) await append(clockStep(stepMs))
}

async function createOrigin(store: Store): Promise<string> {
  const origin = `belay.local/ledger/${randomBytes(8).toString('hex')}`
  await store.commit([prepareOriginInsert(store)(origin)])
  return origin
}

/** Before the key is in use, so that nothing is sealed over them. Rows of an older version have no keyed hash and are taken as they are. */
async function refuseForeignRows(store: Store, files: LedgerFiles, clock: Clock): Promise<ForeignRows | undefined> {
  const key = (await listKeys(store)).at(-1)
  const signer = key === undefined || store.migratedFrom !== undefined ? undefined : findSigner(files.keys, key)
  const foreign = signer && (await findForeignRows(store, createRowMac(signer.privateKey)))
  if (foreign) await refuseRows(store, foreign, clock.now())
  return foreign
}

async function recordRefused(
  { first, entries, what }: ForeignRows,
  append: (draft: EntryDraft) => Promise<Entry>,
  warn: (message: string) => void,
): Promise<void> {
  const body = { first, rows: entries.length, what, hashes: entries.slice(0, MAX_NAMED_HASHES).map(entry => entry.hash) }
  await append({ actor: LEDGER_ACTOR, session: null, kind: LEDGER_REFUSED, policy: null, body })
  warn(`${entries.length} rows from ${first} on were taken out of the ledger: ${what}; they are kept in the table "refused"`)
}

/** A new start is no secret: what was there before is named, in the record and to whoever looks. */
async function recordReplaced(
  { origin, size, keptIn }: OldCheckpoint,
  append: (draft: EntryDraft) => Promise<Entry>,
  warn: (message: string) => void,
): Promise<void> {
  const body = { before: origin, records: size, keptIn }
  await append({ actor: LEDGER_ACTOR, session: null, kind: LEDGER_STARTED_ANEW, policy: null, body })
  warn(`this ledger is new, but there was another one with at least ${size} records; its last checkpoint is kept in ${keptIn}`)
}
