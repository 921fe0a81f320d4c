// The text of a status line: one line, what needs a person first coloured. Null facts: the daemon is not there.
import { styleText } from 'node:util'

export interface LineFacts {
  /** none: no policy holds here; broken: nothing is allowed until it is mended. */
  readonly guard: 'on' | 'none' | 'broken' | 'paused'
  readonly effort: { readonly id: number; readonly skill: string; readonly phase: string | null } | null
  readonly heartbeat: { readonly count: number; readonly interval: number } | null
  readonly approvals: number
}

type Format = Parameters<typeof styleText>[0]
type Part = readonly [text: string, format: Format | null]

const GUARDS: Readonly<Record<LineFacts['guard'], Part>> = {
  on: ['belay on', 'green'],
  none: ['belay: no policy here', 'dim'],
  broken: ['belay: policy broken', 'red'],
  paused: ['belay paused', 'yellow'],
}

export function renderStatusLine(facts: LineFacts | null, usage: number | null, hasColour: boolean): string {
  const parts = facts === null ? [['belay: daemon down, static policy', 'yellow'] as const] : describe(facts)
  if (usage !== null) parts.push([`context ${Math.round(usage * 100)} %`, usage >= 0.9 ? 'red' : usage >= 0.75 ? 'yellow' : null])
  return parts.map(([text, format]) => (hasColour && format !== null ? paint(format, text) : text)).join(' | ')
}

function describe({ guard, effort, heartbeat, approvals }: LineFacts): Part[] {
  const parts: Part[] = [GUARDS[guard]]
  if (effort !== null) parts.push([clean(effort.phase === null ? effort.skill : `${effort.skill}: ${effort.phase}`), null])
  if (heartbeat !== null) {
    const { count, interval } = heartbeat
    parts.push([`heartbeat ${count}/${interval}`, count >= interval ? 'red' : count >= 3 ? 'yellow' : null])
  }
  if (approvals > 0) parts.push([`${approvals} ${approvals === 1 ? 'approval' : 'approvals'} waiting`, 'yellow'])
  return parts
}

/** The line goes to a terminal that is not ours, so the question whether our own output is one does not arise. */
function paint(format: Format, text: string): string {
  return styleText(format, text, { validateStream: false })
}

function clean(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
}
