// `ledger query` and `ledger tail`: entries that match, the last ones, and those to come.
import { type Entry, encodeLine } from '@belay/core/ledger'
import { type EntryFilter, followEntries, queryEntries } from '../../ledger/read-entry.ts'
import type { Store } from '../../store/store.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../../terminal/io.ts'
import { type FilterOptions, parseFilter } from './filter-options.ts'
import { withStore } from './ledger-command.ts'
import { printEntryLine } from './print-entry.ts'

export interface QueryCommandOptions extends FilterOptions {
  readonly limit: number
  readonly json?: boolean
}

export interface TailCommandOptions extends FilterOptions {
  readonly lines: number
  readonly follow?: boolean
  readonly json?: boolean
  /** Ends a follow. */
  readonly signal?: AbortSignal
}

/** 0 something matches, 1 nothing does. Newest first. */
export async function runLedgerQuery(options: QueryCommandOptions, io: CommandIo): Promise<ExitCode> {
  const parsed = parseFilter(options, Date.now())
  if (parsed.kind === 'bad') return fail(io, parsed.message)
  return withStore(io, async store => {
    const entries = await queryEntries(store, parsed.filter, { limit: options.limit, newestFirst: true })
    if (options.json) printLine(io.stdout, `[${entries.map(entry => encodeLine(entry)).join(',\n')}]`)
    else for (const entry of entries) printEntryLine(io, entry)
    return entries.length === 0 ? 1 : 0
  })
}

/** In order, oldest first; as JSON one entry a line, so that it can be followed. */
export async function runLedgerTail(options: TailCommandOptions, io: CommandIo): Promise<ExitCode> {
  const parsed = parseFilter(options, Date.now())
  if (parsed.kind === 'bad') return fail(io, parsed.message)
  const print = (entry: Entry): void => (options.json ? printLine(io.stdout, encodeLine(entry)) : printEntryLine(io, entry))
  return withStore(io, async store => {
    const next = await printLast(store, parsed.filter, options.lines, print)
    if (!options.follow) return 0
    const signal = options.signal ?? new AbortController().signal
    for await (const entry of followEntries(store, { ...parsed.filter, first: next }, signal)) print(entry)
    return 0
  })
}

/** Gives the seq from which on nothing was printed. */
async function printLast(store: Store, filter: EntryFilter, lines: number, print: (entry: Entry) => void): Promise<number> {
  const [newest] = await queryEntries(store, {}, { limit: 1, newestFirst: true })
  const last = newest?.seq ?? 0
  const entries = await queryEntries(store, { ...filter, last }, { limit: lines, newestFirst: true })
  for (const entry of entries.toReversed()) print(entry)
  return last + 1
}
