// The one function every door ends in: a native payload in, the agent's native answer out. One decision uses one policy snapshot.
// On disk before the answer: deny, ask, rewrite, evidence, Stop. A plain allow or none is recorded with the next group commit.
import {
  deny,
  type FireOptions,
  fold,
  type GuardedCall,
  type HookEvent,
  type HookResult,
  none,
  parseEventPayload,
  type Verdict,
} from '@belay/core'
import { type Agent, type DecodedEvent, decodeEvent, type Encoded, encodeAnswer, findAgent } from '@belay/core/adapter'
import type { EntryDraft } from '@belay/core/ledger'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { AppendOptions } from '../ledger/open-ledger.ts'
import type { WorkCall } from '../state/work-view.ts'
import { decisionRecord } from './decision-record.ts'
import type { GuardCache, ProjectEntry } from './guard-cache.ts'
import type { Decide, HookAnswer, HookCall } from './hook-call.ts'
import { resolveActor, startDirectory } from './identity.ts'
import { createSessionRoots } from './session-roots.ts'

/** What the daemon knows of the work around a call: state before, changes and context after. */
export interface Work {
  /** Role bound to an agent id. */
  roleOf(agentId: string): Promise<string | null> | string | null
  commitmentOf(agentId: string): Promise<string | null> | string | null
  /** The project a session was in before this daemon started; null: it is new. */
  rootOf(agentKind: string, hostSession: string): Promise<string | null>
  /** State that hooks and conditions read; runs before the hooks. */
  before(call: WorkCall): Promise<FireOptions['metadata']>
  /** Changes state by what happened, and may add text for the model. */
  after(call: WorkCall, guarded: GuardedCall): Promise<readonly string[]>
}

/** What is owed around a call: evidence of what it changes, and a person's answer where it asks. */
export interface Accounts {
  /** Whether the policy requires evidence of this call; what it is about to change is then kept. */
  expectEvidence(event: HookEvent, guard: ProjectGuard): Promise<boolean>
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

export interface DecideOptions {
  readonly guards: GuardCache
  readonly work: Work
  readonly accounts: Accounts
  /** A person has switched deciding off: events are recorded, nothing is judged. */
  isPaused(): boolean
  /** Resolves when the record is on disk; a lazy one is written a moment later, with others. */
  record(draft: EntryDraft, options: AppendOptions): Promise<unknown>
  /** Told of everything, for the live feed. */
  onDecision(draft: EntryDraft): void
  onRecordFailure(error: unknown, draft: EntryDraft): void
  now: () => number
}

const DEADLINE_MARGIN_MS = 50
const GATES = new Set(['PreToolUse', 'PermissionRequest'])

export function createDecide(options: DecideOptions): Decide {
  const roots = createSessionRoots(options.work.rootOf)
  return async call => {
    const agent = findAgent(call.agent)
    if (agent === null) return refuse(`there is no agent called ${call.agent}`)
    const decoded = decodeEvent(agent, call.event, call.payload)
    const parsed = parseEventPayload(decoded.event, decoded.payload)
    if (!parsed.ok)
      return answerBadPayload(decoded, call, parsed.problems.map(problem => `${problem.path} ${problem.message}`.trim()).join('; '))
    const cwd = parsed.value.cwd ?? call.cwd ?? '/'
    const begun = startDirectory(call.env, agent.projectVariables, cwd)
    const project = options.guards.get(await roots.fix(agent.id, parsed.value.sessionId, begun))
    const agentId = call.agentId ?? `${agent.id}:${parsed.value.sessionId}`
    const subagentType =
      typeof parsed.value.fields.agentType === 'string' && parsed.value.fields.agentId !== undefined ? parsed.value.fields.agentType : null
    const actor = resolveActor(
      { actor: call.actor, boundRole: await options.work.roleOf(agentId), subagentType, agentKind: agent.id },
      project.loaded.policies,
    )
    const commitment = call.commitment ?? (await options.work.commitmentOf(agentId))
    const delivery = { agentId, eventId: call.eventId, root: project.loaded.root, policyHash: project.guard.policyHash }
    const event: HookEvent = { ...parsed.value, cwd, actor, agent: agent.id, commitment, env: call.env, delivery }
    return judgeEvent({ options, project, decoded, call, event, agentId, entered: entered(options.guards, project, cwd) })
  }
}

interface Judging {
  readonly options: DecideOptions
  readonly project: ProjectEntry
  readonly decoded: DecodedEvent
  readonly call: HookCall
  readonly event: HookEvent
  readonly agentId: string
  /** The guard of another project the agent has entered since: it can only add rules. */
  readonly entered: ProjectGuard | null
}

async function judgeEvent(judging: Judging): Promise<HookAnswer> {
  const { options, project, decoded, call, event, agentId } = judging
  const startedAt = options.now()
  const work: WorkCall = {
    event,
    agentId,
    root: project.loaded.root,
    env: call.env,
    isNamed: call.agentId !== null,
    deliveryId: call.eventId,
  }
  const metadata = await options.work.before(work)
  const judged = options.isPaused()
    ? undecided(event)
    : tighten(
        await project.guard.guard(event, {
          ...(metadata === undefined ? {} : { metadata }),
          ...(call.deadlineMs === null ? {} : { deadlineMs: call.deadlineMs - DEADLINE_MARGIN_MS }),
        }),
        judging,
      )
  const guarded = await answerAsk(judging, judged, options.now() - startedAt)
  const owesEvidence = await expectEvidence(judging, guarded)
  const added = await options.work.after(work, guarded)
  const answer = encodeAnswer(decoded, resultOf(guarded, added), { attended: call.attended })
  const draft = decisionRecord({
    event,
    decoded,
    guarded,
    answer,
    policyHash: project.guard.policyHash,
    root: project.loaded.root,
    agentId,
    attended: call.attended,
    tookMs: options.now() - startedAt,
    isPaused: options.isPaused(),
  })
  options.onDecision(draft)
  const settled = await settle({ ...judging, owesEvidence }, guarded, answer, draft)
  return {
    ...say(settled.answer),
    decided: { event, guarded: { ...guarded, verdict: settled.verdict }, agentId, metadata: metadata ?? new Map() },
  }
}

async function answerAsk(
  { options, project, decoded, call, agentId }: Judging,
  guarded: GuardedCall,
  tookMs: number,
): Promise<GuardedCall> {
  if (guarded.verdict.decision !== 'ask' || !GATES.has(decoded.event)) return guarded
  const verdict = await options.accounts.answerAsk({
    guarded,
    agent: decoded.agent,
    agentId,
    root: project.loaded.root,
    policyHash: project.guard.policyHash,
    attended: call.attended,
    deadlineMs: call.deadlineMs === null ? null : call.deadlineMs - DEADLINE_MARGIN_MS - tookMs,
  })
  return { ...guarded, verdict }
}

async function expectEvidence({ options, project, event }: Judging, { verdict, fired }: GuardedCall): Promise<boolean> {
  if (event.name !== 'PreToolUse' || verdict.decision === 'deny') return false
  return options.accounts.expectEvidence(fired.event, project.guard)
}

/** Deciding is switched off: no hook ran and no rule was looked at. */
function undecided(event: HookEvent): GuardedCall {
  const report = { runs: [], skipped: [], dropped: [] }
  const quiet = { rewrites: [], context: [], messages: [], evidence: [], stop: null, suppressOutput: false, background: [] }
  return { verdict: none(), judgement: null, fired: { ...quiet, verdict: none(), event, report } }
}

/** Rules of a project entered later hold too, as far as they tighten. */
function tighten(guarded: GuardedCall, { entered: other, event }: Judging): GuardedCall {
  if (other === null || guarded.judgement === null) return guarded
  const { toolName, toolInput } = guarded.fired.event.fields
  const further = other.judge({ tool: String(toolName), input: (toolInput ?? {}) as Record<string, unknown> }, event)
  const firm = further.verdict.decision === 'deny' || (further.verdict.decision === 'ask' && further.verdict.origin !== 'default')
  return firm ? { ...guarded, verdict: fold([guarded.verdict, further.verdict]), judgement: further } : guarded
}

async function settle(
  { options, call, event, decoded, owesEvidence }: Judging & { readonly owesEvidence: boolean },
  guarded: GuardedCall,
  answer: Encoded,
  draft: EntryDraft,
): Promise<{ readonly answer: Encoded; readonly verdict: Verdict }> {
  const seal = event.name === 'SessionEnd'
  const isLazy = !owesEvidence && !mustBeOnDisk(event, guarded)
  const written = options.record(draft, { isLazy, ...(call.eventId === null ? {} : { eventId: call.eventId }), ...(seal ? { seal } : {}) })
  if (isLazy) {
    written.catch(error => options.onRecordFailure(error, draft))
    return { answer, verdict: guarded.verdict }
  }
  try {
    await written
    return { answer, verdict: guarded.verdict }
  } catch (error) {
    options.onRecordFailure(error, draft)
    // The ledger cannot write: a call whose evidence the policy requires is denied, everything else goes on as decided.
    const verdict = owesEvidence ? deny('the record of this call cannot be written, and the policy requires it') : guarded.verdict
    return { answer: encodeAnswer(decoded, { ...resultOf(guarded, []), verdict }, { attended: call.attended }), verdict }
  }
}

function mustBeOnDisk(event: HookEvent, { verdict, fired }: GuardedCall): boolean {
  return (
    verdict.decision === 'deny' ||
    verdict.decision === 'ask' ||
    fired.rewrites.length > 0 ||
    event.name === 'Stop' ||
    event.name === 'SubagentStop'
  )
}

function resultOf({ verdict, fired }: GuardedCall, added: readonly string[]): HookResult {
  const context = [...fired.context, ...added].join('\n')
  return {
    verdict,
    ...(fired.rewrites.length === 0 ? {} : { rewrite: rewriteOf(fired) }),
    ...(context === '' ? {} : { context }),
    ...(fired.messages.length === 0 ? {} : { message: fired.messages.join('\n') }),
    ...(fired.stop === null ? {} : { stop: fired.stop }),
    ...(fired.suppressOutput ? { suppressOutput: true } : {}),
  }
}

/** The last rewrite of each target is what stands. */
function rewriteOf({ rewrites }: GuardedCall['fired']): NonNullable<HookResult['rewrite']> {
  return Object.fromEntries(rewrites.map(({ target, after }) => [target, after]))
}

function say({ stdout, stderr, exitCode }: Encoded): Extract<HookAnswer, { kind: 'answer' }> {
  return { kind: 'answer', exit: exitCode, stdout, stderr }
}

/** Nothing we could judge: the portable deny. */
function refuse(why: string): HookAnswer {
  return { kind: 'answer', exit: 2, stdout: '', stderr: `Belay: ${why}\n` }
}

/** A payload we cannot read before a tool is a call we cannot judge; anywhere else it must not stop the agent. */
function answerBadPayload(decoded: DecodedEvent, call: HookCall, problem: string): HookAnswer {
  const verdict = GATES.has(decoded.event)
    ? deny(`the payload of ${decoded.nativeEvent} is not what ${decoded.agent.name} sends: ${problem}`)
    : none()
  return say(encodeAnswer(decoded, { verdict }, { attended: call.attended }))
}

function entered(guards: GuardCache, project: ProjectEntry, cwd: string): ProjectGuard | null {
  if (cwd === project.loaded.root || cwd.startsWith(`${project.loaded.root}/`)) return null
  const other = guards.get(cwd)
  return other.loaded.root === project.loaded.root ? null : other.guard
}
