// fleet.list: every agent with its work, for people. fleet.line: what one agent's status line shows, and its context usage on the way.
import type { GuardCache } from '../decision/guard-cache.ts'
import { isDoctors } from '../fleet/doctor-name.ts'
import { type FleetAgent, isStale, sortFleet } from '../fleet/fleet-agent.ts'
import type { LineFacts } from '../fleet/status-line.ts'
import { needText, type Params, readNumber, readText } from '../rpc/param.ts'
import type { StateEngine } from '../state/open-state.ts'
import { cutText, type Doing, type Doings } from '../statistic/doings.ts'
import { parseFields } from '../statistic/read-fields.ts'
import { mainText } from '../statistic/record-row.ts'
import { type FindUnguarded, type Unguarded, unguardedWhy } from './unguarded.ts'

export interface FleetMethodOptions {
  readonly state: StateEngine
  readonly doings: Doings
  readonly guards: GuardCache
  readonly unguarded: FindUnguarded
}

const MAX_AGENTS = 500

export function createFleetMethods(options: FleetMethodOptions) {
  return [
    ['fleet.list', () => listFleet(options)],
    ['fleet.line', (params: Params) => describeLine(options.state, options.guards, params)],
  ] as const
}

/** `agent`: only this one. */
export async function listFleet(
  { state: { parts }, doings, unguarded }: Omit<FleetMethodOptions, 'guards'>,
  agent: string | null = null,
): Promise<readonly FleetAgent[]> {
  await Promise.all([parts.rows.flush(), doings.ready()])
  const { db } = parts.store
  const rows = await db
    .selectFrom('fleet_status as f')
    .leftJoin('sessions as s', 's.id', 'f.session_id')
    .selectAll('f')
    .select('s.ended_at')
    .$if(agent !== null, query => query.where('f.agent', '=', agent ?? ''))
    .orderBy('f.last_event_at', 'desc')
    .limit(MAX_AGENTS)
    .execute()
  const shown = agent === null ? rows.filter(row => row.waiting > 0 || !isDoctors(row.agent, row.last_event_at)) : rows
  const open = shown.filter(({ status }) => status !== 'done')
  const escaped = await unguarded([...new Set(open.flatMap(({ project_root: root }) => root ?? []))])
  const held = shown.some(({ waiting }) => waiting > 0) ? await readHeld(parts) : new Map<string, Held>()
  const agents = shown.map(row => ({
    agent: row.agent,
    label: row.label,
    role: row.role,
    kind: row.agent_kind,
    status: row.status,
    reason: row.status_reason,
    project: row.project_root,
    task: row.task,
    effortId: row.effort_id,
    skill: row.skill,
    phase: row.phase,
    heartbeat: row.heartbeat,
    heartbeatInterval: row.heartbeat_interval,
    context: row.context,
    ...describeDoing(doings.get(row.agent), held.get(row.agent)),
    approvals: row.waiting,
    lastEventAt: row.last_event_at,
    stale: isStale(
      {
        status: row.status,
        hasEnded: row.ended_at !== null,
        lastEventAt: row.last_event_at,
        lastHeartbeat: row.last_heartbeat,
      },
      parts.now(),
    ),
    ...whyUnguarded(escaped, row),
  }))
  return sortFleet(agents)
}

type Held = Pick<Doing, 'tool' | 'text'>

/** A call that waits for a person is not recorded yet, and is what its agent is at. */
function describeDoing(
  { tool, text, runsSince, asked, said }: Doing,
  held: Held | undefined,
): Pick<FleetAgent, 'lastTool' | 'lastCall' | 'runsSince' | 'asked' | 'said'> {
  if (held === undefined) return { lastTool: tool, lastCall: text, runsSince, asked, said }
  return { lastTool: held.tool, lastCall: held.text, runsSince: null, asked, said: null }
}

/** By agent, what it asked a person for last. */
async function readHeld({ store }: StateEngine['parts']): Promise<ReadonlyMap<string, Held>> {
  const rows = await store.db
    .selectFrom('approvals')
    .select(['agent_id', 'tool', 'input'])
    .where('state', '=', 'pending')
    .where('kind', '=', 'call')
    .orderBy('created_at')
    .limit(MAX_AGENTS)
    .execute()
  return new Map(rows.map(row => [row.agent_id, { tool: row.tool, text: cutText(mainText(parseFields(row.input))) }]))
}

function whyUnguarded(
  found: readonly Unguarded[],
  { agent, agent_kind: kind, project_root: project }: { agent: string; agent_kind: string | null; project_root: string | null },
): Pick<FleetAgent, 'unguarded'> {
  const why = unguardedWhy(found, { agent, kind, project })
  return why === undefined ? {} : { unguarded: why }
}

async function countApprovals({ store }: StateEngine['parts']): Promise<number> {
  const pending = store.db.selectFrom('approvals').where('state', '=', 'pending')
  const { count } = await pending.select(({ fn }) => fn.countAll<number | string>().as('count')).executeTakeFirstOrThrow()
  return Number(count)
}

async function describeLine({ parts, pause }: StateEngine, guards: GuardCache, params: Params): Promise<LineFacts> {
  const kind = readText(params, 'agent') ?? 'claude-code'
  const hostSession = parts.cleanName(needText(params, 'sessionId'))
  const session = await parts.rows.session({ agentKind: kind, hostSession, subagent: null })
  const usage = readNumber(params, 'usage')
  if (session !== null) {
    session.contextUsage = usage === null ? session.contextUsage : Math.min(1, Math.max(0, usage))
    session.contextWindow = readNumber(params, 'contextWindow') ?? session.contextWindow
    session.cost = readNumber(params, 'cost') ?? session.cost
    parts.rows.changed(session)
  }
  const agentId = readText(params, 'agentId')
  const agent = agentId === null ? null : await parts.rows.agent(parts.cleanName(agentId))
  const effort = parts.rows.effort(session?.effortId ?? agent?.effortId ?? null)
  return {
    guard: pause.current() === null ? guardState(guards, readText(params, 'cwd')) : 'paused',
    effort: effort === null ? null : { id: effort.id, skill: effort.skill, phase: effort.phase },
    heartbeat: effort === null || session === null ? null : { count: session.heartbeat, interval: session.interval },
    approvals: await countApprovals(parts),
  }
}

function guardState(guards: GuardCache, cwd: string | null): LineFacts['guard'] {
  if (cwd === null) return 'none'
  const { loaded } = guards.get(cwd)
  return loaded.locked !== null ? 'broken' : loaded.policies.length > 0 ? 'on' : 'none'
}
