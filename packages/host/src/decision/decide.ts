// The one function every door ends in: a native payload in, the agent's native answer out. Here a call becomes an event: who sent it, in which
// project, under which policy. One decision uses one policy snapshot.
import { type FireOptions, type GuardedCall, type HookEvent, parseEventPayload } from '@belay/core'
import { type Agent, type DecodedEvent, decodeCall, findAgent } from '@belay/core/adapter'
import type { AgentMarks } from '../approval/agent-mark.ts'
import type { AskAnswer } from '../approval/approval-queue.ts'
import { resolveIdentity, startDirectory } from '../guard/identity.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { Binding } from '../state/agent-binding.ts'
import type { WorkCall } from '../state/work-view.ts'
import { hookVariables } from '../wire/hook-variables.ts'
import { answerBadPayload } from './bad-payload.ts'
import { cleanCall, subagentType, withLine } from './call-names.ts'
import type { ComparePolicies } from './compare-policies.ts'
import type { GuardCache } from './guard-cache.ts'
import type { Decide, HookAnswer, HookCall } from './hook-call.ts'
import { createHostSigns, isReallyAttended } from './host-signs.ts'
import { type Identified, identify } from './identify.ts'
import { judgeEvent } from './judge-event.ts'
import type { LateRun } from './late-runs.ts'
import { createOwnLine, type OwnLine } from './own-line.ts'
import { createPassedCalls, isMcpTool, type PassedCalls } from './passed-calls.ts'
import { createRecordQueue, type RecordPort, type RecordQueue } from './record-queue.ts'
import type { RootMirror } from './root-mirror.ts'
import { createSessionRoots, type SessionRoots } from './session-roots.ts'

/** What the daemon knows of the work around a call: state before, changes and context after. */
export interface Work {
  /** Role bound to an agent id. */
  roleOf(agentId: string): Promise<string | null> | string | null
  /** Which agent, in which role, a person gave this secret; null: nobody's. */
  bindingOf(secret: string): Binding | null
  /** What the agent has claimed: the one that is wanted, if it is among these; where none is wanted, the latest. */
  commitmentOf(agentId: string, wanted: string | null): Promise<string | null> | string | null
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
  /** A call was judged: whether it may run, and where the files that it names really are. */
  noteJudged(guarded: GuardedCall): void
  /** A call is over: records that it ran though it was denied, or wrote elsewhere than it was judged to, and says so to the model. */
  checkOver(event: HookEvent, guard: ProjectGuard): readonly string[] | Promise<readonly string[]>
  /** What hooks handed over as evidence is written down; null: they did not. */
  keepEvidence(given: Pick<GuardedCall['fired'], 'event' | 'evidence'>): Promise<void> | null
  /** The verdict that stands in for an ask, by the queue of approvals. */
  answerAsk(asked: AskedCall): Promise<AskAnswer>
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
  readonly rootMirror: RootMirror
  /** What an agent runs is known for its own from the first call of its session on. */
  readonly marks: AgentMarks
  /** A person has switched deciding off: events are recorded, nothing is judged. */
  isPaused(): boolean
  /** A hook that went on after its answer has ended. */
  onLateRun(late: LateRun): void
  /** Where a team rolls out another policy: how that differs, after the answer. */
  compare: ComparePolicies
  /** A hook failed and was let through. */
  onWarning(text: string): void
  /** PATH of the daemon, for agents whose own is not known. */
  readonly path: string | undefined
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
  const roots = createSessionRoots({ rootOf: options.work.rootOf, mirror: options.rootMirror })
  const records = createRecordQueue(options)
  const passed = createPassedCalls(options.now)
  const ownLine = createOwnLine()
  const known = { work: options.work, roots }
  const readSigns = createHostSigns()
  const decide: Decide = given => {
    const cleaned = cleanCall(given, options.cleanName)
    const begunAt = options.now()
    const line = findAgent(cleaned.agent)
    if (line === null) return refuse(`there is no agent called ${cleaned.agent}`)
    const decoded = decodeCall(line, cleaned.event, readSigns(cleaned))
    const { agent } = decoded
    const attended = isReallyAttended(cleaned, decoded)
    const call = attended === cleaned.attended ? cleaned : { ...cleaned, attended }
    const parsed = parseEventPayload(decoded.event, decoded.payload)
    if (!parsed.ok) {
      const { problems } = parsed
      const { now, cleanName } = options
      const observesOnly = (session: string, cwd: string) => mayIgnore(options, roots, { agent, call, session, cwd })
      return answerBadPayload({ decoded, call, problems, begunAt, records, observesOnly, now, cleanName })
    }
    const sessionId = options.cleanName(parsed.value.sessionId)
    const body = sessionId === parsed.value.sessionId ? parsed.value : { ...parsed.value, sessionId }
    const cwd = body.cwd ?? call.cwd ?? '/'
    const read = { options, records, passed, ownLine, begunAt, call, decoded, body, cwd }
    const judge = () => {
      const found = identify(known, call, { agent, sessionId, cwd })
      return found instanceof Promise ? found.then(late => judgeCall(read, late)) : judgeCall(read, found)
    }
    const marked = options.marks.beforeCall(`${agent.id} ${sessionId}`, body.name === 'SessionStart')
    return marked === null ? judge() : marked.then(judge)
  }
  return { decide, settle: records.settle }
}

interface UnreadCall {
  readonly agent: Agent
  readonly call: HookCall
  readonly session: string
  readonly cwd: string
}

/** Whether a call that cannot be read may pass: nothing is decided for its session. */
async function mayIgnore({ isPaused, cleanName, guards }: DecideOptions, roots: SessionRoots, unread: UnreadCall): Promise<boolean> {
  if (isPaused()) return true
  const { agent, call, session, cwd } = unread
  return guards.observesOnly(await roots.fix(agent.id, cleanName(session), startDirectory(call.env, agent.projectVariables, cwd)))
}

interface ReadCall {
  readonly options: DecideOptions
  readonly records: RecordQueue
  readonly passed: PassedCalls
  readonly ownLine: OwnLine
  readonly begunAt: number
  readonly call: HookCall
  readonly decoded: DecodedEvent
  readonly body: Omit<HookEvent, 'cwd' | 'actor' | 'agent' | 'commitment' | 'env'>
  readonly cwd: string
}

function judgeCall(read: ReadCall, { root, caller }: Identified): HookAnswer | Promise<HookAnswer> {
  const { options, records, passed, ownLine, begunAt, call, decoded, body, cwd } = read
  const { agentId, role, commitment } = caller
  const project = options.guards.get(root)
  const { loaded, guard } = project
  const kind = findAgent(call.host ?? '')?.id ?? decoded.agent.id
  const names = withLine(caller, decoded, guard)
  const claims = { agentKind: kind, configured: guard.actorOf(kind), role, names, subagentType: subagentType(body) }
  const { actor, alsoAs, refused } = resolveIdentity(claims, guard.roles)
  const event: HookEvent = {
    name: body.name,
    sessionId: body.sessionId,
    cwd,
    transcriptPath: body.transcriptPath,
    permissionMode: body.permissionMode,
    actor,
    ...(alsoAs.length === 0 ? {} : { alsoAs }),
    agent: decoded.agent.id,
    commitment,
    fields: body.fields,
    env: hookVariables(call.env),
    delivery: { agentId, eventId: call.eventId, root: loaded.root, policyHash: guard.policyHash },
  }
  const work: WorkCall = { event, agentId, root: loaded.root, env: call.env, isNamed: call.agentId !== null, deliveryId: call.eventId }
  const known =
    event.fields.definitionChange === undefined
      ? (passed.answerKnown(decoded, event) ?? ownLine.answerKnown(decoded, event, guard.kindOf))
      : null
  if (known !== null) return known
  const request = {
    options,
    records,
    begunAt,
    project,
    decoded,
    call,
    event,
    work,
    refused,
    enteredGuards: options.guards.findEntered(cwd, project),
  }
  const answer = judgeEvent(request)
  const isFirst = ownLine.isFirst(decoded)
  if (!isMcpTool(event) && !isFirst) return answer
  return Promise.resolve(answer).then(said => {
    if (said.kind !== 'answer' || said.decided === undefined) return said
    passed.note(decoded, said.decided, call.attended)
    if (isFirst) ownLine.note(said.decided)
    return said
  })
}

/** Nothing we could judge: the portable deny. */
function refuse(why: string): HookAnswer {
  return { kind: 'answer', exit: 2, stdout: '', stderr: `Belay: ${why}\n` }
}
