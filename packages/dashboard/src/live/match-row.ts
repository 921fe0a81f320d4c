// Whether a row of the stream belongs on a filtered page: what the daemon does for lists, on the fields a row has. The daemon searches for
// text in whole entries, here only what is on the line is known.
import type { RecordFilter, RecordRow } from '#page/record.ts'

const FIELDS = ['agent', 'agentId', 'actor', 'project', 'kind', 'tool', 'session', 'commitment', 'verdict'] as const

export function matchRow(row: RecordRow, filter: RecordFilter): boolean {
  for (const name of FIELDS) {
    const wanted = filter[name]
    if (wanted !== undefined && !matchText(row[name], wanted)) return false
  }
  return filter.text === undefined || hasText(row, filter.text)
}

function matchText(value: string | null, wanted: string): boolean {
  if (value === null) return false
  return wanted.includes('*') ? isLike(value, wanted) : value === wanted
}

/** `*` stands for any text. */
function isLike(value: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return value === pattern
  if (value.length < first.length + last.length || !value.startsWith(first) || !value.endsWith(last)) return false
  let at = first.length
  const end = value.length - last.length
  for (const piece of rest) {
    const found = value.indexOf(piece, at)
    if (found < 0 || found + piece.length > end) return false
    at = found + piece.length
  }
  return true
}

function hasText(row: RecordRow, text: string): boolean {
  const wanted = text.toLowerCase()
  const texts = [row.summary, row.tool, row.reason, row.rule, row.by, row.event, row.actor, row.agentId, row.project]
  return texts.some(value => value?.toLowerCase().includes(wanted))
}
