// The one function every door ends in: a native payload in, the agent's native answer out. Here a call becomes an event: who sent it, in which
// project, under which policy. One decision uses one policy snapshot.
import { type FireOptions, type GuardedCall, type HookEvent, parseEventPayload, type Verdict } from '@belay/core'
import { type Agent, type DecodedEvent, decodeEvent, findAgent } from '@belay/core/adapter'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { whenReady } from '../state/when-ready.ts'
import type { WorkCall } from '../state/work-view.ts'
import { answerBadPayload } from './bad-payload.ts'
import type { GuardCache, ProjectEntry } from './guard-cache.ts'
import type { Decide, HookAnswer, HookCall } from './hook-call.ts'
import { resolveActor, startDirectory } from './identity.ts'
import { judgeEvent } from './judge-event.ts'
import { createLateRecords, type LateRecords, type RecordPort } from './late-records.ts'
import { createPassedCalls, isMcpTool, type PassedCalls } from './passed-calls.ts'
import { createSessionRoots } from './session-roots.ts'

/** What the daemon knows of the work around a call: state before, changes and context after. */
export interface Work {
  /** Role bound to an agent id. */
  roleOf(agentId: string): Promise<string | null> | string | null
  commitmentOf(agentId: string): Promise<string | null> | string | null
  /** The project a session was in before this daemon started; null: it is new. */
  rootOf(agentKind: string, hostSession: string): Promise<string | null>
  /** State that hooks and conditions read; runs before the hooks. */
  before(call: WorkCall): FireOptions['metadata'] | Promise<FireOptions['metadata']>
  /** Changes state by what happened, and may add text for the model; `metadata` is what `before` gave. */
  after(metadata: FireOptions['metadata'], guarded: GuardedCall): readonly string[] | Promise<readonly string[]>
}

/** What is owed around a call: evidence of what it changes, and a person's answer where it asks. */
export interface Accounts {
  /** Whether the policy requires evidence of this call; what it is about to change is then kept. */
  expectEvidence(event: HookEvent, guard: ProjectGuard): boolean | Promise<boolean>
  /** The verdict that stands in for an ask, by the queue of approvals. */
  answerAsk(asked: AskedCall): Promise<Verdict>
}

export interface AskedCall {
  readonly guarded: GuardedCall
  readonly agent: Agent
  readonly agentId: string
  readonly root: string
  readonly policyHash: string | null
  readonly attended: boolean
  /** What is left of the agent's own time limit; null: unknown. */
  readonly deadlineMs: number | null
}

export interface DecideOptions extends RecordPort {
  readonly guards: GuardCache
  readonly work: Work
  readonly accounts: Accounts
  /** A person has switched deciding off: events are recorded, nothing is judged. */
  isPaused(): boolean
  /** Names become keys of rows: what a secret in one is replaced by. */
  cleanName(name: string): string
  now: () => number
}

export interface Decider {
  readonly decide: Decide
  /** Resolves when every answer that was given is on disk, or was reported. */
  settle(): Promise<void>
}

export function createDecide(options: DecideOptions): Decider {
  const roots = createSessionRoots(options.work.rootOf)
  const records = createLateRecords(options)
  const passed = createPassedCalls(options.now)
  const decide: Decide = given => {
    const call = cleanCall(given, options.cleanName)
    const begunAt = options.now()
    const agent = findAgent(call.agent)
    if (agent === null) return refuse(`there is no agent called ${call.agent}`)
    const decoded = decodeEvent(agent, call.event, call.payload)
    const parsed = parseEventPayload(decoded.event, decoded.payload)
    if (!parsed.ok) {
      const { problems } = parsed
      const { now, cleanName, guards } = options
      const observesOnly = (session: string, cwd: string) =>
        options.isPaused() ||
        whenReady(roots.fix(agent.id, cleanName(session), startDirectory(call.env, agent.projectVariables, cwd)), guards.observesOnly)
      return answerBadPayload({ decoded, call, problems, begunAt, records, observesOnly, now, cleanName })
    }
    const sessionId = options.cleanName(parsed.value.sessionId)
    const body = sessionId === parsed.value.sessionId ? parsed.value : { ...parsed.value, sessionId }
    const cwd = body.cwd ?? call.cwd ?? '/'
    const agentId = call.agentId ?? `${agent.id}:${body.sessionId}`
    const begun = startDirectory(call.env, agent.projectVariables, cwd)
    return whenReady(roots.fix(agent.id, body.sessionId, begun), root =>
      whenReady(options.work.roleOf(agentId), role =>
        whenReady(call.commitment ?? options.work.commitmentOf(agentId), commitment =>
          judgeCall({ options, records, passed, begunAt, call, decoded, body, cwd, agentId, role, commitment }, options.guards.get(root)),
        ),
      ),
    )
  }
  return { decide, settle: records.settle }
}

function cleanCall(given: HookCall, cleanName: DecideOptions['cleanName']): HookCall {
  const event = cleanName(given.event)
  const call = event === given.event ? given : { ...given, event }
  if (call.agentId === null && call.actor === null && call.commitment === null) return call
  const clean = (name: string | null): string | null => (name === null ? null : cleanName(name))
  const [agentId, actor, commitment] = [clean(call.agentId), clean(call.actor), clean(call.commitment)]
  const isClean = agentId === call.agentId && actor === call.actor && commitment === call.commitment
  return isClean ? call : { ...call, agentId, actor, commitment }
}

interface ReadCall {
  readonly options: DecideOptions
  readonly records: LateRecords
  readonly passed: PassedCalls
  readonly begunAt: number
  readonly call: HookCall
  readonly decoded: DecodedEvent
  readonly body: Omit<HookEvent, 'cwd' | 'actor' | 'agent' | 'commitment' | 'env'>
  readonly cwd: string
  readonly agentId: string
  readonly role: string | null
  readonly commitment: string | null
}

function judgeCall(read: ReadCall, project: ProjectEntry): HookAnswer | Promise<HookAnswer> {
  const { options, records, passed, begunAt, call, decoded, body, cwd, agentId, role, commitment } = read
  const { loaded, guard } = project
  const event: HookEvent = {
    name: body.name,
    sessionId: body.sessionId,
    cwd,
    transcriptPath: body.transcriptPath,
    permissionMode: body.permissionMode,
    actor: resolveActor(
      {
        actor: call.actor,
        boundRole: role,
        subagentType: subagentType(body),
        configured: guard.actorOf(decoded.agent.id),
        agentKind: decoded.agent.id,
      },
      loaded.policies,
    ),
    agent: decoded.agent.id,
    commitment,
    fields: body.fields,
    env: call.env,
    delivery: { agentId, eventId: call.eventId, root: loaded.root, policyHash: guard.policyHash },
  }
  const work: WorkCall = { event, agentId, root: loaded.root, env: call.env, isNamed: call.agentId !== null, deliveryId: call.eventId }
  const known = passed.answerKnown(decoded, event)
  if (known !== null) return known
  const request = { options, records, begunAt, project, decoded, call, event, work, entered: entered(options.guards, project, cwd) }
  if (!isMcpTool(event)) return judgeEvent(request)
  return whenReady(judgeEvent(request), answer => {
    if (answer.kind === 'answer' && answer.decided !== undefined) passed.note(decoded, answer.decided, call.attended)
    return answer
  })
}

function subagentType({ fields }: ReadCall['body']): string | null {
  return typeof fields.agentType === 'string' && fields.agentId !== undefined ? fields.agentType : null
}

/** Nothing we could judge: the portable deny. */
function refuse(why: string): HookAnswer {
  return { kind: 'answer', exit: 2, stdout: '', stderr: `Belay: ${why}\n` }
}

/** The guard of another project the agent has entered since: it can only add rules. */
function entered(guards: GuardCache, project: ProjectEntry, cwd: string): ProjectGuard | null {
  const { root } = project.loaded
  if (cwd === root || cwd.startsWith(`${root}/`)) return null
  const other = guards.get(cwd)
  return other.loaded.root === root ? null : other.guard
}
