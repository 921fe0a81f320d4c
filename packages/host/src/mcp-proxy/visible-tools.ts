// Which tools of a server an actor could ever be allowed to call. The rest is not shown to the model: it would only be refused.
import { homedir } from 'node:os'
import { createFileView } from '@belay/core/match'
import { compileRules, effectivePermissions, judge, type Permissions, type Rule } from '@belay/core/policy'
import { loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { resolveActor } from '../daemon/identity.ts'

export interface VisibleToolsOptions {
  readonly server: string
  readonly cwd: string
  readonly home: string
  readonly etc: string
  /** As the call itself will be judged: what the environment says, and the role bound to the agent's id. */
  readonly actor: string | null
  readonly boundRole: string | null
}

export function findVisibleTools(names: readonly string[], options: VisibleToolsOptions): ReadonlySet<string> {
  const { cwd, home, etc, server } = options
  const loaded = loadPolicies({ cwd, home, etc, checks: genesisChecks })
  // A broken policy refuses every call with the place of the error, which somebody should get to read.
  if (loaded.policies.length === 0 || loaded.locked !== null) return new Set(names)
  const actor = resolveActor({ ...options, subagentType: null, agentKind: 'mcp' }, loaded.policies)
  const rules = compileRules(mildest(effectivePermissions(loaded.policies, actor)))
  const context = { root: loaded.root, cwd, home: homedir(), files: createFileView(), belayHome: home, selfProtection: false }
  return new Set(names.filter(name => judge({ tool: `mcp__${server}__${name}`, input: {} }, rules, context).verdict.decision !== 'deny'))
}

/** What these rules could say at best to any input: allows and asks count as if their argument fitted, denials as if it did not. */
function mildest({ allow, ask, deny, ...rest }: Permissions): Permissions {
  return { ...rest, allow: allow.map(withoutArgument), ask: ask.map(withoutArgument), deny: deny.filter(({ spec }) => spec === null) }
}

function withoutArgument(rule: Rule): Rule {
  return { ...rule, spec: null }
}
