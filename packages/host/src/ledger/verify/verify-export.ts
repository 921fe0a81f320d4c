// Checks an export: one entry a line, from the first. Only what came with it is known: the chain, the blobs, and checkpoints given beside it.
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import {
  type BlobReference,
  type Entry,
  type Fault,
  findBlobReferences,
  GENESIS_HASH,
  hashBlob,
  type NoteKey,
  parseCheckpoint,
  parseNote,
} from '@belay/core/ledger'
import { decodeExportLine, type LineBlobs } from '../export-line.ts'
import { findFormatFault } from './format-check.ts'
import { checkSeal, type SealState, startSeals } from './seal-check.ts'
import { earlier } from './verify-range.ts'
import type { VerifyReport } from './verify-report.ts'
import type { VerifyOptions } from './verify-store.ts'
import { createWalk, findUntrimmed, type Gone, type Mark, sumTrims, type WalkReport } from './walk.ts'

export async function verifyExport(file: string, { pinned, exported, onProgress }: VerifyOptions): Promise<VerifyReport> {
  const marks = markNotes(exported)
  const walk = createWalk(marks, pinned)
  const blobs = { kept: 0, pruned: 0, lastPruned: 0 }
  let rows = 0
  let fault: Fault | undefined
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue
    rows++
    if (fault) continue
    const decoded = decodeExportLine(line)
    if (!decoded) fault = { seq: rows, kind: 'file', what: `line ${rows} is no entry` }
    else if ('dropped' in decoded) fault = walk.add([], rows, rows, new Map([[decoded.seq, decoded.dropped]]))
    else fault = walk.add([decoded.entry], rows, rows) ?? checkLineBlobs(decoded.entry, decoded.blobs, blobs)
    if (rows % 4096 === 0) onProgress?.({ done: rows, total: rows })
  }
  const report = walk.report()
  const seals = checkNotes(report, pinned)
  fault ??=
    checkStart(report) ??
    findFormatFault(report.formats, report.switches) ??
    checkTrims(report, { count: blobs.pruned, last: blobs.lastPruned }, seals.state.sealed)
  fault = earlier(fault, seals.fault) ?? checkCut(marks, rows)
  const faults = fault ? [fault] : []
  return summarize({ file, rows, faults, report, seals: seals.state, pinned: pinned.length > 0, blobs })
}

function markNotes(notes: readonly string[]): ReadonlyMap<number, readonly Mark[]> {
  const marks = new Map<number, Mark[]>()
  for (const note of notes) {
    const size = parseCheckpoint(parseNote(note)?.text ?? '')?.size ?? 0
    marks.set(size, [...(marks.get(size) ?? []), { note }])
  }
  return marks
}

function checkStart({ firstPrev }: WalkReport): Fault | undefined {
  return firstPrev === undefined || firstPrev === GENESIS_HASH ? undefined : { seq: 1, kind: 'chain', what: 'it does not begin the ledger' }
}

/** Where no checkpoint came with it, what it says of itself is all there is. */
function checkTrims({ trims, dropped, rows }: WalkReport, pruned: Gone['blobs'], sealed: number): Fault | undefined {
  return findUntrimmed({ entries: dropped, blobs: pruned }, sumTrims(trims, sealed > 0 ? sealed : rows))
}

/** Those that the walk came to. */
function checkNotes(report: WalkReport, pinned: readonly NoteKey[]): { state: SealState; fault?: Fault } {
  let state: SealState = { ...startSeals(pinned.length > 0 ? pinned : null), rotations: report.rotations }
  for (const seal of report.seals) {
    const step = checkSeal(state, seal, parseCheckpoint(parseNote(seal.note)?.text ?? '')?.origin ?? '')
    if (step.kind === 'bad') return { state, fault: step.fault }
    state = step.state
  }
  return { state }
}

function checkCut(marks: ReadonlyMap<number, readonly Mark[]>, rows: number): Fault | undefined {
  if (marks.has(0)) return { seq: rows + 1, kind: 'checkpoint', what: 'the checkpoint given with it cannot be read' }
  const size = Math.max(0, ...marks.keys())
  return size > rows
    ? { seq: rows + 1, kind: 'gap', what: `its checkpoint covers ${size} rows, ${rows} are there: the tail was cut off` }
    : undefined
}

function checkLineBlobs(
  { seq, body }: Entry,
  blobs: LineBlobs,
  counts: { kept: number; pruned: number; lastPruned: number },
): Fault | undefined {
  for (const reference of findBlobReferences(body)) {
    const blob = blobs[reference.hash]
    if (blob === undefined) return { seq, kind: 'blob', what: `its blob ${reference.hash} is missing` }
    if (blob === null) {
      counts.pruned++
      counts.lastPruned = seq
    } else if (isSound(reference, blob)) counts.kept++
    else return { seq, kind: 'blob', what: `its blob ${reference.hash} was changed` }
  }
  return undefined
}

function isSound(reference: BlobReference, blob: { readonly salt: string; readonly content: string }): boolean {
  const content = Buffer.from(blob.content)
  return content.length === reference.bytes && hashBlob(Buffer.from(blob.salt, 'base64'), content) === reference.hash
}

interface Findings {
  readonly file: string
  readonly rows: number
  readonly faults: readonly Fault[]
  readonly report: WalkReport
  readonly seals: SealState
  readonly pinned: boolean
  readonly blobs: { readonly kept: number; readonly pruned: number }
}

function summarize({ file, rows, faults, report, seals, pinned, blobs }: Findings): VerifyReport {
  const firstBad = faults[0]?.seq
  return {
    ok: faults.length === 0,
    source: file,
    origin: seals.origin ?? null,
    records: rows,
    range: rows === 0 ? null : { first: 1, last: rows },
    ...(firstBad !== undefined && { firstBad }),
    faults,
    checkpoints: report.seals.length,
    sealed: seals.sealed,
    unsealed: Math.max(0, rows - seals.sealed),
    keys: { pinned, ids: [...(seals.trusted ?? [])] },
    gaps: report.gaps,
    clockSteps: report.clockSteps,
    blobs: { kept: blobs.kept, pruned: blobs.pruned },
    dropped: report.dropped.count,
  }
}
