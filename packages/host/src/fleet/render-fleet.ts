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

interface Column {
  readonly name: string
  readonly longest: number
  /** Where a terminal is too narrow the highest goes first; 0 stays. */
  readonly spare: number
  text(agent: FleetAgent, nowMs: number): string
}

const NOTHING = '-'
const COLUMNS: readonly Column[] = [
  { name: 'agent', longest: 28, spare: 0, text: ({ label, agent }) => label ?? agent },
  { name: 'status', longest: 20, spare: 0, text: statusOf },
  { name: 'age', longest: 5, spare: 1, text: ({ lastEventAt }, nowMs) => formatAge(nowMs - Date.parse(lastEventAt)) },
  { name: 'context', longest: 7, spare: 2, text: ({ context }) => (context === null ? NOTHING : `${Math.round(context * 100)} %`) },
  {
    name: 'heartbeat',
    longest: 9,
    spare: 7,
    text: ({ heartbeat, heartbeatInterval }) => (heartbeat === null ? NOTHING : `${heartbeat}/${heartbeatInterval}`),
  },
  { name: 'task', longest: 28, spare: 4, text: ({ task }) => (task === null ? NOTHING : join(basename(dirname(task)), basename(task))) },
  { name: 'effort', longest: 20, spare: 5, text: ({ skill, effortId }) => (skill === null ? NOTHING : `${skill} #${effortId}`) },
  { name: 'phase', longest: 16, spare: 6, text: ({ phase }) => phase ?? NOTHING },
  { name: 'asked', longest: 40, spare: 3, text: ({ asked }) => asked ?? NOTHING },
  { name: 'doing', longest: Number.POSITIVE_INFINITY, spare: 0, text: doingOf },
]
/** What is last has this much room before others have to go. */
const ROOM_AT_END = 40
const GAP = 2
const STATUS = 1

export function renderFleet(agents: readonly FleetAgent[], view: FleetView): readonly string[] {
  if (agents.length === 0) return ['no agents yet; belay install AGENT connects one']
  const columns = choose(
    COLUMNS.map(column => ({ ...column, cells: agents.map(agent => cellOf(column, agent, view.nowMs)) })),
    view.width,
  )
  const widths = columns.map(({ name, cells }) => widthOf(name, cells))
  const line = (cells: readonly string[]) => cut(pad(cells, widths).join(' '.repeat(GAP)).trimEnd(), view.width)
  const shown = agents.map((agent, index) => {
    const row = columns.map(({ cells }) => cells[index] ?? '')
    const text = line(row)
    return index === view.selected ? view.paint('inverse', text) : paintStatus(text, row, { from: (widths[0] ?? 0) + GAP, agent, view })
  })
  return [view.paint('bold', line(columns.map(({ name }) => name))), ...shown]
}

interface Filled extends Column {
  readonly cells: readonly string[]
}

/** Those that say something, as many as the terminal has room for. */
function choose(all: readonly Filled[], width: number): readonly Filled[] {
  let columns = all.filter(({ spare, cells }) => spare === 0 || cells.some(cell => cell !== NOTHING))
  const taken = () => columns.reduce((sum, { name, cells }, index) => sum + roomOf(name, cells, index === columns.length - 1) + GAP, -GAP)
  while (taken() > width) {
    const most = Math.max(...columns.map(({ spare }) => spare))
    if (most === 0) break
    columns = columns.filter(({ spare }) => spare !== most)
  }
  return columns
}

function roomOf(name: string, cells: readonly string[], isLast: boolean): number {
  return Math.min(widthOf(name, cells), isLast ? ROOM_AT_END : Number.POSITIVE_INFINITY)
}

function widthOf(name: string, cells: readonly string[]): number {
  return Math.max(name.length, ...cells.map(cell => cell.length))
}

function cellOf({ text, longest }: Column, agent: FleetAgent, nowMs: number): string {
  return cut(visibleText(text(agent, nowMs)), longest)
}

interface Painting {
  /** Where the status stands. */
  readonly from: number
  readonly agent: FleetAgent
  readonly view: FleetView
}

/** Only the status is coloured: the line is cut first, so that no colour is cut in two. */
function paintStatus(text: string, row: readonly string[], { from, agent, view }: Painting): string {
  const status = row[STATUS] ?? ''
  if (text.length < from + status.length) return text
  const tone = agent.stale ? 'red' : STATUS_TONES[agent.approvals > 0 ? 'attention' : agent.status]
  return text.slice(0, from) + view.paint(tone, status) + text.slice(from + status.length)
}

function statusOf({ approvals, status, stale }: FleetAgent): string {
  if (approvals > 0) return WAITS
  return stale ? `${status} (stale)` : status
}

/** As the page says it: what it asks for, runs, said at the end or called last; before it what is wrong, behind it why it stands so. */
function doingOf(agent: FleetAgent, nowMs: number): string {
  const { approvals, reason, unguarded } = agent
  const said = [
    unguarded === undefined ? null : `NOT GUARDED: ${unguarded}`,
    callOf(agent, nowMs),
    approvals === 0 ? null : `${approvals} to decide`,
    reason === WAITS ? null : reason,
  ]
  return said.filter(text => text !== null).join('; ') || NOTHING
}

function callOf({ lastTool, lastCall, project, runsSince, said, approvals }: FleetAgent, nowMs: number): string | null {
  const path = lastCall ?? ''
  const call = `${lastTool} ${project !== null && path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path}`.trimEnd()
  if (lastTool !== null && approvals > 0) return `asks for ${call}`
  if (lastTool !== null && runsSince !== null) return `runs ${formatAge(nowMs - Date.parse(runsSince))} ${call}`
  if (said !== null) return `said ${said}`
  return lastTool === null ? null : `last call ${call}`
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
