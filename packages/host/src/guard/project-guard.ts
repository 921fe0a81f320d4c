// Everything that judges the calls of one project, built from one snapshot of its policies: the hooks, the rules of each actor, the hash that
// goes into every record. Immutable but for caches; a changed policy makes a new one, and a decision under way keeps the one it began with.
import {
  type BuiltinPorts,
  createEngine,
  createRegistry,
  type Diagnostic,
  deny,
  type Engine,
  type FireOptions,
  fold,
  formatPlace,
  type GuardedCall,
  type GuardrailPorts,
  guardCall,
  type HandlerOptions,
  type HookDefinition,
  type HookEvent,
  type HookSettings,
  none,
  type Registry,
  runHandler,
} from '@belay/core'
import { findAgent, joinedMcpNames, ownMcpName } from '@belay/core/adapter'
import { type FileView, toolFamily } from '@belay/core/match'
import {
  activePolicyHooks,
  combinedHash,
  compileCallPattern,
  compileRules,
  createConditionPort,
  createJudge,
  effectivePermissions,
  type Judge,
  type JudgeContext,
  type Judgement,
  type StateOf,
  type ToolCall,
} from '@belay/core/policy'
import type { LoadedPolicies } from '../config/genesis.ts'
import { createLocalWorld, type GuardrailWorld } from '../guardrail/guardrail-world.ts'
import { policyGuardrails } from '../guardrail/policy-guardrails.ts'

export interface ProjectGuard {
  readonly root: string
  /** Of all policy files together; null: there is no policy, and nothing is decided. */
  readonly policyHash: string | null
  readonly engine: Engine
  /** Who an agent of this kind is where nothing else says so, by config.toml; null: it does not say. */
  actorOf(agentKind: string): string | null
  /** Hooks, then permissions on what they left of the input. No promise where nothing has to be waited for. */
  guard(event: HookEvent, options?: FireOptions): GuardedCall | Promise<GuardedCall>
  judge(call: ToolCall, event: HookEvent): Judgement
  /** Whether the policy requires evidence of this call: an `evidence_capture` hook with `ledger: true` will match it. */
  requiresEvidence(event: HookEvent): boolean | Promise<boolean>
}

export interface ProjectGuardOptions {
  readonly loaded: LoadedPolicies
  readonly belayHome: string
  readonly userHome: string
  readonly files: FileView
  /** Hooks beside those of the policy: hooks.toml, the daemon's own. */
  readonly hooks?: readonly HookDefinition[]
  readonly settings?: HookSettings
  /** `agents.<id>.actor` of config.toml. */
  readonly agents?: Readonly<Record<string, { readonly actor?: string }>>
  readonly stateOf?: StateOf
  readonly ports?: BuiltinPorts
  /** What the guardrails of the policies work with. */
  readonly guardrails?: GuardrailWorld
  readonly handler?: Omit<HandlerOptions, 'ports' | 'signal' | 'deadlineMs' | 'mode'>
}

const JUDGES_KEPT = 256
const CONTEXTS_KEPT = 256
const COMMANDS_KEPT = 500

export function createProjectGuard(options: ProjectGuardOptions): ProjectGuard {
  const { loaded } = options
  const hash = loaded.policies.length === 0 && loaded.locked === null ? null : combinedHash(loaded.policies)
  const judges = createJudges(options)
  const contextOf = createContexts(options)
  const judge = (call: ToolCall, event: HookEvent): Judgement => {
    if (loaded.locked !== null) return lockedOut(loaded.locked)
    if (loaded.policies.length === 0) return observeOnly()
    const judgeActor = judges(event.actor)
    const judged = judgeActor(call, contextOf(event))
    const judgeAs = (tool: string) => judgeActor({ ...call, tool }, contextOf(event))
    if (isJoined(call.tool, event)) return tightened(judged, joinedMcpNames(call.tool).map(judgeAs))
    const own = ownMcpName(event.agent, call.tool)
    return own === null ? judged : underBothNames(judged, judgeAs(own))
  }
  const engine = createProjectEngine(options, judge, contextOf)
  return {
    root: loaded.root,
    policyHash: hash,
    engine,
    actorOf: agentKind => options.agents?.[agentKind]?.actor ?? null,
    judge,
    guard: (event, fireOptions) => guardCall(engine.fire, event, judge, fireOptions),
    requiresEvidence: createEvidenceCheck(options, contextOf),
  }
}

/** There is no policy and no hook of a person: whatever comes is recorded, and nothing is decided. */
export function observesOnly({ policies, locked }: LoadedPolicies, personsHooks: readonly HookDefinition[]): boolean {
  return policies.length === 0 && locked === null && personsHooks.length === 0
}

/** A name that may be that of an MCP tool, from an agent that joins the server's name to it. */
function isJoined(tool: string, { agent }: HookEvent): boolean {
  return !tool.startsWith('mcp__') && toolFamily(tool) === null && findAgent(agent)?.joinsMcpNames === true
}

/** A rule may name the tool either way: an allow under the agent's own name stands where nothing else says anything. */
function underBothNames(judged: Judgement, own: Judgement): Judgement {
  const isByDefault = judged.rule === null && (judged.decidedBy === null || judged.decidedBy.decision === 'default')
  return isByDefault && own.rule !== null ? own : tightened(judged, [own])
}

/** What a rule says of any of the names it may have holds too, as far as it tightens. */
function tightened(judged: Judgement, others: readonly Judgement[]): Judgement {
  return others.reduce((strictest, other) => {
    const isStricter = other.rule !== null && fold([strictest.verdict, other.verdict]) !== strictest.verdict
    return isStricter && other.verdict.decision !== 'allow' ? other : strictest
  }, judged)
}

type ContextOf = (event: HookEvent) => JudgeContext

function createProjectEngine(options: ProjectGuardOptions, judge: ProjectGuard['judge'], contextOf: ContextOf): Engine {
  const evaluateCondition = createConditionPort(options.stateOf)
  const registry = createProjectRegistry(contextOf, evaluateCondition)
  registry.configure(options.settings ?? {})
  registry.addAll([
    ...(options.hooks ?? []),
    ...activePolicyHooks(options.loaded.policies),
    ...policyGuardrails(options.loaded.policies, guardrailPorts(options, judge, contextOf)),
  ])
  const ports: BuiltinPorts = { evaluateCondition, judgeEvent: event => judge(callOf(event), event).verdict, ...options.ports }
  return createEngine({ registry, runHandler: (hook, event, run) => runHandler(hook, event, { ...options.handler, ...run, ports }) })
}

function createProjectRegistry(contextOf: ContextOf, evaluateCondition: ReturnType<typeof createConditionPort>): Registry {
  return createRegistry(
    {
      evaluateCondition,
      compileCall(pattern) {
        const compiled = compileCallPattern(pattern)
        if (!compiled.ok) return { ok: false, message: compiled.problem.message }
        return { ok: true, test: ({ event }) => compiled.match(callOf(event), contextOf(event)) !== 'no' }
      },
    },
    { oncePer: 'session' },
  )
}

function guardrailPorts(options: ProjectGuardOptions, judge: ProjectGuard['judge'], contextOf: ContextOf): GuardrailPorts {
  const compiled = new Map<string, ReturnType<typeof compileCallPattern>>()
  return {
    now: Date.now,
    rootOf: () => options.loaded.root,
    judge: event => judge(callOf(event), event).verdict.decision,
    matchesCall(pattern, event) {
      const known = compiled.get(pattern) ?? compileCallPattern(pattern)
      compiled.set(pattern, known)
      return known.ok && known.match(callOf(event), contextOf(event)) !== 'no'
    },
    ...(options.guardrails ?? createLocalWorld(options)),
  }
}

/** The hooks that record evidence, matched as they will be after the call, without running. */
function createEvidenceCheck(options: ProjectGuardOptions, contextOf: ContextOf): ProjectGuard['requiresEvidence'] {
  const capturing = activePolicyHooks(options.loaded.policies).filter(({ event, handler }) => {
    const isCapture = handler.type === 'builtin' && handler.builtin === 'evidence_capture' && handler.config.ledger === true
    return isCapture && event === 'PostToolUse'
  })
  if (capturing.length === 0) return () => false
  const registry = createProjectRegistry(contextOf, createConditionPort(options.stateOf))
  registry.addAll(capturing.map(hook => ({ ...hook, handler: { type: 'inline' as const, run: () => undefined } })))
  const { fire } = createEngine({ registry })
  return async event => (await fire({ ...event, name: 'PostToolUse' })).report.runs.length > 0
}

/** Rules are compiled once per actor and policy. What is known of commands goes with them. */
function createJudges({ loaded }: ProjectGuardOptions): (actor: string) => Judge {
  const kept = new Map<string, Judge>()
  return actor => {
    const known = kept.get(actor)
    if (known !== undefined) return known
    const made = createJudge(compileRules(effectivePermissions(loaded.policies, actor)), { cacheSize: 0, commandsKept: COMMANDS_KEPT })
    if (kept.size >= JUDGES_KEPT) kept.clear()
    kept.set(actor, made)
    return made
  }
}

/** One for each directory that agents are in: what a judge works out about a place, it keeps by this object. */
function createContexts({ loaded, belayHome, userHome, files }: ProjectGuardOptions): ContextOf {
  const kept = new Map<string, JudgeContext>()
  let last: JudgeContext | null = null
  return ({ cwd }) => {
    if (last?.cwd === cwd) return last
    last = kept.get(cwd) ?? make(cwd)
    return last
  }

  function make(cwd: string): JudgeContext {
    const made = { root: loaded.root, cwd, home: userHome, files, belayHome, selfProtection: loaded.policies.length > 0 }
    if (kept.size >= CONTEXTS_KEPT) kept.clear()
    kept.set(cwd, made)
    return made
  }
}

function callOf({ fields }: HookEvent): ToolCall {
  const { toolName, toolInput } = fields
  return {
    tool: typeof toolName === 'string' ? toolName : '',
    input: typeof toolInput === 'object' && toolInput !== null ? (toolInput as ToolCall['input']) : {},
  }
}

/** A policy that is broken and never was good closes the gate: a broken policy never means "no policy". */
function lockedOut(error: Diagnostic): Judgement {
  const reason = `the policy is broken (${formatPlace(error.place)}: ${error.message}) and there is no earlier good version of it; a person must mend it`
  return { verdict: deny(reason), rule: null, decidedBy: null, parts: [], parser: null, policyHash: '' }
}

/** Without any policy nothing is decided; what happens is only recorded. */
function observeOnly(): Judgement {
  return { verdict: none(), rule: null, decidedBy: null, parts: [], parser: null, policyHash: '' }
}
