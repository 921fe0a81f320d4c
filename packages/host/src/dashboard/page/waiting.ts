// Who waits for a person, and how the agents stand: calls that are held or were refused for want of an answer, gates of commitments, and
// agents that ask in their own window.

import type { ApprovalRequest } from '../../approval/request.ts'
import { isDoctors } from '../../fleet/doctor-name.ts'
import type { Waiting } from '../../page/overview.ts'
import { mainText } from '../../statistic/record-row.ts'
import type { PageParts } from './page-parts.ts'

interface StandingAgent {
  readonly agent: string
  readonly status: string
  readonly reason: string | null
  readonly project: string | null
  readonly waiting: number
  readonly lastEventAt: string
}

const MAX_AGENTS = 5000
const MAX_WAITING = 50
/** What fits on the line of a phone and is read before it is decided. */
const WHOLE_CHARACTERS = 160

export async function listAgents({ state: { parts } }: PageParts): Promise<readonly StandingAgent[]> {
  await parts.rows.flush()
  const rows = await parts.store.db
    .selectFrom('fleet_status')
    .select(['agent', 'status', 'status_reason', 'project_root', 'waiting', 'last_event_at'])
    .orderBy('last_event_at', 'desc')
    .limit(MAX_AGENTS)
    .execute()
  const shown = rows.filter(row => row.waiting > 0 || !isDoctors(row.agent, row.last_event_at))
  return shown.map(row => ({
    agent: row.agent,
    status: row.status,
    reason: row.status_reason,
    project: row.project_root,
    waiting: row.waiting,
    lastEventAt: row.last_event_at,
  }))
}

/** Who waits for a decision is counted as that alone. */
export function countAgents(agents: readonly StandingAgent[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status, waiting } of agents) {
    const name = waiting > 0 ? 'waits' : status
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export function listWaiting({ approvals, heldUntil }: PageParts, agents: readonly StandingAgent[]): readonly Waiting[] {
  const asked = approvals.pending().map(request => waitingOf(request, heldUntil(request.id)))
  const asking = agents.filter(({ status, waiting }) => status === 'attention' && waiting === 0).map(askingOf)
  return [...asked, ...asking].sort((a, b) => endOf(a) - endOf(b) || a.since.localeCompare(b.since)).slice(0, MAX_WAITING)
}

function waitingOf(request: ApprovalRequest, until: number | null): Waiting {
  const { id, agentId, actor, root, tool, input, reason, kind, commitment, createdAt, expiresAt } = request
  const isGate = kind === 'gate'
  const line = isGate ? `${commitment ?? 'a commitment'}: ${reason}` : mainText(input)
  return {
    request: id,
    agentId,
    actor,
    project: root,
    tool,
    summary: line.length <= WHOLE_CHARACTERS ? line : `${line.slice(0, WHOLE_CHARACTERS - 1)}…`,
    isWhole: isGate ? line.length <= WHOLE_CHARACTERS : isWhole(input, line),
    since: createdAt,
    heldUntil: until === null ? null : new Date(until).toISOString(),
    expiresAt,
    kind: isGate ? 'gate' : until === null ? 'refused' : 'held',
  }
}

/** Fields that change nothing of what happens. */
const REMARKS: ReadonlySet<string> = new Set(['description', 'timeout'])

function isWhole(input: ApprovalRequest['input'], line: string): boolean {
  const said = Object.entries(input).filter(([name]) => !REMARKS.has(name))
  return said.length === 1 && said[0]?.[1] === line && line.length <= WHOLE_CHARACTERS && !/[\r\n]/.test(line)
}

function askingOf({ agent, reason, project, lastEventAt }: StandingAgent): Waiting {
  return {
    request: null,
    agentId: agent,
    actor: null,
    project,
    tool: null,
    summary: reason ?? 'wants your attention',
    isWhole: false,
    since: lastEventAt,
    heldUntil: null,
    expiresAt: null,
    kind: 'asks',
  }
}

/** An agent that is held has seconds, what was refused has minutes, a window has all the time. */
function endOf({ heldUntil, expiresAt, kind }: Waiting): number {
  if (heldUntil !== null) return Date.parse(heldUntil)
  return kind === 'asks' || expiresAt === null ? Number.MAX_SAFE_INTEGER : Date.parse(expiresAt)
}
