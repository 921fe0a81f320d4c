// One event through the guard as a simulation: every hook of the event in the order it runs, whether it matched, what it said, and what came
// of it. `hooks simulate` and the page both show this.
import {
  type Decision,
  formatPlace,
  type GuardedCall,
  type HookDefinition,
  type HookEvent,
  type HookRun,
  type LlmProvider,
  type RegisteredHook,
  type SkippedHook,
  type Verdict,
} from '@belay/core'
import { callOfEvent } from '@belay/core/policy'
import type { ActiveSkills } from '../config/active-skills.ts'
import type { Config } from '../config/config-file.ts'
import { createDryWorld } from '../guardrail/guardrail-world.ts'
import { drainedHandler, dryRun } from './dry-run.ts'
import { hookRow } from './hook-row.ts'
import { buildGuard, type GuardPlace, type GuardSources, userHomeOf } from './load-guard.ts'

export interface SimulateParts {
  readonly config: Config
  /** Skills that are in use. */
  readonly skills: readonly string[]
  /** Hooks that act on the world really do. */
  readonly isReal: boolean
  readonly llm: LlmProvider | null
}

export async function simulate(sources: GuardSources, place: GuardPlace, event: HookEvent, parts: SimulateParts): Promise<Simulation> {
  const dry = dryRun(sources, parts.isReal)
  const guard = buildGuard(dry.sources, place, {
    config: parts.config,
    ports: dry.ports,
    skills: namedSkills(parts.skills),
    guardrails: createDryWorld({ belayHome: place.home, userHome: userHomeOf(place.env) }),
    llm: parts.llm,
  })
  const guarded = await guard.guard(event)
  // A hook that denies makes judging needless; a person wants to see what the rules say all the same.
  const call = event.name === 'PreToolUse' ? callOfEvent(guarded.fired.event) : null
  const judgement = guarded.judgement ?? (call === null ? null : guard.judge(call, event))
  return simulationOf(guard.engine.registry.list(), event.name, { ...guarded, judgement })
}

/** Skills count as in use where they are named; nothing is noted. */
function namedSkills(named: readonly string[]): ActiveSkills {
  return { of: () => named, note: () => undefined, set: () => undefined }
}

export interface SimulatedHook {
  readonly name: string
  /** `file:line`; null: it stands in none. */
  readonly place: string | null
  readonly type: string
  readonly matcher: string | null
  readonly matched: boolean
  /** null: it did not run. */
  readonly outcome: string | null
  readonly ms: number
  readonly decision: Decision | null
  readonly reason: string | null
  /** Why it did not run. */
  readonly skipped: string | null
}

export interface Simulation {
  readonly decision: Decision
  readonly reason: string
  /** The permission rule that decided. */
  readonly rule: string | null
  readonly hooks: readonly SimulatedHook[]
  /** What the permissions alone say; null: the event asks for nothing that rules could judge. */
  readonly permissions: {
    readonly decision: Decision
    readonly reason: string
    readonly rule: string | null
    readonly place: string | null
  } | null
}

function simulationOf(registered: readonly RegisteredHook[], event: string, { verdict, fired, judgement }: GuardedCall): Simulation {
  const { runs, skipped } = fired.report
  const hooks = registered.filter(hook => hook.definition.event === event).map(hook => simulatedHook(hook, runs, skipped))
  // A genesis_enforcement hook gives the rule's own reason.
  const decidedByRule =
    judgement !== null && judgement.verdict.decision === verdict.decision && reasonOf(judgement.verdict) === reasonOf(verdict)
  const place = judgement?.rule?.place
  return {
    decision: verdict.decision,
    reason: reasonOf(verdict) ?? judgement?.decidedBy?.reason ?? 'no hook and no rule has an opinion: the agent decides',
    rule: decidedByRule ? (judgement.rule?.text ?? null) : null,
    hooks,
    permissions:
      judgement === null
        ? null
        : {
            decision: judgement.verdict.decision,
            reason: judgement.decidedBy?.reason ?? 'nothing would run',
            rule: judgement.rule?.text ?? null,
            place: place === undefined ? null : formatPlace(place),
          },
  }
}

function simulatedHook({ definition, label }: RegisteredHook, runs: readonly HookRun[], skipped: readonly SkippedHook[]): SimulatedHook {
  const behind = drainedHandler(definition)
  const { type, matcher } = hookRow({ hook: behind === null ? definition : { ...definition, handler: behind }, inert: null })
  const run = runs.find(each => each.hook === label && isSamePlace(each.place, definition.place))
  const why = run === undefined ? (skipped.find(each => each.hook === label)?.why ?? 'matcher') : null
  const real = behind === null ? run : undefined
  return {
    name: label,
    place: definition.place === undefined ? null : `${definition.place.file}:${definition.place.line}`,
    type,
    matcher,
    matched: run !== undefined || (why !== null && AFTER_MATCHING.has(why)),
    outcome: real?.outcome ?? null,
    ms: Math.round((real?.durationMs ?? 0) * 1000) / 1000,
    decision: real?.verdict.decision ?? null,
    reason: real === undefined ? null : (reasonOf(real.verdict) ?? real.error ?? null),
    skipped: run !== undefined && behind !== null ? 'not run without --run' : why,
  }
}

/** What kept a hook from running although its matcher fits. */
const AFTER_MATCHING: ReadonlySet<string> = new Set(['after-deny', 'condition'])

function reasonOf(verdict: Verdict): string | null {
  return verdict.decision === 'none' ? null : (verdict.reason ?? null)
}

function isSamePlace(a: HookDefinition['place'], b: HookDefinition['place']): boolean {
  return a?.file === b?.file && a?.line === b?.line && a?.column === b?.column
}
