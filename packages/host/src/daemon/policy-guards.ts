// The guards of all projects that agents work in, rebuilt when a policy, the trust in it or a hooks.toml changes.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { BuiltinPorts, HookDefinition, LlmProvider } from '@belay/core'
import { createFileView } from '@belay/core/match'
import type { StateOf } from '@belay/core/policy'
import type { Config } from '../config/config-file.ts'
import { type LoadedPolicies, loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { homePaths } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { activeFileHooks, projectHookFile } from '../config/project-hooks.ts'
import { settingsFiles, settingsHooks } from '../config/settings-hooks.ts'
import { createProjectGuard, observesOnly } from '../guard/project-guard.ts'
import type { GuardrailWorld } from '../guardrail/guardrail-world.ts'
import { createGuardCache, type GuardCache } from './guard-cache.ts'

export interface PolicyGuardOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The daemon's own hooks for a project, of policy scope. */
  hooksOf(loaded: LoadedPolicies): readonly HookDefinition[]
  /** config.toml as it is now. */
  config(): Config
  readonly stateOf: StateOf
  readonly ports: BuiltinPorts
  /** Absent: what needs no daemon. */
  readonly guardrails?: GuardrailWorld
  /** The model that prompt and agent hooks ask, as config.toml names it now. */
  llmOf?(config: Config): LlmProvider | null
  onBroken(file: LoadedPolicies['files'][number]): void
  now: () => number
}

/** A change on disk holds after this long at the latest. */
const FRESH_MS = 200

export function createPolicyGuards(options: PolicyGuardOptions): GuardCache {
  const { home, etc, env } = options
  const files = createFileView()
  const userHome = env.HOME ?? homedir()
  const personsHooks = ({ root, policies }: LoadedPolicies) => [
    ...activeFileHooks({ root, home, policies }),
    ...settingsHooks({ root, userHome, policies }),
  ]
  return createGuardCache({
    load: directory => loadPolicies({ cwd: directory, home, etc, checks: genesisChecks, remember: true }),
    build: loaded => {
      const config = options.config()
      const { hooks = {}, httpHooks, agents = {} } = config
      const llm = options.llmOf?.(config) ?? null
      return createProjectGuard({
        loaded,
        belayHome: home,
        userHome,
        files,
        hooks: [...options.hooksOf(loaded), ...personsHooks(loaded)],
        settings: hooks,
        agents,
        stateOf: options.stateOf,
        ports: options.ports,
        ...(options.guardrails === undefined ? {} : { guardrails: options.guardrails }),
        handler: {
          env,
          ...(httpHooks?.allow === undefined ? {} : { allowPrivate: httpHooks.allow }),
          ...(llm === null ? {} : { llm }),
        },
      })
    },
    observesOnly: loaded => observesOnly(loaded, personsHooks(loaded)),
    rootOf: directory => findProject(directory, home).root,
    watched: root => [
      homePaths(home).config,
      join(home, 'hooks.toml'),
      projectHookFile(root),
      ...settingsFiles({ root, userHome }),
      homePaths(home).trust,
      homePaths(home).policy,
      join(etc, 'genesis.key'),
      ...['.belay', '.mentu'].map(folder => join(root, folder, 'genesis.key')),
    ],
    onLoaded: loaded => {
      for (const file of loaded.files) if (file.errors.length > 0) options.onBroken(file)
    },
    now: options.now,
    freshMs: FRESH_MS,
  })
}
