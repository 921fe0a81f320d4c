// Colour, only where a person sees it.
import { styleText } from 'node:util'
import type { CommandIo } from './io.ts'
import { own } from './visible.ts'

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
