// belay fleet --team: agents and efforts of all machines of the team, as the hub knows them, each machine with the age of what it said.
import { errorText, isObject } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { type FleetAgent, isStale, sortFleet } from '../fleet/fleet-agent.ts'
import { formatAge, renderFleet } from '../fleet/render-fleet.ts'
import type { AgentStatus } from '../store/table/work.ts'
import { sayRefused } from '../team/hub-client.ts'
import { createHubSession } from '../team/hub-session.ts'
import { readMembership } from '../team/membership.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { visibleText } from '../terminal/visible.ts'
import { NO_TEAM } from './hub-token.ts'

export interface FleetTeamOptions {
  readonly json?: boolean
  readonly watch?: boolean
}

const ANSWER_MS = 30_000
const ENDLESS = 100_000
const STATUSES: readonly unknown[] = ['error', 'attention', 'working', 'checked', 'done'] satisfies readonly AgentStatus[]

/** What the hub says of one machine. */
interface TeamMachine {
  readonly machine: string
  readonly name: string
  readonly lastSeen: string | null
  readonly agents: readonly FleetAgent[]
  readonly efforts: readonly TeamEffort[]
}

interface TeamEffort {
  readonly effort: string
  readonly title: string
  readonly phase: string
  readonly isOffered: boolean
  readonly takenBy: string | null
}

export async function runFleetTeam({ json, watch }: FleetTeamOptions, io: CommandIo): Promise<ExitCode> {
  if (watch === true) return fail(io, '--team shows the fleet once', "the hub's page shows it live")
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) return fail(io, NO_TEAM)
  const ask = createHubSession(home, membership, AbortSignal.timeout(ANSWER_MS))
  const answer = await ask('GET /v1/team/fleet').catch(error => `the hub at ${membership.url} does not answer: ${errorText(error)}`)
  if (typeof answer === 'string') return fail(io, answer)
  if (answer.status !== 200 || !Array.isArray(answer.body.machines)) return fail(io, sayRefused(answer))
  const nowMs = Date.now()
  const machines = answer.body.machines.filter(isObject).map(machine => readMachine(machine, nowMs))
  if (json === true) printJson(io, machines)
  else printLine(io.stdout, machines.flatMap(machine => describe(machine, { nowMs, own: membership.machine, io })).join('\n'))
  return 0
}

interface Shown {
  readonly nowMs: number
  readonly own: string
  readonly io: CommandIo
}

function describe({ machine, name, lastSeen, agents, efforts }: TeamMachine, { nowMs, own, io }: Shown): readonly string[] {
  const seen = lastSeen === null ? 'never heard of' : `heard of ${formatAge(nowMs - Date.parse(lastSeen))} ago`
  const head = `${visibleText(name)} (${machine === own ? 'this machine' : machine}, ${seen})`
  const width = io.isTty ? (process.stdout.columns ?? ENDLESS) : ENDLESS
  const table = renderFleet(agents, { nowMs, width, selected: null, paint: (tone, text) => paint(io, tone, text) })
  return [paint(io, 'bold', head), ...(agents.length === 0 ? ['no agents'] : table), ...efforts.map(describeEffort), '']
}

function describeEffort({ effort, title, phase, isOffered, takenBy }: TeamEffort): string {
  const how = takenBy !== null ? `taken by ${takenBy}` : isOffered ? `handed over: belay effort take ${effort}` : 'its agent is at work'
  return visibleText(`effort ${effort}  ${title}  ${phase}  ${how}`)
}

function readMachine(value: Readonly<Record<string, unknown>>, nowMs: number): TeamMachine {
  const agents = (Array.isArray(value.agents) ? value.agents : []).filter(isObject).map(row => readAgent(row, nowMs))
  const efforts = (Array.isArray(value.efforts) ? value.efforts : []).filter(isObject).map(row => ({
    effort: textOf(row.effort) ?? '-',
    title: textOf(row.title) ?? '-',
    phase: textOf(row.phase) ?? '-',
    isOffered: row.isOffered === true,
    takenBy: textOf(row.takenBy),
  }))
  return {
    machine: textOf(value.machine) ?? '-',
    name: textOf(value.name) ?? '-',
    lastSeen: textOf(value.lastSeen),
    agents: sortFleet(agents),
    efforts,
  }
}

/** As its machine keeps it. */
function readAgent(row: Readonly<Record<string, unknown>>, nowMs: number): FleetAgent {
  const status = (STATUSES.includes(row.status) ? row.status : 'done') as AgentStatus
  const lastEventAt = textOf(row.last_event_at) ?? new Date(0).toISOString()
  return {
    agent: textOf(row.agent) ?? '-',
    label: textOf(row.label),
    role: textOf(row.role),
    kind: textOf(row.agent_kind),
    status,
    reason: textOf(row.status_reason),
    project: textOf(row.project_root),
    task: textOf(row.task),
    effortId: numberOf(row.effort_id),
    skill: textOf(row.skill),
    phase: textOf(row.phase),
    heartbeat: numberOf(row.heartbeat),
    heartbeatInterval: numberOf(row.heartbeat_interval),
    context: numberOf(row.context),
    lastTool: null,
    runsSince: null,
    asked: null,
    said: null,
    lastCall: null,
    approvals: numberOf(row.waiting) ?? 0,
    lastEventAt,
    stale: isStale({ status, hasEnded: false, lastEventAt, lastHeartbeat: null }, nowMs),
  }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
