// What cards, rows and the page of an agent say of it, in one place.
import { Link } from '../frame/link.tsx'
import { Age } from '../part/age.tsx'
import { Gauge } from '../part/gauge.tsx'
import { plainLine, withoutProject } from '../part/plain-text.ts'
import type { FleetAgent } from './fleet-agent.ts'

export function nameOf({ label, agent }: Pick<FleetAgent, 'label' | 'agent'>): string {
  return plainLine(label ?? agent, 80)
}

/** The last two folders: enough to know it. */
export function shortPath(path: string): string {
  return plainLine(path.split('/').filter(Boolean).slice(-2).join('/') || path, 80)
}

export type Now = Pick<FleetAgent, 'lastTool' | 'lastCall' | 'runsSince' | 'said' | 'approvals' | 'project'>

/** What it is at, in a word: a call that runs or waits for an answer; else what it said at the end; else what it called last. */
export function nowWord({ lastTool, runsSince, said, approvals }: Now): 'asks for' | 'runs' | 'said' | 'last call' | null {
  if (lastTool !== null && approvals > 0) return 'asks for'
  if (lastTool !== null && runsSince !== null) return 'runs'
  if (said !== null) return 'said'
  return lastTool === null ? null : 'last call'
}

/** The same on one line. */
export function Doing({ agent }: { readonly agent: Now }) {
  const { lastTool, runsSince, said } = agent
  const word = nowWord(agent)
  if (word === null) return null
  if (word === 'said')
    return (
      <span title={plainLine(said ?? '', 200)}>
        <span className="text-faint">said</span> {plainLine(said ?? '', 200)}
      </span>
    )
  const call = callOf(agent)
  return (
    <span title={call}>
      <span className={word === 'asks for' ? 'text-ask' : word === 'runs' ? 'text-allow' : 'text-faint'}>{word}</span>{' '}
      {word === 'runs' && runsSince !== null && (
        <span className="text-faint">
          <Age time={runsSince} />{' '}
        </span>
      )}
      <span className="font-medium">{plainLine(lastTool ?? '', 60)}</span> <span className="mono">{call}</span>
    </span>
  )
}

function callOf({ lastCall, project }: Now): string {
  return plainLine(withoutProject(lastCall ?? '', project), 200)
}

const WAITS = 'waits for you'

/** Why it stands as it does; that it waits is said by its mark. */
export function reasonOf({ reason, unguarded }: Pick<FleetAgent, 'reason' | 'unguarded'>): string | null {
  if (unguarded !== undefined) return `NOT GUARDED: ${unguarded}`
  return reason === WAITS ? null : reason
}

export function Heartbeat({ agent: { heartbeat, heartbeatInterval } }: { readonly agent: FleetAgent }) {
  if (heartbeat === null || heartbeatInterval === null || heartbeatInterval === 0)
    return <Gauge value={null} label="tool calls since the last log entry" />
  return (
    <Gauge value={heartbeat / heartbeatInterval} label="tool calls since the last log entry" text={`${heartbeat}/${heartbeatInterval}`} />
  )
}

export function Context({ agent: { context } }: { readonly agent: FleetAgent }) {
  return <Gauge value={context} label="context window used" />
}

export function Waiting({ agent: { approvals } }: { readonly agent: FleetAgent }) {
  if (approvals === 0) return null
  return (
    <Link
      page="approvals"
      className="relative z-10 whitespace-nowrap rounded bg-ask-tint px-1.5 font-medium text-ask text-small hover:underline"
    >
      {approvals} to decide
    </Link>
  )
}
