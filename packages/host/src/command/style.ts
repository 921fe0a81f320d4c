// Colour, only where a person sees it.
import { styleText } from 'node:util'
import type { CommandIo } from './io.ts'

type Format = Parameters<typeof styleText>[0]

export function paint(io: CommandIo, format: Format, text: string): string {
  return io.isTty && io.env.NO_COLOR === undefined ? styleText(format, text) : text
}

export function paintDecision(io: CommandIo, decision: string): string {
  const format: Format = decision === 'deny' ? 'red' : decision === 'ask' ? 'yellow' : decision === 'allow' ? 'green' : 'dim'
  return paint(io, format, decision)
}

/** Columns of equal width, the last one as long as it likes. */
export function columns(rows: readonly (readonly string[])[], indent = ''): string {
  const widths = rows.reduce<number[]>((known, row) => row.map((cell, index) => Math.max(known[index] ?? 0, cell.length)), [])
  const line = (row: readonly string[]): string =>
    row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')
  return rows.map(row => `${indent}${line(row)}`.trimEnd()).join('\n')
}

/** What agents wrote must not speak to the terminal, nor hide in it: control characters and those that turn the direction of text become blanks. */
export function visibleText(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/g, ' ')
}
