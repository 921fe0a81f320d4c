// The hooks of the policy files, in the order they run, with those that an untrusted file may not run set apart.
import type { BuiltinName, HookDefinition } from '../../hook/hook-definition.ts'
import type { GenesisPolicy } from './genesis-policy.ts'

/** A hook of a policy that takes longer is not stopped; its record says so. */
const BUDGET_MS = 50

export interface PolicyHook {
  readonly hook: HookDefinition
  /** Why it does not run; null: it does. */
  readonly inert: string | null
}

/** Every hook as written, for people. */
export function listPolicyHooks(policies: readonly GenesisPolicy[]): readonly PolicyHook[] {
  return policies.flatMap(policy => policy.hooks.map(hook => ({ hook, inert: inertReason(policy, hook) })))
}

/** What the engine registers: only what may run, and post_tool_use for failed calls too. */
export function activePolicyHooks(policies: readonly GenesisPolicy[]): readonly HookDefinition[] {
  return listPolicyHooks(policies).flatMap(({ hook, inert }) => {
    if (inert !== null) return []
    const active = { ...hook, budgetMs: BUDGET_MS }
    return hook.event === 'PostToolUse' ? [active, { ...active, event: 'PostToolUseFailure' }] : [active]
  })
}

/** Built-in hooks that can only hold a call back or record it. The others rewrite values or run the project's own scripts. */
const TIGHTENING: ReadonlySet<BuiltinName> = new Set([
  'deny',
  'genesis_enforcement',
  'approval_gate',
  'resource_check',
  'evidence_capture',
  'ledger_annotation',
])

function inertReason(policy: GenesisPolicy, hook: HookDefinition): string | null {
  const { handler } = hook
  if (policy.trusted || (handler.type === 'builtin' && TIGHTENING.has(handler.builtin))) return null
  const type = handler.type === 'builtin' ? handler.builtin : handler.type
  return `${policy.file} is not trusted: its ${type} hooks do not run until \`belay policy trust\``
}
