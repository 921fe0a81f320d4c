// An entry for people: one line in a list, or everything about it.
import type { Entry } from '@belay/core/ledger'
import { type CommandIo, printLine } from '../../terminal/io.ts'
import { paint, paintDecision } from '../../terminal/style.ts'
import { visibleText } from '../../terminal/visible.ts'

const SUMMARY_CHARACTERS = 100

export function printEntryLine(io: CommandIo, entry: Entry): void {
  const body = readBody(entry)
  const verdict = typeof body.verdict === 'string' ? paintDecision(io, body.verdict.padEnd(5)) : '     '
  const tool = typeof body.tool === 'string' ? body.tool : ''
  const what = [tool, summarize(body)].filter(text => text !== '').join(' ')
  const time = paint(io, 'dim', entry.time.slice(0, 19).replace('T', ' '))
  printLine(io.stdout, `${String(entry.seq).padStart(6)}  ${time}  ${verdict}  ${entry.kind}  ${entry.actor}  ${what}`.trimEnd())
}

/** `body` with the large values in their places. */
export function printEntry(io: CommandIo, entry: Entry, body: Readonly<Record<string, unknown>>): void {
  const fields: readonly (readonly [string, string])[] = [
    ['seq', String(entry.seq)],
    ['id', entry.id],
    ['time', entry.time],
    ['kind', entry.kind],
    ['actor', entry.actor],
    ['session', entry.session ?? '-'],
    ['policy', entry.policy ?? '-'],
    ['hash', entry.hash],
    ['prev', entry.prev],
  ]
  for (const [name, value] of fields) printLine(io.stdout, `${paint(io, 'dim', name.padEnd(8))} ${visibleText(value)}`)
  printLine(io.stdout, JSON.stringify(body, null, 2))
}

function readBody(entry: Entry): Readonly<Record<string, unknown>> {
  return fieldsIn(JSON.parse(entry.body))
}

/** What a person would ask about first. */
function summarize(body: Readonly<Record<string, unknown>>): string {
  const [input, item] = [fieldsIn(body.input), fieldsIn(body.item)]
  const words = [body.reason, input.command, input.file_path, input.url, body.text, body.title, item.summary, item.url]
  const candidates = [...words, body.commitment, body.memory, body.event]
  const text = candidates.find(candidate => typeof candidate === 'string')
  return typeof text === 'string' ? visibleText(text).slice(0, SUMMARY_CHARACTERS) : ''
}

function fieldsIn(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
