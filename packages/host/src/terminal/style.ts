// Colour, only where a person sees it.
import { styleText } from 'node:util'
import type { CommandIo } from './io.ts'
import { own, withoutOwn } from './visible.ts'

type Format = Parameters<typeof styleText>[0]

export function paint(io: CommandIo, format: Format, text: string): string {
  if (!io.isTty || io.env.NO_COLOR !== undefined) return text
  const [open = '', close = ''] = styleText(format, '|', { validateStream: false }).split('|')
  return `${own(open)}${text}${own(close)}`
}

export function paintDecision(io: CommandIo, decision: string): string {
  const format: Format = decision === 'deny' ? 'red' : decision === 'ask' ? 'yellow' : decision === 'allow' ? 'green' : 'dim'
  return paint(io, format, decision)
}

/** Columns of equal width, the last one as long as it likes. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, withoutOwn(cell).length)), [])
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => (index === row.length - 1 ? cell : cell + ' '.repeat((widths[index] ?? 0) - withoutOwn(cell).length)))
      .join('  ')
  return rows.map(row => `${indent}${line(row)}`.trimEnd()).join('\n')
}
