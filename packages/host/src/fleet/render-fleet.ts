// The fleet as a table for a terminal. Everything in it came from outside: control characters never reach the terminal.
import { basename, dirname, join } from 'node:path'
import { visibleText } from '../terminal/visible.ts'
import { type FleetAgent, WAITS } from './fleet-agent.ts'

export type Tone = 'red' | 'yellow' | 'cyan' | 'green' | 'dim' | 'bold' | 'inverse'

export interface FleetView {
  readonly nowMs: number
  readonly width: number
  /** Row under the cursor; null: there is none. */
  readonly selected: number | null
  paint(tone: Tone, text: string): string
}

const STATUS_TONES: Readonly<Record<FleetAgent['status'], Tone>> = {
  error: 'red',
  attention: 'yellow',
  working: 'cyan',
  checked: 'dim',
  done: 'green',
}

const HEAD = ['agent', 'status', 'task', 'effort', 'phase', 'heartbeat', 'context', 'last tool', 'age', 'why']
const LONGEST = [28, 18, 28, 20, 16, 9, 7, 18, 5, Number.POSITIVE_INFINITY]
const STATUS = 1

export function renderFleet(agents: readonly FleetAgent[], view: FleetView): readonly string[] {
  if (agents.length === 0) return ['no agents yet; belay install AGENT connects one']
  const rows = agents.map(agent => cellsOf(agent, view.nowMs))
  const widths = HEAD.map((name, column) => Math.max(name.length, ...rows.map(row => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) => cut(pad(cells, widths).join('  ').trimEnd(), view.width)
  const shown = rows.map((row, index) => {
    const agent = agents[index]
    if (agent === undefined) return ''
    return index === view.selected ? view.paint('inverse', line(row)) : paintStatus(row, widths, { agent, view })
  })
  return [view.paint('bold', line(HEAD)), ...shown]
}

/** Only the status is coloured: the line is cut first, so that no colour is cut in two. */
function paintStatus(row: readonly string[], widths: readonly number[], { agent, view }: { agent: FleetAgent; view: FleetView }): string {
  const text = cut(pad(row, widths).join('  ').trimEnd(), view.width)
  const from = (widths[0] ?? 0) + 2
  const status = row[STATUS] ?? ''
  if (text.length < from + status.length) return text
  return text.slice(0, from) + view.paint(agent.stale ? 'red' : STATUS_TONES[agent.status], status) + text.slice(from + status.length)
}

function cellsOf(agent: FleetAgent, nowMs: number): readonly string[] {
  const { heartbeat, heartbeatInterval, context } = agent
  const cells = [
    agent.label ?? agent.agent,
    agent.stale ? `${agent.status} (stale)` : agent.status,
    agent.task === null ? '-' : join(basename(dirname(agent.task)), basename(agent.task)),
    agent.skill === null ? '-' : `${agent.skill} #${agent.effortId}`,
    agent.phase ?? '-',
    heartbeat === null ? '-' : `${heartbeat}/${heartbeatInterval}`,
    context === null ? '-' : `${Math.round(context * 100)} %`,
    agent.lastTool ?? '-',
    formatAge(nowMs - Date.parse(agent.lastEventAt)),
    whyOf(agent),
  ]
  return cells.map((cell, column) => cut(visibleText(cell), LONGEST[column] ?? 20))
}

function whyOf({ approvals, reason, unguarded }: FleetAgent): string {
  const waits = approvals === 0 ? null : `${WAITS}: ${approvals} to approve`
  const said = waits !== null && reason === WAITS ? null : reason
  return [unguarded === undefined ? null : `NOT GUARDED: ${unguarded}`, waits, said].filter(text => text !== null).join('; ')
}

export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`
}

function pad(cells: readonly string[], widths: readonly number[]): readonly string[] {
  return cells.map((cell, column) => cell.padEnd(widths[column] ?? 0))
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}
