// Everything that judges the calls of one project, built from one snapshot of its policies: the hooks, the rules of each actor, the hash that
// goes into every record. Immutable but for caches; a changed policy makes a new one, and a decision under way keeps the one it began with.

import {
  ask,
  type BuiltinPorts,
  createCallMatcher,
  createEngine,
  createRegistry,
  createRuleJudge,
  createRulePorts,
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
  type JudgeContextOf,
  judgeEventBy,
  none,
  type RunHandler,
  recordsEvidence,
  runHandler,
  type Verdict,
} from '@belay/core'
import type { FileView } from '@belay/core/match'
import {
  activePolicyHooks,
  actorKind,
  combinedHash,
  type JudgeContext,
  type Judgement,
  type StateOf,
  type ToolCall,
} from '@belay/core/policy'
import { BoundedMap } from '@belay/core/value'
import type { ActiveSkills } from '../config/active-skills.ts'
import type { LoadedPolicies, Lock } from '../config/genesis.ts'
import { neededFiles, ownFiles } from '../config/own-files.ts'
import { createLocalWorld, type GuardrailWorld } from '../guardrail/guardrail-world.ts'
import { policyGuardrails } from '../guardrail/policy-guardrails.ts'
import type { RolePolicy } from './identity.ts'
import { createRolePolicy } from './role-policy.ts'
import type { RunningHooks } from './running-hooks.ts'
import { type SettingsGuard, whyRefuseSettings } from './settings-change.ts'
import { judgeSkillLines } from './skill-lines.ts'

export interface ProjectGuard {
  readonly root: string
  /** Of all policy files together; null: there is no policy, and nothing is decided. */
  readonly policyHash: string | null
  readonly engine: Engine
  /** Who an agent of this kind is where nothing else says so, by config.toml; null: it does not say. */
  actorOf(agentKind: string): string | null
  readonly roles: RolePolicy
  /** For two actors of the same text the same rules hold. */
  kindOf(actor: string): string
  /** Hooks, then permissions on what they left of the input. No promise where nothing has to be waited for. */
  guard(event: HookEvent, options?: FireOptions): GuardedCall | Promise<GuardedCall>
  judge(call: ToolCall, event: HookEvent): Judgement
  /** The rules of another bundle of the team, with which this one is compared; null: there is none. */
  readonly compared: ComparedRules | null
  /** Whether the policy requires evidence of this call: an `evidence_capture` hook with `ledger: true` will match it. */
  requiresEvidence(event: HookEvent): boolean | Promise<boolean>
}

export interface ComparedRules {
  readonly version: number
  readonly isNewer: boolean
  /** Its hooks do not run: they may do things. */
  judge(call: ToolCall, event: HookEvent): Judgement
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
  /** Told of what was let through, where hooks depend on the skills in use. */
  readonly skills?: Pick<ActiveSkills, 'note'>
  readonly ports?: BuiltinPorts
  /** What the guardrails of the policies work with. */
  readonly guardrails?: GuardrailWorld
  /** Who follows the hooks while they run. */
  readonly running?: RunningHooks
  /** For whoever only asks whether calls are let through, not why. */
  readonly stopsAtRefusal?: boolean
  readonly handler?: Omit<HandlerOptions, 'ports' | 'signal' | 'deadlineMs' | 'mode'>
}

const CONTEXTS_KEPT = 256
const COMMANDS_KEPT = 500

export function createProjectGuard(options: ProjectGuardOptions): ProjectGuard {
  const { loaded } = options
  const hash = loaded.policies.length === 0 && loaded.locked === null ? null : combinedHash(loaded.policies)
  const contextOf = createContexts(options)
  const rules = createRuleJudge(loaded.policies, contextOf, { cacheSize: 0, commandsKept: COMMANDS_KEPT })
  const judge = loaded.locked !== null ? lockedOut(loaded.locked) : loaded.policies.length === 0 ? observeOnly : rules.judge
  const engine = createProjectEngine(options, judge, contextOf)
  const unseenGuard = { ...options, root: loaded.root, judge }
  const finish = (guarded: GuardedCall, unseen: Verdict | null): GuardedCall => {
    const { fired } = guarded
    const made = fired.event.alsoAs === undefined && loaded.team === undefined ? guarded : withoutAllow(guarded)
    const whole = unseen === null ? made : { ...made, verdict: fold([made.verdict, unseen]) }
    if (whole.verdict.decision !== 'deny') options.skills?.note(fired.event)
    return whole
  }
  return {
    root: loaded.root,
    policyHash: hash,
    engine,
    actorOf: agentKind => options.agents?.[agentKind]?.actor ?? null,
    roles: createRolePolicy(loaded.policies, (call, actor) => rules.judgeAs(call, actor, loaded.root)),
    kindOf: actor => actorKind(loaded.policies, actor),
    judge,
    compared: compareRules(loaded, contextOf),
    guard(event, fireOptions) {
      const unseen = hash === null ? null : judgeUnseen(event, unseenGuard)
      const guarded = guardCall(engine.fire, event, judge, fireOptions)
      if (unseen === null && event.alsoAs === undefined && options.skills === undefined && loaded.team === undefined) return guarded
      return guarded instanceof Promise ? guarded.then(made => finish(made, unseen)) : finish(guarded, unseen)
    },
    requiresEvidence: createEvidenceCheck(options, contextOf),
  }
}

/** What the agent does by itself after this event, with no call of its own; null: nothing that is denied or asked about. */
function judgeUnseen(event: HookEvent, guard: SettingsGuard): Verdict | null {
  if (event.name === 'ConfigChange') {
    const why = whyRefuseSettings(event, guard)
    return why === null ? null : deny(why)
  }
  const line = judgeSkillLines(event, guard)
  if (line === null) return null
  // Nobody can be asked there.
  return line.decision === 'ask' && event.name === 'PreToolUse' ? ask(line.reason, 'rule') : deny(line.reason)
}

function compareRules({ compared }: LoadedPolicies, contextOf: JudgeContextOf): ComparedRules | null {
  if (compared === undefined) return null
  const { judge } = createRuleJudge(compared.policies, contextOf, { cacheSize: 0, commandsKept: COMMANDS_KEPT })
  return { version: compared.version, isNewer: compared.isNewer, judge }
}

/** Under several names a hook may have run for one of them only, and where a team has a policy it may be this machine's: what it allows raises no right. */
function withoutAllow(guarded: GuardedCall): GuardedCall {
  if (guarded.fired.verdict.decision !== 'allow') return guarded
  return { ...guarded, verdict: guarded.judgement?.verdict ?? none() }
}

function createProjectEngine(options: ProjectGuardOptions, judge: ProjectGuard['judge'], contextOf: JudgeContextOf): Engine {
  const rulePorts = createRulePorts(contextOf, options.stateOf)
  const registry = createRegistry(rulePorts, { oncePer: 'session' })
  registry.configure(options.settings ?? {})
  registry.addAll([
    ...(options.hooks ?? []),
    ...activePolicyHooks(options.loaded.policies),
    ...policyGuardrails(options.loaded.policies, guardrailPorts(options, judge, createCallMatcher(rulePorts))),
  ])
  const { evaluateCondition } = rulePorts
  const ports: BuiltinPorts = { evaluateCondition, judgeEvent: judgeEventBy(judge), ...options.ports }
  return createEngine({ registry, runHandler: watchedRun(options, ports) })
}

/** Where somebody may look, what takes its time is seen and can be stopped. */
function watchedRun({ handler, running }: ProjectGuardOptions, ports: BuiltinPorts): RunHandler {
  return (hook, event, run) => {
    const given = { ...handler, ...run, ports }
    if (running === undefined || isQuick(hook)) return runHandler(hook, event, given)
    return running.watch((stop, onOutput) => runHandler(hook, event, { ...given, stop, onOutput: both(onOutput, run.onOutput) }), {
      hook,
      event,
    })
  }
}

/** Built-in hooks answer at once, but for checks of a project. */
function isQuick({ handler }: HookDefinition): boolean {
  return handler.type === 'builtin' && handler.builtin !== 'final_validation'
}

function both(first: (text: string) => void, second: ((text: string) => void) | undefined): (text: string) => void {
  return text => {
    first(text)
    second?.(text)
  }
}

function guardrailPorts(
  options: ProjectGuardOptions,
  judge: ProjectGuard['judge'],
  matchesCall: NonNullable<GuardrailPorts['matchesCall']>,
): GuardrailPorts {
  return {
    now: Date.now,
    rootOf: () => options.loaded.root,
    judge: event => judgeEventBy(judge)(event).decision,
    matchesCall,
    ...(options.guardrails ?? createLocalWorld(options)),
  }
}

/** The hooks that record evidence, matched as they will be after the call, without running. */
function createEvidenceCheck(options: ProjectGuardOptions, contextOf: JudgeContextOf): ProjectGuard['requiresEvidence'] {
  const capturing = activePolicyHooks(options.loaded.policies).filter(hook => hook.event === 'PostToolUse' && recordsEvidence(hook))
  if (capturing.length === 0) return () => false
  const registry = createRegistry(createRulePorts(contextOf, options.stateOf), { oncePer: 'session' })
  registry.addAll(capturing.map(hook => ({ ...hook, handler: { type: 'inline' as const, run: () => undefined } })))
  const { fire } = createEngine({ registry })
  return async event => (await fire({ ...event, name: 'PostToolUse' })).report.runs.length > 0
}

/** One for each directory that agents are in: what a judge works out about a place, it keeps by this object. */
function createContexts({ loaded, belayHome, userHome, files, stopsAtRefusal = false }: ProjectGuardOptions): JudgeContextOf {
  const kept = new BoundedMap<string, JudgeContext>(CONTEXTS_KEPT)
  let last: JudgeContext | null = null
  return ({ cwd }) => {
    if (last?.cwd === cwd) return last
    last = kept.get(cwd) ?? make(cwd)
    return last
  }

  function make(cwd: string): JudgeContext {
    const selfProtection = loaded.policies.length > 0
    const own = { ownFiles: ownFiles(), neededFiles: neededFiles() }
    const made = { root: loaded.root, cwd, home: userHome, files, belayHome, ...own, selfProtection, stopsAtRefusal }
    kept.set(cwd, made)
    return made
  }
}

/** A policy that is broken and never was good closes the gate: a broken policy never means "no policy". */
function lockedOut({ place, message, isStale }: Lock): () => Judgement {
  const broken = `the policy is broken (${formatPlace(place)}: ${message}) and there is no earlier good version of it; a person must fix it`
  const reason = isStale ? message : broken
  return () => ({ verdict: deny(reason), rule: null, decidedBy: null, parts: [], parser: null, policyHash: '' })
}

/** Without any policy nothing is decided; what happens is only recorded. */
function observeOnly(): Judgement {
  return { verdict: none(), rule: null, decidedBy: null, parts: [], parser: null, policyHash: '' }
}
