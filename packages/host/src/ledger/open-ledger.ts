// The ledger of one user, open for writing. One process at a time: the store's lock sees to it.
import { randomBytes } from 'node:crypto'
import {
  canonicalJson,
  type Entry,
  type EntryDraft,
  encodeBodyJson,
  prepareEntry,
  type Redactor,
  type WrittenDraft,
} from '@belay/core/ledger'
import type { Driver } from '../store/driver/driver.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type CheckpointRow, findLastCheckpoint } from '../store/table/checkpoint.ts'
import { findOrigin, prepareOriginInsert } from '../store/table/meta.ts'
import { createCheckpointExporter } from './checkpoint-exporter.ts'
import { createNameCleaner } from './clean-name.ts'
import { CLOCK_STEP_MS, type Clock, systemClock, watchClock } from './clock.ts'
import { createId } from './create-id.ts'
import type { CheckpointTarget } from './export-checkpoint.ts'
import { createKeyring } from './keyring.ts'
import { type LedgerFiles, locateBeside, locateLedger } from './ledger-files.ts'
import { CLOCK_STEP, LEDGER_ACTOR } from './ledger-kind.ts'
import { createLedgerWriter, type LedgerWriter } from './ledger-writer.ts'
import type { Request } from './plan-batch.ts'

export interface LedgerOptions {
  /** Folder of the store, or the database itself, everything else beside it. */
  readonly home?: string
  readonly file?: string
  readonly clock?: Clock
  readonly createId?: (nowMs: number) => string
  /** Applied to bodies and to names that come from outside, before anything is hashed. */
  readonly redactor?: Pick<Redactor, 'redactJson' | 'redactText'>
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
  /** As `append`, with the body as canonical JSON. */
  appendWritten(draft: WrittenDraft, options?: WrittenOptions): Promise<Entry>
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
  const exporter = createCheckpointExporter([{ type: 'file', file: files.checkpoint }, ...(options.exportTo ?? [])], warn)
  const everyRecords = options.sealEveryRecords ?? 1000
  const writer = createLedgerWriter({
    store,
    sealing: () => ({ origin, signers: keyring.signers(), everyRecords }),
    onCheckpoint: exporter.add,
  })
  const appendWritten = createAppend(writer, options, clock)
  const append = async (draft: EntryDraft, appendOptions?: InnerOptions) =>
    appendWritten({ ...draft, body: canonicalJson(draft.body) }, appendOptions)
  const keyring = createKeyring({ store, directory: files.keys, origin, append })
  await keyring.open()
  await recordClockStepWhileClosed(store, clock, appendWritten)

  const checkpoint = async (): Promise<CheckpointRow | undefined> => {
    const written = await writer.write({ seal: true })
    await exporter.settle()
    return written.checkpoint ?? findLastCheckpoint(store)
  }
  const timer = setInterval(() => {
    checkpoint().catch(error => warn(`checkpoint not made: ${error instanceof Error ? error.message : error}`))
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
    appendWritten,
    checkpoint,
    rotateKey: actor => keyring.rotate(actor, 'asked for'),
    close,
  }
}

type InnerOptions = WrittenOptions & Pick<Request, 'writes' | 'cosigner'>
type Append = (draft: WrittenDraft, options?: InnerOptions) => Promise<Entry>

function createAppend(writer: LedgerWriter, { redactor, createId: makeId = createId }: LedgerOptions, clock: Clock): Append {
  const readClock = watchClock(clock)
  const cleanName = redactor ? createNameCleaner(redactor.redactText) : (name: string) => name
  const cleanEventId = (eventId: string): string => keepWhole(redactor ? redactor.redactText(eventId) : eventId)

  const write = async (draft: WrittenDraft, { timeMs, eventId, seal = false, writes, cosigner }: InnerOptions & { timeMs: number }) => {
    const { actor, session, kind, policy } = draft
    const { json: body, blobs } = encodeBodyJson(redactor ? redactor.redactJson(draft.body) : draft.body)
    const named = { actor: cleanName(actor), session: session === null ? null : cleanName(session), kind, policy, body }
    const { entry } = await writer.write({
      entry: { prepared: prepareEntry(named, makeId(timeMs), timeMs), blobs },
      seal,
      ...(eventId !== undefined && { eventId: cleanEventId(eventId) }),
      ...(writes && { writes }),
      ...(cosigner && { cosigner }),
    })
    if (!entry) throw new Error('a request with an entry was answered without one')
    return entry
  }

  return async (draft, options = {}) => {
    const { nowMs, stepMs } = readClock()
    const timed = { ...options, timeMs: options.timeMs ?? nowMs }
    if (stepMs === undefined) return write(draft, timed)
    // Queued first, so it stands before what was recorded after the step.
    const [, entry] = await Promise.all([write(clockStep(stepMs), { timeMs: nowMs }), write(draft, timed)])
    return entry
  }
}

/** As the database keeps it: two ids that are one there must not be two here, or it refuses whatever is written with them. */
function keepWhole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function clockStep(stepMs: number): WrittenDraft {
  return { actor: LEDGER_ACTOR, session: null, kind: CLOCK_STEP, policy: null, body: canonicalJson({ stepMs }) }
}

/** Nobody watched the clock while the ledger was closed; what can be seen is that it is now before the last entry. */
async function recordClockStepWhileClosed(store: Store, clock: Clock, append: Append): Promise<void> {
  const last = await store.db.selectFrom('ledger').select('time').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  const stepMs = last ? clock.now() - Date.parse(last.time) : 0
  if (stepMs < -CLOCK_STEP_MS) await append(clockStep(stepMs))
}

async function createOrigin(store: Store): Promise<string> {
  const origin = `belay.local/ledger/${randomBytes(8).toString('hex')}`
  await store.commit([prepareOriginInsert(store)(origin)])
  return origin
}
