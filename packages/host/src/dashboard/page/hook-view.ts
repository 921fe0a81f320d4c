// The hooks in force in a project, in the order they were registered, and those that are written but do not run; each with what it cost.
import { GUARDRAIL_NAMES, type HookDefinition, listGuardrails, type RegisteredHook } from '@belay/core'
import { listPolicyHooks, type PolicyHook } from '@belay/core/policy'
import type { LoadedPolicies } from '../../config/genesis.ts'
import { hookRow } from '../../guard/hook-row.ts'
import type { GuardSources } from '../../guard/load-guard.ts'
import type { ProjectGuard } from '../../guard/project-guard.ts'
import type { HookView } from '../../page/policy.ts'
import { percentile } from '../../statistic/histogram.ts'
import { type HookCost, hookKey } from '../../statistic/hook-tally.ts'
import { COUNTED_DAYS } from '../../statistic/rule-tally.ts'
import type { PageParts } from './page-parts.ts'

export interface ProjectHooks {
  readonly sources: GuardSources
  readonly guard: ProjectGuard
}

export async function listHooks(parts: PageParts, { sources, guard }: ProjectHooks): Promise<readonly HookView[]> {
  const costs = new Map((await parts.tally.hooks.list(COUNTED_DAYS, parts.now())).map(cost => [cost.key, cost]))
  const active = guard.engine.registry.list().map(hook => activeView(hook, key => costs.get(parts.redact(key))))
  return [...active, ...listInert(sources), ...inertGuardrails(sources.loaded)]
}

const GUARDRAILS: ReadonlySet<string> = new Set(GUARDRAIL_NAMES)

function activeView(hook: RegisteredHook, costOf: (key: string) => HookCost | undefined): HookView {
  const { definition, label, scope, fail } = hook
  const place = placeOf(definition)
  const key = hookKey(definition.event, label, place, scope)
  const cost = costOf(key)
  return {
    ...written(definition),
    id: key.replaceAll('\t', ' '),
    name: label,
    fail,
    inert: null,
    runs: cost?.runs ?? 0,
    failures: cost?.failures ?? 0,
    overBudget: cost?.overBudget ?? 0,
    p50Ms: cost === undefined ? null : percentile(cost.durations, 0.5),
    p99Ms: cost === undefined ? null : percentile(cost.durations, 0.99),
    last: cost?.last ?? null,
  }
}

type Written = Pick<HookView, 'event' | 'type' | 'matcher' | 'condition' | 'scope' | 'source' | 'mode' | 'place' | 'isGuardrail'>

/** As `belay hooks list` has it. */
function written(hook: HookDefinition): Written {
  const { event, type, matcher, condition, scope, source, once, async: isAsync } = hookRow({ hook, inert: null })
  const isGuardrail = hook.handler.type === 'inline' && GUARDRAILS.has(hook.name ?? '')
  const isOwn = hook.handler.type === 'inline' && !isGuardrail
  return {
    event,
    type: isGuardrail ? 'guardrail' : type,
    matcher,
    condition,
    scope,
    source: isGuardrail ? 'guardrails' : isOwn ? 'belay' : source,
    mode: [once ? 'once' : '', isAsync ? 'async' : ''].filter(word => word !== '').join(', '),
    place: placeOf(hook),
    isGuardrail,
  }
}

const NEVER_RAN = { runs: 0, failures: 0, overBudget: 0, p50Ms: null, p99Ms: null, last: null } as const

function listInert({ loaded, hooks }: GuardSources): readonly HookView[] {
  const all: readonly PolicyHook[] = [...listPolicyHooks(loaded.policies), ...hooks]
  return all.flatMap(({ hook, inert }, index) => {
    if (inert === null) return []
    const facts = written(hook)
    const name = hook.name ?? facts.type
    return [
      {
        ...facts,
        ...NEVER_RAN,
        id: `inert ${index} ${name}`,
        name,
        fail: hook.fail ?? (hook.scope === 'policy' ? 'closed' : 'open'),
        inert,
      },
    ]
  })
}

function inertGuardrails({ policies }: LoadedPolicies): readonly HookView[] {
  return listGuardrails(policies).flatMap(({ setting, mode, inert }) => {
    const why = inert ?? (mode === 'off' ? 'it is switched off' : null)
    if (why === null) return []
    return [
      {
        ...NEVER_RAN,
        id: `inert ${setting.name}`,
        name: setting.name,
        event: 'PreToolUse',
        type: 'guardrail',
        matcher: null,
        condition: null,
        scope: 'policy',
        source: 'guardrails',
        mode: '',
        fail: 'open',
        place: `${setting.place.file}:${setting.place.line}`,
        isGuardrail: true,
        inert: why,
      },
    ]
  })
}

/** As records have it. */
function placeOf({ place }: HookDefinition): string | null {
  return place === undefined ? null : `${place.file}:${place.line}`
}
