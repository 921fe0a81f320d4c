// What the Node shim does when there is no daemon: judges in this process by the same files as the daemon, with what it mirrored of roles,
// sessions, work and claims, and spools what happened. Hooks that need the daemon's stores count as failed, by their `fail`. Everything that
// goes wrong before a tool is a refusal; what cannot be known makes every other answer a question.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  ask,
  type BuiltinPorts,
  createBegunCalls,
  endOf,
  type GuardedCall,
  gateOf,
  type HookEvent,
  type HookResult,
  type HookRun,
  none,
  parseEventPayload,
} from '@belay/core'
import { type Agent, type DecodedEvent, decodeCall, type Encoded, encodeAnswer, findAgent, refusesOnFailure } from '@belay/core/adapter'
import { markCaller } from '../approval/agent-mark.ts'
import { boundCall } from '../approval/bound-call.ts'
import { spoolAsk } from '../approval/spooled-ask.ts'
import { ownCommand } from '../config/own-command.ts'
import { cleanCall, subagentType, withLine } from '../decision/call-names.ts'
import { decisionRecord } from '../decision/decision-record.ts'
import type { ProjectEntry } from '../decision/guard-cache.ts'
import { createHostSigns, isReallyAttended } from '../decision/host-signs.ts'
import { callerOf } from '../decision/identify.ts'
import { recordLateRuns } from '../decision/late-runs.ts'
import { readerCommand } from '../decision/reader-command.ts'
import { beginAlone } from '../decision/root-mirror.ts'
import { type SpooledCall, type SpooledEvent, spoolEvent } from '../decision/spool.ts'
import type { EvidenceOptions } from '../evidence/evidence-port.ts'
import { guardEvent } from '../guard/guard-event.ts'
import { resolveIdentity, startDirectory } from '../guard/identity.ts'
import { nameInResult } from '../guard/name-in-result.ts'
import { signDenial } from '../guard/sign-denial.ts'
import { whyUnread } from '../guard/why-unread.ts'
import { createNameCleaner } from '../ledger/clean-name.ts'
import { workAround } from '../state/work-view.ts'
import { hookVariables } from '../wire/hook-variables.ts'
import { parseShimFrame, type ShimFrame } from '../wire/shim-frame.ts'
import { type KnownAlone, readKnown } from './known-alone.ts'
import { openScene, type Scene, type ScenePlace } from './scene-alone.ts'
import { viewAlone } from './work-alone.ts'

export interface AloneOptions extends ScenePlace {
  readonly deadlineMs: number
  /** Why the daemon's socket was not used, where it is not ours; null: it is. */
  readonly socketProblem?: string | null
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** `given.agent` is who the hook line names; from here on it is the host that called. */
export async function judgeAlone(line: string, given: AloneOptions): Promise<Encoded> {
  const parsed = parseShimFrame(line)
  if (!parsed.ok) return refusal(`the payload cannot be read: ${parsed.problem}`, given.agent, ownCommand(given.env.PATH))
  const cleanName = createNameCleaner(text => String(given.redact({ text }).text))
  const cleaned = cleanCall(parsed.frame, cleanName)
  const decoded = decodeCall(given.agent, cleaned.event, createHostSigns()(cleaned))
  const { agent } = decoded
  const options = { ...given, agent }
  const frame = { ...cleaned, attended: isReallyAttended(cleaned, decoded) }
  const body = parseEventPayload(decoded.event, decoded.payload)
  const scene = openScene(options, { cleanName, ports: await portsFor(decoded.event, options) })
  if (body.ok) {
    const read = { ...body.value, sessionId: cleanName(body.value.sessionId), cwd: body.value.cwd ?? frame.cwd ?? '/' }
    return judgeRead({ options, scene, frame, decoded, read })
  }
  const { cwd = frame.cwd, session_id: session } = decoded.payload
  // Where it cannot be told which policy holds, one may.
  const isTold = typeof cwd === 'string' && typeof session === 'string'
  const isIdle = isTold && scene.isIdle(cleanName(session), beginning(options, frame, cwd))
  return isIdle || !refusesOnFailure(decoded.event)
    ? silence()
    : refusal(whyUnread(decoded, body.problems), agent, readerCommand(frame, options.env.PATH))
}

interface ReadCall {
  readonly options: AloneOptions
  readonly scene: Scene
  readonly frame: ShimFrame
  readonly decoded: DecodedEvent
  readonly read: Omit<HookEvent, 'actor' | 'agent' | 'commitment' | 'env'>
}

async function judgeRead(call: ReadCall): Promise<Encoded> {
  const { options, scene, frame, decoded, read } = call
  const marking = markCaller()
  const { known, project } = findProject(call)
  const { event, refused, agentId } = findEvent(call, known, project)
  const { root } = project.loaded
  const work = { event, agentId, isNamed: frame.agentId !== null, root, env: frame.env, deliveryId: frame.eventId }
  const metadata = scene.enter(known, await viewAlone(scene.parts, known.work, work))
  const begunAt = performance.now()
  const guards = { guard: project.guard, enteredGuards: scene.guards.findEntered(read.cwd, project) }
  const during = workAround(metadata)
  const judged = await guardEvent(guards, event, { deadlineMs: options.deadlineMs, metadata, ...(during === null ? {} : { during }) })
  const unknown = scene.problem ?? known.unknown
  const { socketProblem = null } = options
  const guarded = gateOf(event.name) === 'tool' ? asFarAsKnown(judged, unknown) : judged
  await keepEvidence(options, guarded.fired)
  followLate(options, guarded.fired)
  const { attended, eventId } = frame
  const findCommand = () => readerCommand(frame, options.env.PATH)
  const result = nameInResult(resultOf(event, guarded, unknown ?? socketProblem), event, findCommand)
  const answer = encodeAnswer(decoded, result, { attended, findCommand, signature: () => signDenial(event.actor, guarded, findCommand()) })
  const draft = decisionRecord({
    ...{ event, decoded, guarded, answer, root, agentId, refused, attended },
    policyHash: project.guard.policyHash,
    changes: project.sources.changes,
    tookMs: performance.now() - begunAt,
  })
  // Where the agent asks its own user, nobody else is asked.
  const isNative = options.agent.can.ask && attended
  const { home, redact } = options
  const asked =
    gateOf(event.name) === 'tool' && !isNative
      ? spoolAsk(guarded, { home, expiryMs: scene.expiryMs, bound: boundCall(guarded.fired.event), redact })
      : null
  const said = { ...(unknown === null ? {} : { unknown }), ...(socketProblem === null ? {} : { socket: socketProblem }) }
  spool(options, {
    draft: { ...draft, body: { ...draft.body, ...said } },
    call: { happenedAt: Date.now(), transcriptPath: read.transcriptPath, env: frame.env },
    ...(eventId === null ? {} : { eventId }),
    ...(asked === null ? {} : { asked }),
  })
  await marking
  return answer
}

/** The project that the session began in; one that begins now is fixed. */
function findProject({ options, scene, frame, read }: ReadCall): { readonly known: KnownAlone; readonly project: ProjectEntry } {
  const { home, agent } = options
  const known = readKnown(home, agent.id, read.sessionId)
  const root = known.root ?? beginning(options, frame, read.cwd)
  if (known.root === null && known.unknown === null) beginAlone(home, { agentKind: agent.id, session: read.sessionId, root })
  return { known, project: scene.guards.get(root) }
}

/** Who calls, as the daemon would find out. */
function findEvent({ options, frame, decoded, read }: ReadCall, { roles, claims }: KnownAlone, { guard, loaded }: ProjectEntry) {
  const { agent } = options
  const binding = frame.secret === null ? null : roles.bindingOf(frame.secret)
  const agentId = binding?.agentId ?? frame.agentId ?? `${agent.id}:${read.sessionId}`
  const known = { agentId, binding, role: roles.roleOf(agentId), commitment: claims.commitmentOf(agentId, frame.commitment) }
  const agentKind = findAgent(frame.host ?? '')?.id ?? agent.id
  const caller = callerOf(frame, known)
  const { role, commitment } = caller
  const names = withLine(caller, decoded, guard)
  const claimed = { agentKind, configured: guard.actorOf(agentKind), role, names, subagentType: subagentType(read) }
  const { actor, alsoAs, refused } = resolveIdentity(claimed, guard.roles)
  const event: HookEvent = {
    ...read,
    actor,
    ...(alsoAs.length === 0 ? {} : { alsoAs }),
    agent: agent.id,
    commitment,
    env: hookVariables(frame.env),
    delivery: { agentId, eventId: frame.eventId, root: loaded.root, policyHash: guard.policyHash },
  }
  return { event, refused, agentId }
}

function beginning({ agent }: AloneOptions, { env }: ShimFrame, cwd: string): string {
  return startDirectory(env, agent.projectVariables, cwd)
}

/** What the daemon would have known may be stricter: nothing passes unseen. */
function asFarAsKnown(guarded: GuardedCall, unknown: string | null): GuardedCall {
  const { verdict } = guarded
  const isFirm = verdict.decision === 'deny' || (verdict.decision === 'ask' && verdict.origin !== 'default')
  if (unknown === null || isFirm) return guarded
  return { ...guarded, verdict: ask(`the daemon is away, and what it knew cannot be verified (${unknown}); a person can run \`belay up\``) }
}

async function portsFor(event: string, options: AloneOptions): Promise<BuiltinPorts> {
  const redactText = (text: string): string => String(options.redact({ text }).text)
  return { redactText, ...(endOf(event) === 'tool' ? await spoolPorts(options) : {}) }
}

/** What a finished call did is known now and not later: its evidence waits in the spool for the daemon. */
async function spoolPorts(options: AloneOptions): Promise<BuiltinPorts> {
  const { createAnnotator, createEvidenceSink } = await import('../evidence/evidence-port.ts')
  const append = appendToSpool(options)
  return {
    evidence: createEvidenceSink({ calls: createBegunCalls(() => performance.now()), append, onEvidence: () => undefined }),
    annotator: createAnnotator({ append }),
  }
}

/** What hooks handed over as evidence waits beside the event. */
async function keepEvidence(options: AloneOptions, fired: Pick<Fired, 'event' | 'evidence'>): Promise<void> {
  if (fired.evidence.length === 0) return
  const { keepHookEvidence } = await import('../evidence/hook-evidence.ts')
  await keepHookEvidence(fired, { append: appendToSpool(options), onEvidence: () => undefined })
}

type Fired = GuardedCall['fired']

/** How hooks that nobody waits for end waits beside the event too; this process lasts until they have. */
function followLate(options: AloneOptions, { event, background }: Fired): void {
  const warn = (error: unknown): void => void process.stderr.write(`Belay: how a hook ended could not be kept: ${String(error)}\n`)
  const append = appendToSpool(options)
  const record = recordLateRuns({ append: draft => append(draft, {}), count: () => undefined, onFailure: warn })
  for (const end of background) {
    const keep = (run: HookRun): Promise<void> | undefined => {
      record({ event, run })
      return run.evidence === undefined ? undefined : keepEvidence(options, { event, evidence: [run.evidence] })
    }
    void end.then(keep).catch(warn)
  }
}

function appendToSpool(options: AloneOptions): EvidenceOptions['append'] {
  return async (draft, known) => {
    spool(options, { draft, ...known })
    return { id: 'the spool' }
  }
}

function spool({ home, redact }: AloneOptions, { draft, eventId = randomUUID(), ...more }: Spooling): void {
  const clean = (text: string): string => String(redact({ text }).text)
  const body = redact({ ...draft.body, daemon: 'down' })
  const session = draft.session === null ? null : clean(draft.session)
  const call = more.call === undefined ? {} : { call: redact({ ...more.call }) as unknown as SpooledCall }
  const asked = more.asked === undefined ? {} : { asked: more.asked }
  const event = { eventId: clean(eventId), draft: { ...draft, actor: clean(draft.actor), session, body }, ...call, ...asked }
  spoolEvent(join(home, 'spool'), event, more.call?.happenedAt ?? Date.now())
}

type Spooling = Omit<SpooledEvent, 'eventId'> & Partial<Pick<SpooledEvent, 'eventId'>>

/** Semantics 6: after the fact and at a stop the agent goes on; a session that begins unguarded says so. */
function resultOf(event: HookEvent, { verdict, fired }: GuardedCall, problem: string | null): HookResult {
  const rewrite = Object.fromEntries(fired.rewrites.map(({ target, after }) => [target, after]))
  const context = fired.context.join('\n')
  const warning =
    event.name === 'SessionStart'
      ? `Belay: the daemon is not running; this session is judged without it until it is back (belay up)${problem === null ? '' : `: ${problem}`}`
      : null
  const messages = [...(warning === null ? [] : [warning]), ...fired.messages]
  return {
    verdict: gateOf(event.name) === null ? none() : verdict,
    ...(fired.rewrites.length === 0 ? {} : { rewrite }),
    ...(context === '' ? {} : { context }),
    ...(messages.length === 0 ? {} : { message: messages.join('\n') }),
    ...(fired.stop === null ? {} : { stop: fired.stop }),
  }
}

/** The portable deny. What was sent may be anything: it stays on one line. */
function refusal(why: string, { id }: Agent, command: string): Encoded {
  const text = why.replace(/\p{Cc}+/gu, ' ')
  return { stdout: '', stderr: `Tool denied: ${text}; a person can run \`${command} doctor ${id}\`\n`, exitCode: 2, degraded: [] }
}

function silence(): Encoded {
  return { stdout: '', stderr: '', exitCode: 0, degraded: [] }
}
