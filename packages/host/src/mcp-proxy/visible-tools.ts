// Which tools of a server an actor could ever be allowed to call. The rest is not shown to the model: it would only be refused.
import { homedir } from 'node:os'
import { createFileView } from '@belay/core/match'
import { compileRules, effectivePermissions, judge, type Permissions, type Rule } from '@belay/core/policy'
import { readConfig } from '../config/config-file.ts'
import { loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { homePaths } from '../config/home.ts'
import { type Claims, NO_SUBAGENT, resolveIdentity } from '../guard/identity.ts'

export interface VisibleToolsOptions {
  readonly server: string
  readonly cwd: string
  readonly home: string
  readonly etc: string
  /** As the call itself will be judged. */
  readonly claims: Claims
}

export function findVisibleTools(names: readonly string[], options: VisibleToolsOptions): ReadonlySet<string> {
  const { cwd, home, etc, server, claims } = options
  const loaded = loadPolicies({ cwd, home, etc, checks: genesisChecks })
  // A broken policy refuses every call with the place of the error, which somebody should get to read.
  if (loaded.policies.length === 0 || loaded.locked !== null) return new Set(names)
  const rulesOf = (actor: string) => compileRules(mildest(effectivePermissions(loaded.policies, actor)))
  const { actor, alsoAs } = resolveIdentity({ ...claims, configured: configuredActor(home, claims.agentKind) }, NO_SUBAGENT)
  const rules = [actor, ...alsoAs].map(rulesOf)
  const context = { root: loaded.root, cwd, home: homedir(), files: createFileView(), belayHome: home, selfProtection: false }
  const isRefused = (name: string): boolean =>
    rules.some(each => judge({ tool: `mcp__${server}__${name}`, input: {} }, each, context).verdict.decision === 'deny')
  return new Set(names.filter(name => !isRefused(name)))
}

function configuredActor(home: string, agentKind: string): string | null {
  const config = readConfig(homePaths(home).config)
  return config.ok ? (config.config.agents?.[agentKind]?.actor ?? null) : null
}

/** What these rules could say at best to any input: allows and asks count as if their argument fitted, denials as if it did not. */
function mildest({ allow, ask, deny, ...rest }: Permissions): Permissions {
  return { ...rest, allow: allow.map(withoutArgument), ask: ask.map(withoutArgument), deny: deny.filter(({ spec }) => spec === null) }
}

function withoutArgument(rule: Rule): Rule {
  return { ...rule, spec: null }
}
