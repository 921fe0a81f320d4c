// GET /v1/export: entries as `belay ledger export` writes them, as they are read, so that memory does not grow with the ledger.
import { once } from 'node:events'
import type { Entry } from '@belay/core/ledger'
import type { RouteCall } from '../../http/route.ts'
import { sendProblem } from '../../http/server.ts'
import { CSV_HEADER, encodeCsvLine } from '../../ledger/csv-line.ts'
import { encodeExportLine } from '../../ledger/export-line.ts'
import type { EntryFilter } from '../../ledger/read-entry.ts'
import { RpcError } from '../../rpc/rpc.ts'
import type { Store } from '../../store/store.ts'
import { readFilter } from './read-filter.ts'
import { scanForward } from './scan-entries.ts'

type Format = 'jsonl' | 'csv'

const TYPES: Readonly<Record<Format, string>> = { jsonl: 'application/x-ndjson; charset=utf-8', csv: 'text/csv; charset=utf-8' }

export async function exportEntries(store: Store, { request, response, url }: RouteCall): Promise<void> {
  const wanted = readWanted(url.searchParams)
  if (typeof wanted === 'string') return sendProblem(response, 400, wanted)
  const { format, filter } = wanted
  response.writeHead(200, { 'content-type': TYPES[format], 'content-disposition': `attachment; filename="belay-ledger.${format}"` })
  if (request.method === 'HEAD') return void response.end()
  if (format === 'csv') response.write(`${CSV_HEADER}\n`)
  for await (const entries of scanForward(store, filter)) {
    if (response.destroyed) return
    const text = await encodeLines(store, entries, format)
    if (text !== '' && !response.write(text)) await settled(response)
  }
  response.end()
}

function readWanted(search: URLSearchParams): { readonly format: Format; readonly filter: EntryFilter } | string {
  const { format = 'jsonl', ...rest } = Object.fromEntries(search)
  if (format !== 'jsonl' && format !== 'csv') return `format must be jsonl or csv, not ${format}.`
  try {
    return { format, filter: readFilter(rest) }
  } catch (error) {
    if (error instanceof RpcError) return error.message
    throw error
  }
}

async function encodeLines(store: Store, entries: readonly Entry[], format: Format): Promise<string> {
  let text = ''
  for (const entry of entries) text += `${format === 'csv' ? encodeCsvLine(entry) : await encodeExportLine(store, entry)}\n`
  return text
}

/** The reader has caught up, or has gone. */
async function settled(response: RouteCall['response']): Promise<void> {
  const done = new AbortController()
  const { signal } = done
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })])
  done.abort()
}
