// `ledger export`: entries as JSONL or CSV, to a file or to stdout.
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { CSV_HEADER, encodeCsvLine } from '../../ledger/csv-line.ts'
import { encodeDroppedLine, encodeExportLine } from '../../ledger/export-line.ts'
import { type EntryFilter, streamEntries } from '../../ledger/read-entry.ts'
import type { Store } from '../../store/store.ts'
import { syncFile } from '../../store/sync-file.ts'
import { findLastCheckpoint } from '../../store/table/checkpoint.ts'
import { prepareDroppedRead } from '../../store/table/leaf.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../../terminal/io.ts'
import { type FilterOptions, parseFilter } from './filter-options.ts'
import { refuseMissingFolder, resolvePath, withStore } from './ledger-command.ts'

export interface ExportCommandOptions extends FilterOptions {
  readonly format: string
  /** The last checkpoint goes beside it, as FILE.note, so that `verify FILE` sees a cut. */
  readonly out?: string
}

const GATHER_CHARACTERS = 256 * 1024

export async function runLedgerExport(options: ExportCommandOptions, io: CommandIo): Promise<ExitCode> {
  const { format, out } = options
  if (format !== 'jsonl' && format !== 'csv') return fail(io, `--format ${format}: jsonl or csv`)
  const parsed = parseFilter(options, Date.now())
  if (parsed.kind === 'bad') return fail(io, parsed.message)
  const refused = out === undefined ? undefined : refuseMissingFolder(io, out)
  if (refused !== undefined) return refused
  return withStore(io, async store => {
    const pieces = gatherLines(store, parsed.filter, format)
    if (out === undefined) {
      for await (const piece of pieces) io.stdout.write(piece)
      return 0
    }
    const file = resolvePath(io, out)
    // Before the entries: it must cover no more than what is written.
    const checkpoint = await findLastCheckpoint(store)
    await writePieces(file, pieces)
    const isWhole = format === 'jsonl' && Object.keys(parsed.filter).length === 0
    if (isWhole && checkpoint) writeFileSync(`${file}.note`, checkpoint.note, { mode: 0o600 })
    printLine(io.stderr, `exported to ${out}${isWhole && checkpoint ? `, its last checkpoint to ${out}.note` : ''}`)
    return 0
  })
}

/** Lines, several at a time. */
async function* gatherLines(store: Store, filter: EntryFilter, format: 'jsonl' | 'csv'): AsyncGenerator<string> {
  let gathered = format === 'csv' ? `${CSV_HEADER}\n` : ''
  const readDropped = prepareDroppedRead(store)
  const isWhole = format === 'jsonl' && Object.keys(filter).length === 0
  let next = 1
  for await (const entry of streamEntries(store, filter)) {
    // Whoever checks the export needs the hashes of what was dropped between two entries.
    if (isWhole && entry.seq > next)
      for (const [seq, dropped] of await readDropped(next, entry.seq - 1)) gathered += `${encodeDroppedLine({ seq, dropped })}\n`
    next = entry.seq + 1
    gathered += `${format === 'csv' ? encodeCsvLine(entry) : await encodeExportLine(store, entry)}\n`
    if (gathered.length < GATHER_CHARACTERS) continue
    yield gathered
    gathered = ''
  }
  yield gathered
}

async function writePieces(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const stream = createWriteStream(file, { mode: 0o600 })
  await once(stream, 'open')
  for await (const piece of pieces) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end()
  await once(stream, 'close')
  syncFile(file)
}
