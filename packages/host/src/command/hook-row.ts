// One hook as lists show it.
import type { PolicyHook } from '@belay/core/policy'

export interface HookRow {
  readonly name: string
  readonly event: string
  readonly type: string
  readonly matcher: string | null
  readonly condition: string | null
  readonly scope: string
  readonly order: string
  readonly fail: string
  readonly file: string | null
  readonly line: number | null
  /** Why it does not run; null: it does. */
  readonly inert: string | null
}

export function hookRow({ hook, inert }: PolicyHook): HookRow {
  const { handler, matcher } = hook
  const type = handler.type === 'builtin' ? handler.builtin : handler.type
  return {
    name: hook.name ?? (hook.place === undefined ? type : `${type}:${hook.place.line}`),
    event: hook.event,
    type,
    matcher: matcher === undefined ? null : 'text' in matcher ? matcher.text : String(matcher),
    condition: hook.condition ?? null,
    scope: hook.scope,
    order: hook.order ?? 'sequence',
    fail: hook.fail ?? (hook.scope === 'policy' ? 'closed' : 'open'),
    file: hook.place?.file ?? null,
    line: hook.place?.line ?? null,
    inert,
  }
}

export function describeHook(row: HookRow): readonly string[] {
  const where = row.file === null ? '' : `${row.file}:${row.line}`
  return [row.event, row.type, row.matcher ?? '*', row.inert === null ? where : `${where}  inert: ${row.inert}`]
}
