// One hook as lists show it; a guardrail is one of each event that it listens to.

import type { ActiveGuardrail } from '@belay/core'
import { findGuardrail } from '@belay/core'
import { identifyHook, type PolicyHook } from '@belay/core/policy'

export interface HookRow {
  readonly name: string
  readonly event: string
  readonly type: string
  readonly matcher: string | null
  readonly condition: string | null
  readonly once: boolean
  readonly async: boolean
  /** What kind of file it stands in. */
  readonly source: string
  readonly scope: string
  readonly order: string
  readonly fail: string
  readonly file: string | null
  readonly line: number | null
  /** Of a guardrail: strict, guide or off; null: it is none. */
  readonly mode: string | null
  /** Why it does not run; null: it does. */
  readonly inert: string | null
}

/** All that stand somewhere, in their order. Of those that are the same in one scope the first runs: the others say so. */
export function hookRows(hooks: readonly PolicyHook[]): readonly HookRow[] {
  const running = new Map<string, HookRow>()
  return hooks.map(each => {
    const row = hookRow(each)
    if (row.inert !== null) return row
    const identity = identifyHook(each.hook)
    const same = running.get(identity)
    if (same) return { ...row, inert: `the same hook as in ${placeOf(same)}: it runs once` }
    running.set(identity, row)
    return row
  })
}

export function hookRow({ hook, inert }: PolicyHook): HookRow {
  const { handler, matcher } = hook
  const type = handler.type === 'builtin' ? handler.builtin : handler.type
  return {
    name: hook.name ?? (hook.place === undefined ? type : `${type}:${hook.place.line}`),
    event: hook.event,
    type,
    matcher: matcher === undefined ? null : 'text' in matcher ? matcher.text : String(matcher),
    condition: hook.condition ?? hook.onlyIf ?? null,
    once: hook.once === true,
    async: hook.async === true,
    source: sourceOf(hook),
    scope: hook.scope,
    order: hook.order ?? 'sequence',
    fail: hook.fail ?? (hook.scope === 'policy' ? 'closed' : 'open'),
    file: hook.place?.file ?? null,
    line: hook.place?.line ?? null,
    mode: null,
    inert,
  }
}

/** As `hooks_from` calls it. */
function sourceOf({ scope, place }: PolicyHook['hook']): string {
  if (scope === 'policy') return 'genesis'
  if (scope !== 'session') return scope
  return place?.file.endsWith('.toml') === true ? 'hooks_toml' : 'settings'
}

export function guardrailRows({ setting, mode, inert }: ActiveGuardrail): readonly HookRow[] {
  const { name, place } = setting
  return (findGuardrail(name)?.events ?? []).map(event => ({
    name,
    event,
    type: 'guardrail',
    matcher: null,
    condition: null,
    once: false,
    async: false,
    source: 'guardrails',
    scope: 'policy',
    order: 'sequence',
    fail: event === 'PreToolUse' && mode === 'strict' ? 'closed' : 'open',
    file: place.file,
    line: place.line,
    mode,
    inert: inert ?? (mode === 'off' ? 'switched off' : null),
  }))
}

export function placeOf({ file, line }: HookRow): string | null {
  return file === null ? null : `${file}:${line}`
}
