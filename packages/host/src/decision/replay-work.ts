// What a spooled event still changes in the state of the work: who is there, how it fares, what it counts. What belonged to its moment is
// over: no text is handed to a model, no agent is started anew.
import type { HookEvent, Verdict } from '@belay/core'
import { createWork } from '../state/create-work.ts'
import { createRuns } from '../state/run.ts'
import type { WorkParts } from '../state/work-parts.ts'
import type { SpooledEvent } from './spool.ts'
import { readSpooledCall } from './spooled-call.ts'

/** One at a time, in the order of the events. */
export function createWorkReplay(parts: WorkParts): (event: SpooledEvent) => Promise<void> {
  let happenedAt = 0
  let isLate = false
  const work = createWork({
    ...parts,
    // Nobody is supervised here, so nobody is restarted.
    runs: createRuns(),
    now: () => happenedAt,
    publish: (type, data) => {
      if (!isLate) parts.publish(type, data)
    },
  })

  return async ({ draft, call }) => {
    const read = call === undefined ? null : readSpooledCall(draft, call)
    if (read === null || call === undefined) return
    const { workCall, verdict } = read
    happenedAt = call.happenedAt
    isLate = await isHeardSince(parts, workCall.agentId, happenedAt)
    const agent = await parts.rows.agent(workCall.agentId)
    const { status, statusReason, lastEventAt } = agent
    if (isLate && (await hasWindow(parts, workCall.event))) return
    const metadata = await work.before(workCall)
    await work.after(metadata, guarded(workCall.event, verdict))
    // The agent has been heard of since: that is how it fares.
    if (isLate) Object.assign(agent, { status, statusReason, lastEventAt })
    parts.rows.changed(agent)
  }
}

async function isHeardSince({ rows, store }: WorkParts, agentId: string, happenedAt: number): Promise<boolean> {
  await rows.flush()
  const row = await store.db.selectFrom('agents').select('last_event_at').where('id', '=', agentId).executeTakeFirst()
  return row !== undefined && Date.parse(row.last_event_at) > happenedAt
}

/** A window that begins has been opened already, by an event that came behind it. */
async function hasWindow({ rows }: WorkParts, { name, agent, sessionId }: HookEvent): Promise<boolean> {
  return name === 'SessionStart' && (await rows.session({ agentKind: agent, hostSession: sessionId, subagent: null })) !== null
}

function guarded(event: HookEvent, verdict: Verdict): Parameters<ReturnType<typeof createWork>['after']>[1] {
  const report = { runs: [], skipped: [], dropped: [] }
  const quiet = { rewrites: [], context: [], messages: [], evidence: [], stop: null, suppressOutput: false, background: [] }
  return { verdict, judgement: null, fired: { ...quiet, verdict, event, report } }
}
