// One entry as a row of a spreadsheet: what people sort and count by has a column of its own, the whole record is the last one.
import type { Entry } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'

type Fields = Readonly<Record<string, unknown>>
type Cell = string | number | null | undefined

const COLUMNS: readonly (readonly [name: string, cell: (entry: Entry, body: Fields) => Cell])[] = [
  ['seq', ({ seq }) => seq],
  ['time', ({ time }) => time],
  ['kind', ({ kind }) => kind],
  ['agent', (_, { agent }) => textIn(agent)],
  ['agent_id', (_, { agentId }) => textIn(agentId)],
  ['actor', ({ actor }) => actor],
  ['session', ({ session }) => session],
  ['project', (_, { root }) => textIn(root)],
  ['event', (_, { event }) => textIn(event)],
  ['tool', (_, { tool }) => textIn(tool)],
  ['call', (_, { input }) => mainText(input)],
  ['verdict', (_, { verdict }) => textIn(verdict)],
  ['rule', (_, { rule }) => textIn(fieldsIn(rule).text)],
  ['place', (_, { rule }) => textIn(fieldsIn(rule).place)],
  ['reason', (_, { reason }) => textIn(reason)],
  ['request', (_, { request }) => textIn(request)],
  ['took_ms', (_, { tookMs }) => (typeof tookMs === 'number' ? tookMs : null)],
  ['commitment', (_, { commitment }) => textIn(commitment)],
  ['policy', ({ policy }) => policy],
  ['id', ({ id }) => id],
  ['hash', ({ hash }) => hash],
  ['body', ({ body }) => body],
]

export const CSV_HEADER: string = COLUMNS.map(([name]) => name).join(',')

/** RFC 4180. */
export function encodeCsvLine(entry: Entry): string {
  const body = fieldsIn(JSON.parse(entry.body))
  return COLUMNS.map(([, cell]) => quoteCsv(cell(entry, body))).join(',')
}

/** Agents wrote most of it: a cell that a spreadsheet would take for a formula begins with an apostrophe. */
function quoteCsv(value: Cell): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** What the call is about. */
function mainText(input: unknown): string | null {
  const { command, file_path: file, path, url } = fieldsIn(input)
  return textIn([command, file, path, url].find(value => typeof value === 'string'))
}

function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function fieldsIn(value: unknown): Fields {
  return isObject(value) ? (value as Fields) : {}
}
