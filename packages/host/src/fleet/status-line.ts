// The text of a status line: one line, what needs a person first coloured. Null facts: the daemon is not there.
export interface LineFacts {
  /** none: no policy holds here; broken: nothing is allowed until it is fixed. */
  readonly guard: 'on' | 'none' | 'broken' | 'paused'
  readonly effort: { readonly id: number; readonly skill: string; readonly phase: string | null } | null
  readonly heartbeat: { readonly count: number; readonly interval: number } | null
  readonly approvals: number
}

/** Written out: node:util looks at our own output first, which takes longer than all the rest. */
const COLOURS = { red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22] } as const

type Colour = keyof typeof COLOURS
type Part = readonly [text: string, colour: Colour | null]

const GUARDS: Readonly<Record<LineFacts['guard'], Part>> = {
  on: ['belay on', 'green'],
  none: ['belay: no policy here', 'dim'],
  broken: ['belay: policy broken', 'red'],
  paused: ['belay paused', 'yellow'],
}

export function renderStatusLine(facts: LineFacts | null, usage: number | null, hasColour: boolean): string {
  const parts = facts === null ? [['belay: daemon down, static policy', 'yellow'] as const] : describe(facts)
  if (usage !== null) parts.push([`context ${Math.round(usage * 100)} %`, usage >= 0.9 ? 'red' : usage >= 0.75 ? 'yellow' : null])
  return parts.map(([text, colour]) => (hasColour && colour !== null ? paint(colour, text) : text)).join(' | ')
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

function paint(colour: Colour, text: string): string {
  const [on, off] = COLOURS[colour]
  return `\x1b[${on}m${text}\x1b[${off}m`
}

function clean(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, ' ')
}
