// The fleet, live: drawn anew when the daemon says that something changed, and every second for the ages. It outlives the daemon.
import { coalesce } from './coalesce.ts'
import type { FleetAgent } from './fleet-agent.ts'
import { type FleetView, renderFleet } from './render-fleet.ts'

export interface FleetScreen {
  readonly columns: number
  readonly rows: number
  write(text: string): void
}

export interface WatchOptions {
  readonly screen: FleetScreen
  /** Keys as a terminal in raw mode sends them; gives its undo. */
  onKeys(listener: (keys: string) => void): () => void
  /** null: there is no daemon. */
  list(): Promise<readonly FleetAgent[] | null>
  /** A person has looked at this agent. */
  check(agent: string): Promise<void>
  /** Calls back on changes, also those missed while the daemon was away, until the signal. */
  follow(onChange: () => void, signal: AbortSignal): Promise<void>
  /** Rings when an agent wants a person. */
  readonly hasBell: boolean
  readonly paint: FleetView['paint']
  readonly tickMs?: number
  readonly now: () => number
}

const TICK_MS = 1000
const LOOK_TICKS = 2
const OPEN = '\x1b[?1049h\x1b[?25l'
const CLOSE = '\x1b[?25h\x1b[?1049l'
const HELP = 'q quits, arrows choose; the agent you stay on counts as looked at'

/** Resolves when the person quits. */
export async function watchFleet(options: WatchOptions): Promise<void> {
  const { screen, now } = options
  const ended = new AbortController()
  let agents: readonly FleetAgent[] | null = null
  let chosen: string | null = null
  /** Ticks the cursor has stayed where it is. */
  let stayed = 0

  function draw(): void {
    const list = agents ?? []
    const selected = indexOf(list, chosen)
    const lines =
      agents === null
        ? ['the daemon is not running; belay up starts it']
        : renderFleet(list, { ...options, nowMs: now(), width: screen.columns, selected })
    const room = Math.max(1, screen.rows - 2)
    // The header and the selected row always show.
    const from = selected === null ? 0 : Math.max(0, selected + 2 - room)
    const shown = [...lines.slice(0, 1), ...lines.slice(1 + from, from + room)]
    const text = [...shown, '', options.paint('dim', HELP)].map(line => `${line}\x1b[K`).join('\r\n')
    screen.write(`\x1b[H${text}\x1b[J`)
  }

  const { ask: refresh, idle } = coalesce(async () => {
    const before = agents
    agents = await options.list()
    if (ended.signal.aborted) return
    if (options.hasBell && needsBell(before, agents)) screen.write('\x07')
    draw()
  })

  function move(step: number): void {
    const list = agents ?? []
    const next = Math.min(list.length - 1, Math.max(0, (indexOf(list, chosen) ?? (step > 0 ? -1 : 0)) + step))
    chosen = list[next]?.agent ?? null
    stayed = 0
    draw()
  }

  function markChecked(): void {
    if (chosen !== null) void options.check(chosen).then(refresh)
  }

  /** Passing over is not looking. */
  function tick(): void {
    stayed++
    if (stayed >= LOOK_TICKS && wantsLook((agents ?? []).find(({ agent }) => agent === chosen))) markChecked()
    refresh()
  }

  function onKey(key: string): void {
    if (key === 'q' || key === '\x03') ended.abort()
    else if (key === '\x1b[A' || key === 'k') move(-1)
    else if (key === '\x1b[B' || key === 'j') move(1)
    else if (key === '\r') markChecked()
  }

  screen.write(OPEN)
  const stopKeys = options.onKeys(keys => {
    for (const key of keys.match(/\x1b\[[A-Z]|./gs) ?? []) onKey(key)
  })
  const timer = setInterval(tick, options.tickMs ?? TICK_MS)
  refresh()
  try {
    await options.follow(refresh, ended.signal)
  } finally {
    clearInterval(timer)
    stopKeys()
    await idle()
    screen.write(CLOSE)
  }
}

/** It is done, failed or waits: a look changes what it shows. */
function wantsLook(agent: FleetAgent | undefined): boolean {
  return agent !== undefined && agent.status !== 'working' && agent.status !== 'checked'
}

function indexOf(agents: readonly FleetAgent[], chosen: string | null): number | null {
  const index = agents.findIndex(({ agent }) => agent === chosen)
  return index < 0 ? null : index
}

/** Somebody wants a person who did not want one before. */
function needsBell(before: readonly FleetAgent[] | null, after: readonly FleetAgent[] | null): boolean {
  if (before === null || after === null) return false
  const wanted = new Set(before.filter(wantsPerson).map(({ agent }) => agent))
  return after.some(agent => wantsPerson(agent) && !wanted.has(agent.agent))
}

function wantsPerson({ status }: FleetAgent): boolean {
  return status === 'attention' || status === 'error'
}
