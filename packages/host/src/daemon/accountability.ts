// Evidence, approvals and commitments of one daemon, on its ledger: what `decide`, the built-in hooks and the commands ask of them.
import { randomBytes } from 'node:crypto'
import { type BegunCalls, type BuiltinPorts, createBegunCalls, deny } from '@belay/core'
import type { StateOf } from '@belay/core/policy'
import { type ApprovalQueue, createApprovalQueue } from '../approval/approval-queue.ts'
import { readKeyFile } from '../approval/key-file.ts'
import { createNotifier } from '../approval/notify.ts'
import { type Approvals, openApprovals } from '../approval/open-approvals.ts'
import { createPresence, type Presence } from '../approval/presence.ts'
import { type ApprovalRequest, EXPIRY_MS } from '../approval/request.ts'
import { createClaimMirror } from '../commitment/claim-mirror.ts'
import { type Commitments, openCommitments } from '../commitment/open-commitments.ts'
import type { Config } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { findProjectPolicy } from '../config/project.ts'
import { writeRule } from '../config/write-rule.ts'
import type { Accounts } from '../decision/decide.ts'
import type { GuardCache } from '../decision/guard-cache.ts'
import { createPassedGuard } from '../decision/passed-guard.ts'
import { reportMoved } from '../decision/report-moved.ts'
import { createAnnotator, createEvidenceSink, type EvidenceOptions } from '../evidence/evidence-port.ts'
import { keepHookEvidence } from '../evidence/hook-evidence.ts'
import { createWrittenPaths } from '../evidence/written-paths.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { systemClock } from '../ledger/clock.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import { createWebhookRoute } from '../method/approval-webhook.ts'
import { type AddedRule, createApprovalMethods } from '../method/approvals.ts'
import { createCommitmentMethods } from '../method/commitments.ts'
import type { People } from '../method/person.ts'
import { RPC_REFUSED, RpcError, type RpcMethod } from '../rpc/rpc.ts'
import type { Binding } from '../state/agent-binding.ts'
import { createValidator } from '../validation/create-validator.ts'

export interface AccountabilityOptions {
  readonly ledger: Ledger
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** As it is now. */
  config(): Config
  /** `human:<name>` of this machine. */
  readonly person: string
  readonly people: People
  readonly guards: () => GuardCache
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  roleOf(agentId: string): Promise<string | null> | string | null
  bindingOf(secret: string): Binding | null
  publish(type: string, data: unknown): void
  warn(message: string): void
}

export interface Accountability {
  readonly approvals: Approvals
  readonly commitments: Commitments
  readonly accounts: Accounts
  readonly ports: Pick<BuiltinPorts, 'evidence' | 'annotator' | 'approvals' | 'validator' | 'redactText'>
  /** What conditions read of a commitment. */
  readonly stateOf: StateOf
  readonly presence: Presence
  heldUntil: ApprovalQueue['heldUntil']
  /** Told of every request and what becomes of it. */
  onApproval(listener: (request: ApprovalRequest) => void): void
  readonly methods: readonly (readonly [string, RpcMethod<RouteCall>])[]
  readonly routes: readonly Route[]
  commitmentOf: Commitments['commitmentOf']
  /** Lets go of calls that are held. */
  close(): void
}

const EXPIRE_EVERY_MS = 1000

export async function openAccountability(options: AccountabilityOptions): Promise<Accountability> {
  const { home } = options
  const { store, append } = options.ledger
  const parts = await openApprovalParts(options)
  const { approvals, queue, presence } = parts
  const commitments = openCommitments({
    store,
    append,
    policyAt: root => policyAt(options.guards(), root),
    heldBy: commitment => heldBy(approvals, commitment),
    mirror: createClaimMirror(home, error => options.warn(String(error))),
    newId: prefix => `${prefix}_${randomBytes(4).toString('hex')}`,
    now: Date.now,
  })
  const calls = createBegunCalls(() => performance.now())
  const webhookKey = () => readKeyFile(home, 'webhook.key')
  return {
    approvals,
    commitments,
    accounts: createAccounts({ queue, calls, warn: options.warn, append, onEvidence: commitments.countEvidence }),
    ports: {
      evidence: createEvidenceSink({ calls, append, onEvidence: commitments.countEvidence }),
      annotator: createAnnotator({ append }),
      approvals: queue,
      validator: createValidator({ env: options.env, board: commitments.board }),
      redactText: text => String(options.redact({ text }).text),
    },
    stateOf: event => ({ commitment: commitments.conditionFields(event) }),
    presence,
    heldUntil: queue.heldUntil,
    onApproval: listener => void parts.listeners.add(listener),
    methods: [
      ...createApprovalMethods({
        approvals,
        heldUntil: queue.heldUntil,
        presence,
        person: options.person,
        nextChange: parts.nextChange,
        addRule: (request, pattern) => addRule(home, request, pattern),
      }),
      ...createCommitmentMethods({ ...options, commitments: withGates(commitments, approvals), store }),
    ],
    routes: [createWebhookRoute({ approvals, key: webhookKey, now: Date.now })],
    commitmentOf: commitments.commitmentOf,
    close: parts.close,
  }
}

interface ApprovalParts {
  readonly approvals: Approvals
  readonly queue: ApprovalQueue
  readonly presence: Presence
  nextChange(): Promise<void>
  readonly listeners: Set<(request: ApprovalRequest) => void>
  close(): void
}

async function openApprovalParts(options: AccountabilityOptions): Promise<ApprovalParts> {
  const { ledger, home, config, redact, publish, warn } = options
  const settings = () => config().approvals ?? {}
  const here = createPresence(() => settings().webhook !== undefined, Date.now)
  const changes = createChanges()
  const listeners = new Set<(request: ApprovalRequest) => void>()
  const notify = createNotifier({
    webhook: () => settings().webhook ?? null,
    isDesktop: () => settings().notify === 'desktop',
    key: () => readKeyFile(home, 'webhook.key'),
    onFailure: warn,
    now: Date.now,
  })
  const opened = await openApprovals({
    store: ledger.store,
    append: ledger.append,
    redact,
    key: readKeyFile(home, 'approval.key'),
    clock: systemClock,
    onChange(request) {
      const { inputHash, ...shown } = request
      publish('approval', shown)
      changes.signal()
      notify(request)
      for (const listener of listeners) listener(request)
    },
  })
  const made = createApprovalQueue({
    approvals: opened,
    presence: here,
    expiryMs: () => settings().expiryMs ?? EXPIRY_MS,
    holdLimit: agent => config().agents?.[agent]?.holdMs ?? null,
    nextChange: changes.next,
    now: Date.now,
  })
  const timer = setInterval(() => {
    opened.expire().catch(error => warn(`an approval could not be ended: ${String(error)}`))
  }, EXPIRE_EVERY_MS).unref()
  return {
    approvals: opened,
    queue: made,
    presence: here,
    nextChange: changes.next,
    listeners,
    close() {
      clearInterval(timer)
      made.close()
      changes.signal()
    },
  }
}

const NO_TEXTS: readonly string[] = []

interface AccountParts extends Pick<AccountabilityOptions, 'warn'>, Pick<EvidenceOptions, 'onEvidence'>, Pick<Ledger, 'append'> {
  readonly queue: ApprovalQueue
  readonly calls: BegunCalls
}

function createAccounts({ queue, calls, append, warn, onEvidence }: AccountParts): Accounts {
  const written = createWrittenPaths()
  const passed = createPassedGuard({ append, warn, now: Date.now })
  return {
    noteJudged(guarded) {
      passed.note(guarded)
      if (guarded.verdict.decision !== 'deny') written.note(guarded.fired.event, guarded.judgement)
    },
    checkOver(event, guard) {
      queue.forget(event)
      const moved = written.listMoved(event)
      const wrote = moved.length === 0 ? NO_TEXTS : reportMoved({ event, moved, guard, append, warn })
      const ran = passed.report(event)
      return ran === null ? wrote : Promise.all([wrote, ran]).then(texts => texts.flat())
    },
    keepEvidence: given =>
      keepHookEvidence(given, { append, onEvidence })?.catch(error => warn(`evidence of a hook could not be written: ${String(error)}`)) ??
      null,
    expectEvidence(event, guard) {
      const required = guard.requiresEvidence(event)
      return required === false ? false : Promise.resolve(required).then(isRequired => isRequired && calls.begin(event).then(() => true))
    },
    async answerAsk({ guarded, agent, attended, deadlineMs }) {
      const { verdict, fired, judgement } = guarded
      if (verdict.decision !== 'ask') return { verdict, request: null, isUnanswered: false }
      try {
        return await queue.answer({ event: fired.event, verdict, rule: judgement?.rule ?? null, agent, attended, deadlineMs })
      } catch (error) {
        warn(`an approval could not be kept: ${String(error)}`)
        const why = deny(`${verdict.reason ?? 'this needs a person'}, and the request for one cannot be written down`)
        return { verdict: why, request: null, isUnanswered: false }
      }
    },
  }
}

interface Changes {
  next(): Promise<void>
  signal(): void
}

function createChanges(): Changes {
  let resolve: () => void = () => undefined
  const renew = (): Promise<void> =>
    new Promise(settle => {
      resolve = settle
    })
  let current = renew()
  return {
    next: () => current,
    signal() {
      const settle = resolve
      current = renew()
      settle()
    },
  }
}

function policyAt(guards: GuardCache, root: string) {
  const { loaded, guard } = guards.get(root)
  return { policies: loaded.policies, guard }
}

/** A gate at Stop holds the commitment until an approver decides. */
async function heldBy(approvals: Approvals, commitment: string): Promise<string | null> {
  const found = approvals.findGate(commitment)
  // Time that ran out is no decision: it is asked again.
  const gate = found?.state === 'expired' ? await approvals.renew(found) : found
  if (gate === null || gate.state === 'allowed') return null
  if (gate.state === 'denied')
    return `${commitment} was refused by ${gate.decidedBy}${gate.note === null ? '' : `: ${gate.note}`} (${gate.id})`
  const by = gate.approvers.length === 0 ? 'a person' : gate.approvers.join(' or ')
  return `${commitment} waits for ${by}: belay approvals allow ${gate.id}`
}

/** A gate is over with its commitment; work that goes on needs a new decision at its next end. */
function withGates(commitments: Commitments, approvals: Approvals): Commitments {
  return {
    ...commitments,
    async perform(request) {
      const done = await commitments.perform(request)
      const goesOn = request.name === 'reopen' || request.name === 'reject'
      const gate = done.ok && (goesOn || done.commitment?.state === 'closed') ? approvals.findGate(request.target ?? '') : null
      if (gate === null) return done
      if (!goesOn && gate.decidedBy !== null) await approvals.use(gate)
      else await approvals.withdraw(gate, `${request.name} by ${request.actor}`)
      return done
    },
  }
}

/** `--always`: an allow rule for the actor, in the policy of the project that asked, else in the user's. */
function addRule(home: string, request: ApprovalRequest, pattern: string): AddedRule {
  const { origin, rule, root, actor } = request
  if (origin !== 'default') {
    throw new RpcError(RPC_REFUSED, `${rule ?? 'a hook'} asks for this call, and no allow rule overrides that: change it there instead`)
  }
  const file = findProjectPolicy(root)
  const paths = homePaths(home)
  const target = { file: file ?? paths.policy, isProject: file !== null, trust: paths.trust }
  const written = writeRule(target, { effect: 'allow', pattern, actor })
  if (written.kind === 'refused') throw new RpcError(RPC_REFUSED, written.why)
  return { actor: written.actor, file: target.file, isTrusted: written.kind === 'present' || written.isTrusted }
}
