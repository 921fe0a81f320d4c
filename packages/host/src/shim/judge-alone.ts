// What the Node shim does when there is no daemon: judges the static policy in this process and spools what happened. Hooks that need the
// daemon's stores count as failed, by their `fail`. Everything that goes wrong before a tool is a refusal.
import { randomUUID } from 'node:crypto'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type BuiltinPorts, type GuardedCall, type HookEvent, type HookResult, none, parseEventPayload } from '@belay/core'
import { type Agent, decodeEvent, type Encoded, encodeAnswer } from '@belay/core/adapter'
import type { EntryDraft } from '@belay/core/ledger'
import { createFileView } from '@belay/core/match'
import { readConfig } from '../config/config-file.ts'
import { type LoadedPolicies, loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { homePaths } from '../config/home.ts'
import { activeFileHooks } from '../config/project-hooks.ts'
import { decisionRecord } from '../daemon/decision-record.ts'
import { resolveActor, startDirectory } from '../daemon/identity.ts'
import { whyUnread } from '../daemon/why-unread.ts'
import { createProjectGuard, observesOnly } from '../guard/project-guard.ts'
import { parseShimFrame, type ShimFrame } from '../wire/shim-frame.ts'
import { type SpooledCall, type SpooledEvent, spoolEvent } from './spool.ts'

export interface AloneOptions {
  readonly agent: Agent
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly deadlineMs: number
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

const GATES = new Set(['PreToolUse', 'PermissionRequest'])
const FINISHED = new Set(['PostToolUse', 'PostToolUseFailure'])

export async function judgeAlone(line: string, options: AloneOptions): Promise<Encoded> {
  const parsed = parseShimFrame(line)
  if (!parsed.ok) return refusal(`the payload cannot be read: ${parsed.problem}`, options.agent)
  const { frame } = parsed
  const decoded = decodeEvent(options.agent, frame.event, frame.payload)
  const body = parseEventPayload(decoded.event, decoded.payload)
  const load = (directory: string): LoadedPolicies =>
    loadPolicies({
      cwd: startDirectory(frame.env, options.agent.projectVariables, directory),
      home: options.home,
      etc: options.etc,
      checks: genesisChecks,
    })
  if (!body.ok) {
    const { cwd = frame.cwd } = decoded.payload
    // Where it cannot be told which policy holds, one may.
    const loaded = typeof cwd === 'string' ? load(cwd) : null
    const isIdle = loaded !== null && observesOnly(loaded, fileHooks(loaded, options))
    return isIdle || !GATES.has(decoded.event) ? silence() : refusal(whyUnread(decoded, body.problems), options.agent)
  }
  const cwd = body.value.cwd ?? frame.cwd ?? '/'
  const loaded = load(cwd)
  const config = readConfig(homePaths(options.home).config)
  const { hooks: settings = {}, agents = {}, httpHooks } = config.ok ? config.config : {}
  const guard = createProjectGuard({
    loaded,
    settings,
    agents,
    belayHome: options.home,
    userHome: options.env.HOME ?? homedir(),
    files: createFileView(),
    hooks: fileHooks(loaded, options),
    handler: { env: options.env, ...(httpHooks?.allow === undefined ? {} : { allowPrivate: httpHooks.allow }) },
    ...(FINISHED.has(decoded.event) ? { ports: await spoolPorts(options) } : {}),
  })
  const actor = resolveActor(
    {
      actor: frame.actor,
      boundRole: null,
      subagentType: subagentOf(body.value.fields),
      configured: guard.actorOf(options.agent.id),
      agentKind: options.agent.id,
    },
    loaded.policies,
  )
  const agentId = frame.agentId ?? `${options.agent.id}:${body.value.sessionId}`
  const delivery = { agentId, eventId: frame.eventId, root: loaded.root, policyHash: guard.policyHash }
  const event: HookEvent = { ...body.value, cwd, actor, agent: options.agent.id, commitment: frame.commitment, env: frame.env, delivery }
  const begun = performance.now()
  const guarded = await guard.guard(event, { deadlineMs: options.deadlineMs })
  const answer = encodeAnswer(decoded, resultOf(event, guarded), { attended: frame.attended })
  const draft = decisionRecord({
    event,
    decoded,
    guarded,
    answer,
    policyHash: guard.policyHash,
    root: loaded.root,
    agentId,
    attended: frame.attended,
    tookMs: performance.now() - begun,
  })
  const happenedAt = Date.now()
  const call = { happenedAt, transcriptPath: body.value.transcriptPath, env: frame.env }
  spool(options, { draft, call, ...(frame.eventId === null ? {} : { eventId: frame.eventId }) })
  return answer
}

function fileHooks({ root, policies }: LoadedPolicies, { home }: AloneOptions): ReturnType<typeof activeFileHooks> {
  return activeFileHooks({ root, home, policies })
}

/** What a finished call did is known now and not later: its evidence waits in the spool for the daemon. */
async function spoolPorts(options: AloneOptions): Promise<BuiltinPorts> {
  const [{ createBegunCalls }, { createAnnotator, createEvidenceSink }] = await Promise.all([
    import('../evidence/begun-calls.ts'),
    import('../evidence/evidence-port.ts'),
  ])
  const append = async (draft: EntryDraft, known: { readonly eventId?: string } = {}): Promise<{ readonly id: string }> => {
    spool(options, { draft, ...known })
    return { id: 'the spool' }
  }
  return {
    evidence: createEvidenceSink({ calls: createBegunCalls(() => performance.now()), append, onEvidence: () => undefined }),
    annotator: createAnnotator({ append }),
  }
}

function spool({ home, redact }: AloneOptions, { draft, eventId = randomUUID(), ...more }: Spooling): void {
  const clean = (text: string): string => String(redact({ text }).text)
  const body = redact({ ...draft.body, daemon: 'down' })
  const session = draft.session === null ? null : clean(draft.session)
  const call = more.call === undefined ? {} : { call: redact({ ...more.call }) as unknown as SpooledCall }
  const event = { eventId: clean(eventId), draft: { ...draft, actor: clean(draft.actor), session, body }, ...call }
  spoolEvent(join(home, 'spool'), event, more.call?.happenedAt ?? Date.now())
}

type Spooling = Omit<SpooledEvent, 'eventId'> & Partial<Pick<SpooledEvent, 'eventId'>>

function subagentOf({ agentId, agentType }: ShimFrame['payload']): string | null {
  return agentId !== undefined && typeof agentType === 'string' ? agentType : null
}

/** Semantics 6: after the fact and at a stop the agent goes on; a session that begins unguarded says so. */
function resultOf(event: HookEvent, { verdict, fired }: GuardedCall): HookResult {
  const rewrite = Object.fromEntries(fired.rewrites.map(({ target, after }) => [target, after]))
  const context = fired.context.join('\n')
  const warning =
    event.name === 'SessionStart'
      ? 'Belay: the daemon is not running; this session is judged by the static policy only until it is back (belay up)'
      : null
  return {
    verdict: GATES.has(event.name) || event.name === 'UserPromptSubmit' ? verdict : none(),
    ...(fired.rewrites.length === 0 ? {} : { rewrite }),
    ...(context === '' ? {} : { context }),
    ...(warning === null ? {} : { message: warning }),
  }
}

/** The portable deny. What was sent may be anything: it stays on one line. */
function refusal(why: string, { id }: Agent): Encoded {
  const text = why.replace(/\p{Cc}+/gu, ' ')
  return { stdout: '', stderr: `Tool denied: ${text}; a person can run \`belay doctor ${id}\`\n`, exitCode: 2, degraded: [] }
}

function silence(): Encoded {
  return { stdout: '', stderr: '', exitCode: 0, degraded: [] }
}
