// Paints the panes of tmux by the status of the agent in each: found by AGENT_ID in the environment of what runs in the pane.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type ProcessEntry, readProcesses } from '@belay/core'
import type { AgentStatus } from '../store/table/work.ts'
import { compareStatus, type FleetAgent } from './fleet-agent.ts'

export interface Pane {
  readonly id: string
  readonly pid: number
  /** It is in front of a person. */
  readonly isSeen: boolean
}

export interface PaintedPane {
  readonly pane: string
  readonly agent: string
  readonly status: AgentStatus
  readonly isSeen: boolean
}

/** Dark enough to read on; what a person has seen looks as always. */
const BACKGROUNDS: Readonly<Record<AgentStatus, string>> = {
  error: 'bg=#4a1212',
  attention: 'bg=#4a3a00',
  working: 'bg=#0d2438',
  checked: 'default',
  done: 'bg=#12331a',
}

export type Tmux = (args: readonly string[]) => { readonly ok: boolean; readonly out: string; readonly why: string }

/** The server that $TMUX names, else the default one. */
export function createTmux(env: Readonly<Record<string, string | undefined>>): Tmux {
  return args => {
    const { status, stdout, stderr, error } = spawnSync('tmux', args, { encoding: 'utf8', env: { ...env } })
    if (error !== undefined)
      return { ok: false, out: '', why: 'code' in error && error.code === 'ENOENT' ? 'tmux is not installed' : error.message }
    return { ok: status === 0, out: stdout, why: stderr.trim() }
  }
}

export function listPanes(tmux: Tmux): readonly Pane[] | { readonly why: string } {
  const { ok, out, why } = tmux(['list-panes', '-a', '-F', '#{pane_id} #{pane_pid} #{pane_active} #{window_active} #{session_attached}'])
  if (!ok) return { why }
  return out.split('\n').flatMap(line => {
    const [id, pid, isActive, isWindowActive, attached] = line.split(' ')
    if (id === undefined || pid === undefined) return []
    return [{ id, pid: Number(pid), isSeen: isActive === '1' && isWindowActive === '1' && Number(attached) > 0 }]
  })
}

/** Where a pane holds several agents the one that needs a person most counts. */
export function matchPanes(
  panes: readonly Pane[],
  agents: readonly FleetAgent[],
  idsOf: (pane: Pane) => readonly string[],
): readonly PaintedPane[] {
  const known = new Map(agents.map(agent => [agent.agent, agent]))
  return panes.flatMap(pane => {
    const [first] = idsOf(pane)
      .flatMap(id => known.get(id) ?? [])
      .sort((a, b) => compareStatus(a.status, b.status))
    return first === undefined ? [] : [{ pane: pane.id, agent: first.agent, status: first.status, isSeen: pane.isSeen }]
  })
}

export function paintPane(tmux: Tmux, { pane, status }: PaintedPane): boolean {
  return ['window-style', 'window-active-style'].every(option => tmux(['set-option', '-p', '-t', pane, option, BACKGROUNDS[status]]).ok)
}

/** As tmux would show it without us. */
export function unpaintPane(tmux: Tmux, pane: string): void {
  for (const option of ['window-style', 'window-active-style']) tmux(['set-option', '-p', '-u', '-t', pane, option])
}

/** Agent ids of the processes in a pane, by one look at the table of processes. */
export function createPaneReader(): (pane: Pane) => readonly string[] {
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of readProcesses()) children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry])
  return pane => {
    const ids = new Set<string>()
    const left = [pane.pid]
    for (let pid = left.pop(); pid !== undefined; pid = left.pop()) {
      const id = readAgentId(pid)
      if (id !== null) ids.add(id)
      left.push(...(children.get(pid) ?? []).map(entry => entry.pid))
    }
    return [...ids]
  }
}

function readAgentId(pid: number): string | null {
  const variables = process.platform === 'linux' ? readEnviron(pid) : readPsEnvironment(pid)
  const found = variables.find(variable => variable.startsWith('AGENT_ID='))
  return found === undefined ? null : found.slice('AGENT_ID='.length)
}

function readEnviron(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}

/** Where there is no /proc: `ps` writes the environment behind the command. */
export function readPsEnvironment(pid: number): readonly string[] {
  return (spawnSync('ps', ['eww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '').split(/\s+/)
}
