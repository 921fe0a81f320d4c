// Checks a database: the live one, beside its writer, or a copy. Streams in ranges, so memory does not grow with the ledger.
import {
  EMPTY_TREE,
  type Fault,
  GENESIS_HASH,
  growTree,
  joinTree,
  type NoteKey,
  parseCheckpoint,
  parseNote,
  parseNoteKey,
  TILE_WIDTH,
  type Tree,
} from '@belay/core/ledger'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { readCheckpoints } from '../../store/table/checkpoint.ts'
import { listKeys } from '../../store/table/key.ts'
import type { FormatSpan } from '../../store/table/ledger.ts'
import { findOrigin } from '../../store/table/meta.ts'
import { findForeignRows } from '../foreign-rows.ts'
import type { MakeMac } from '../row-mac.ts'
import { addFormat, findFormatFault, NO_FORMATS } from './format-check.ts'
import { runRanges } from './range-runner.ts'
import { checkSeal, type SealState, startSeals } from './seal-check.ts'
import type { RangeReport } from './verify-range.ts'
import type { Progress, VerifyReport } from './verify-report.ts'
import { findUntrimmed, type Gone, sumTrims, type Trim } from './walk.ts'

export interface VerifyOptions {
  /** Public keys that came from outside what is checked. None: the ledger's own first key is taken at its word. */
  readonly pinned: readonly NoteKey[]
  /** Notes of checkpoints that were exported to another place. */
  readonly exported: readonly string[]
  /** Threads at most; default: as many as are worth it. */
  readonly workers?: number
  /** For rows that no checkpoint covers: made with the writer's own key, where it is here. */
  readonly makeMac?: MakeMac
  readonly onProgress?: (progress: Progress) => void
}

interface Running {
  readonly seals: SealState
  readonly lastHash: string
  /** Roots of tiles of level 0 as leaves: gives the levels above. */
  readonly tileTree: Tree
  readonly trims: readonly Trim[]
  readonly dropped: { readonly count: number; readonly last: number }
  readonly gaps: number
  readonly clockSteps: number
  readonly kept: number
  readonly pruned: number
  readonly formats: FormatSpan
  readonly switches: readonly number[]
}

export async function verifyStore(store: Store, options: VerifyOptions): Promise<VerifyReport> {
  const origin = (await findOrigin(store)) ?? ''
  const own = (await listKeys(store)).map(parseNoteKey)
  const known = [...new Map([...options.pinned, ...own.filter(key => key !== undefined)].map(key => [key.id, key])).values()]
  const trusted = options.pinned.length > 0 ? options.pinned : known.slice(0, 1)
  const last = await readLastSeq(store)
  const faults: Fault[] = []
  let running: Running = {
    seals: startSeals(trusted),
    lastHash: GENESIS_HASH,
    tileTree: EMPTY_TREE,
    trims: [],
    dropped: { count: 0, last: 0 },
    gaps: 0,
    clockSteps: 0,
    kept: 0,
    pruned: 0,
    formats: NO_FORMATS,
    switches: [],
  }
  let first = 1
  try {
    for await (const report of runRanges({
      store,
      keys: known,
      last,
      lastCheckpoint: await readLastCheckpoint(store),
      ...(options.workers !== undefined && { workers: options.workers }),
    })) {
      const joined = await joinRange(store, running, report, origin)
      running = joined.running
      first = report.first + report.rows
      options.onProgress?.({ done: first - 1, total: last })
      if (joined.fault) {
        faults.push(joined.fault)
        break
      }
    }
    if (faults.length === 0) faults.push(...(await findStrays(store, last, running)))
    if (faults.length === 0 && options.makeMac) faults.push(...(await checkWriter(store, options.makeMac)))
    if (faults.length === 0) faults.push(...(await checkExported(store, options.exported, running.seals, last)))
    if (own.includes(undefined)) faults.push({ seq: 1, kind: 'key', what: 'a signing key in the store was changed' })
  } catch (error) {
    // A damaged file is a finding, not a failure of the check.
    if (!(error instanceof StoreError) || !['BELAY_STORE_CORRUPT', 'BELAY_STORE_IO'].includes(error.code)) throw error
    faults.push({ seq: first, kind: 'file', what: error.message })
  }
  return summarize({ store, origin, last, faults, running, pinned: options.pinned.length > 0 })
}

async function joinRange(
  store: Store,
  running: Running,
  report: RangeReport,
  origin: string,
): Promise<{ running: Running; fault?: Fault }> {
  if (report.firstPrev !== undefined && report.firstPrev !== running.lastHash && report.rows > 0) {
    return { running, fault: { seq: report.first, kind: 'chain', what: 'its prev is not the hash of the row before it' } }
  }
  let seals: SealState = { ...running.seals, rotations: [...running.seals.rotations, ...report.rotations] }
  let fault: Fault | undefined
  for (const seal of report.seals) {
    const step = checkSeal(seals, seal, origin)
    if (step.kind === 'bad') {
      fault = step.fault
      break
    }
    seals = step.state
  }
  const { tree: tileTree, fault: tileFault } = await checkUpperTiles(store, running.tileTree, report)
  const joined: Running = {
    seals: { ...seals, before: joinTree(seals.before, report.tree) },
    lastHash: report.lastHash,
    tileTree,
    trims: [...running.trims, ...report.trims],
    dropped: { count: running.dropped.count + report.dropped.count, last: Math.max(running.dropped.last, report.dropped.last) },
    gaps: running.gaps + report.gaps,
    clockSteps: running.clockSteps + report.clockSteps,
    kept: running.kept + report.blobs.kept,
    pruned: running.pruned + report.blobs.pruned,
    formats: addFormat(running.formats, report.formats),
    switches: [...running.switches, ...report.switches],
  }
  const earliest = [report.fault, fault, tileFault].filter(found => found !== undefined).sort((a, b) => a.seq - b.seq)[0]
  return { running: joined, ...(earliest && { fault: earliest }) }
}

async function checkUpperTiles(store: Store, before: Tree, report: RangeReport): Promise<{ tree: Tree; fault?: Fault }> {
  let tree = before
  for (const tile of report.tiles) {
    const grown = growTree(tree, tile.root)
    tree = grown.tree
    for (const { level, index, root } of grown.tiles) {
      const query = store.db
        .selectFrom('tiles')
        .select('root')
        .where('level', '=', level + 1)
        .where('idx', '=', index)
      const stored = await query.executeTakeFirst()
      const width = TILE_WIDTH ** (level + 2)
      if (!stored || !root.equals(stored.root))
        return { tree, fault: { seq: index * width + 1, kind: 'tree', what: "the tree's tile over it is not what its rows give" } }
    }
  }
  return { tree }
}

/** Rows that no walk over 1 to n comes across. */
async function findStrays(store: Store, last: number, { seals, trims, dropped, formats, switches }: Running): Promise<Fault[]> {
  const mixed = findFormatFault(formats, switches)
  const faults: Fault[] = mixed ? [mixed] : []
  const count = async (table: 'ledger' | 'leaves' | 'blobs' | 'tiles' | 'checkpoints'): Promise<number> => {
    const row = await store.db
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(row.n)
  }
  let tiles = 0
  for (let width = TILE_WIDTH; width <= last; width *= TILE_WIDTH) tiles += Math.floor(last / width)
  if ((await count('ledger')) + (await count('leaves')) !== last)
    faults.push({ seq: 1, kind: 'chain', what: 'there are rows before the first, or some stand there twice' })
  const untrimmed = findUntrimmed({ entries: dropped, blobs: await countRemoved(store) }, sumTrims(trims, seals.sealed))
  if (untrimmed) faults.push(untrimmed)
  if ((await count('tiles')) !== tiles) faults.push({ seq: 1, kind: 'tree', what: 'the tree has tiles that its rows do not give' })
  const beyond = await store.db
    .selectFrom('checkpoints')
    .select(['n', 'size'])
    .where('n', '>', seals.count)
    .orderBy('n')
    .limit(1)
    .executeTakeFirst()
  if (beyond && beyond.size > last) {
    faults.push({
      seq: last + 1,
      kind: 'gap',
      what: `checkpoint ${beyond.n} covers ${beyond.size} rows, ${last} are there: the tail was cut off`,
    })
  } else if ((await count('checkpoints')) !== seals.count) {
    faults.push({ seq: seals.sealed + 1, kind: 'checkpoint', what: `checkpoint ${seals.count + 1} is out of order` })
  }
  const stray = await store.db
    .selectFrom('blobs')
    .select('seq')
    .where(eb => eb.or([eb('seq', '<', 1), eb('seq', '>', last)]))
    .executeTakeFirst()
  if (stray) faults.push({ seq: stray.seq, kind: 'blob', what: 'a blob belongs to no entry' })
  return faults
}

async function countRemoved({ db }: Store): Promise<Gone['blobs']> {
  const { count, last } = await db
    .selectFrom('blobs')
    .select(eb => [eb.fn.countAll<number>().as('count'), eb.fn.max<number | null>('seq').as('last')])
    .where('content', 'is', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), last: Number(last ?? 0) }
}

async function checkWriter(store: Store, makeMac: MakeMac): Promise<Fault[]> {
  const foreign = await findForeignRows(store, makeMac)
  return foreign ? [{ seq: foreign.first, kind: 'writer', what: foreign.what }] : []
}

/** An exported checkpoint must be one of those in the store, whose rows were just checked. */
async function checkExported(store: Store, notes: readonly string[], seals: SealState, last: number): Promise<Fault[]> {
  const origin = (await findOrigin(store)) ?? ''
  const faults: Fault[] = []
  for (const note of notes) {
    const text = parseNote(note)?.text
    const checkpoint = parseCheckpoint(text ?? '')
    if (!checkpoint) {
      faults.push({ seq: seals.sealed + 1, kind: 'checkpoint', what: 'the exported checkpoint cannot be read' })
    } else if (checkpoint.origin !== origin) {
      const what = `the database was replaced or emptied: it is ${origin || 'without a name'}, the exported checkpoint is of ${checkpoint.origin}`
      faults.push({ seq: 1, kind: 'replaced', what })
    } else if (checkpoint.size > last) {
      faults.push({
        seq: last + 1,
        kind: 'gap',
        what: `the exported checkpoint covers ${checkpoint.size} rows, ${last} are there: the tail was cut off`,
      })
    } else {
      const stored = await readCheckpoints(store, checkpoint.size, checkpoint.size, seals.count)
      if (!stored.some(row => parseNote(row.note)?.text === text)) {
        faults.push({
          seq: Math.min(seals.sealed, checkpoint.size) + 1,
          kind: 'checkpoint',
          what: `the exported checkpoint of ${checkpoint.size} rows is not one of this store's`,
        })
      }
    }
  }
  return faults
}

async function readLastSeq(store: Store): Promise<number> {
  const row = await store.db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  return row?.seq ?? 0
}

async function readLastCheckpoint(store: Store): Promise<{ n: number; size: number }> {
  const row = await store.db.selectFrom('checkpoints').select(['n', 'size']).orderBy('n', 'desc').limit(1).executeTakeFirst()
  return row ?? { n: 0, size: 0 }
}

interface Findings {
  readonly store: Store
  readonly origin: string
  readonly last: number
  readonly faults: readonly Fault[]
  readonly running: Running
  readonly pinned: boolean
}

function summarize({ store, origin, last, faults, running, pinned }: Findings): VerifyReport {
  const { seals, gaps, clockSteps, kept, pruned, dropped } = running
  const inOrder = faults.toSorted((a, b) => a.seq - b.seq)
  const firstBad = inOrder[0]?.seq
  return {
    ok: faults.length === 0,
    source: store.place,
    origin: origin === '' ? null : origin,
    records: last,
    range: last === 0 ? null : { first: 1, last },
    ...(firstBad !== undefined && { firstBad }),
    faults: inOrder,
    checkpoints: seals.count,
    sealed: seals.sealed,
    unsealed: Math.max(0, last - seals.sealed),
    keys: { pinned, ids: [...(seals.trusted ?? [])] },
    gaps,
    clockSteps,
    blobs: { kept, pruned },
    dropped: dropped.count,
  }
}
