// Rows and columns for people. Where a table is wider than the terminal, each row becomes a block: its first cell, then the others by name.
import type { CommandIo } from './io.ts'
import { withoutOwn } from './visible.ts'

type Cell = string | number | null | undefined

/** Columns as wide as they need to be; nothing to show is said. */
export function renderTable(io: CommandIo, head: readonly string[], rows: readonly (readonly Cell[])[], none: string): string {
  if (rows.length === 0) return none
  const texts = rows.map(row => row.map(cell => (cell === null || cell === undefined ? '-' : String(cell))))
  const lines = layOut([head, ...texts])
  const width = widthOf(io)
  if (Math.max(...lines.map(sizeOf)) <= width) return lines.join('\n')
  return texts.map(row => block(head, row, width)).join('\n\n')
}

/** Rows without a head; the last cell as long as it likes, on lines of its own where there is no room beside the others. */
export function columns(io: CommandIo, rows: readonly (readonly string[])[], indent = ''): string {
  return columnRows(io, rows, indent).join('\n')
}

/** The same, row by row. */
export function columnRows(io: CommandIo, rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const width = widthOf(io)
  const lines = layOut(rows).map(line => `${indent}${line}`)
  if (lines.every(line => sizeOf(line) <= width)) return lines
  // One that has no room would stand beside columns that are nowhere else: none has them then.
  return rows.map(row => {
    const whole = `${indent}${row.filter(cell => cell !== '').join('  ')}`
    const last = row.at(-1) ?? ''
    if (sizeOf(whole) <= width || row.length < 2) return whole
    const before = row.slice(0, -1).filter(cell => cell !== '')
    return [`${indent}${before.join('  ')}`, ...wrap(last, width - indent.length - 2).map(part => `${indent}  ${part}`)].join('\n')
  })
}

/** Text behind a name: what has no room goes on below where it began, or, where that is too narrow to read, near the edge. */
export function hang(io: CommandIo, name: string, text: string): string {
  const width = widthOf(io)
  const left = sizeOf(name)
  if (left + sizeOf(text) <= width) return `${name}${text}`
  if (width - left >= MIN_ROOM) return `${name}${wrap(text, width - left).join(`\n${' '.repeat(left)}`)}`
  return [name.trimEnd(), ...wrap(text, width - 4).map(part => `    ${part}`)].join('\n')
}

const MIN_ROOM = 40

/** Of the terminal; without one nothing is cut or folded. */
function widthOf(io: CommandIo): number {
  return io.isTty && io.columns !== undefined && io.columns > 0 ? io.columns : Number.POSITIVE_INFINITY
}

function layOut(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, sizeOf(cell))), [])
  return rows.map(row =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - sizeOf(cell)))))
      .join('  ')
      .trimEnd(),
  )
}

function block(head: readonly string[], row: readonly string[], width: number): string {
  const named = head.flatMap((name, index) => {
    const cell = row[index] ?? '-'
    return index === 0 || cell === '-' || cell === '' ? [] : [{ name, cell }]
  })
  const left = Math.max(0, ...named.map(({ name }) => name.length))
  const room = Math.max(1, width - left - 4)
  const lines = named.flatMap(({ name, cell }) =>
    wrap(cell, room).map((part, index) => `  ${(index === 0 ? name : '').padEnd(left)}  ${part}`),
  )
  return [...wrap(row[0] ?? '', width), ...lines].join('\n')
}

/** At spaces where there are any, inside a word where it is longer than the line. */
function wrap(text: string, width: number): readonly string[] {
  const room = Math.max(8, width)
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (sizeOf(joined) <= room) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    line = word
    while (sizeOf(line) > room) {
      lines.push(line.slice(0, room))
      line = line.slice(room)
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line]
}

function sizeOf(text: string): number {
  return withoutOwn(text).length
}
