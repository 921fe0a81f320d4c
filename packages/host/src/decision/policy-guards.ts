// The guards of all projects that agents work in, rebuilt when a policy, the trust in it or a file of hooks changes.
import type { BuiltinPorts, HookDefinition, LlmProvider } from '@belay/core'
import { createFileView } from '@belay/core/match'
import type { StateOf } from '@belay/core/policy'
import type { ActiveSkills } from '../config/active-skills.ts'
import type { Config } from '../config/config-file.ts'
import type { LoadedPolicies } from '../config/genesis.ts'
import { findProject, projectSigns } from '../config/project.ts'
import { buildGuard, completeGuard, type GuardPlace, type GuardSources, guardFiles, loadGuard } from '../guard/load-guard.ts'
import type { RunningHooks } from '../guard/running-hooks.ts'
import { simulate } from '../guard/simulate.ts'
import type { GuardrailWorld } from '../guardrail/guardrail-world.ts'
import { createGuardCache, type GuardCache, type GuardCacheOptions } from './guard-cache.ts'

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
  /** Which skills are in use; default: as the files under the home say. */
  readonly skills?: ActiveSkills
  /** Who follows hooks while they run. */
  readonly running?: RunningHooks
  /** Absent: what needs no daemon. */
  readonly guardrails?: GuardrailWorld
  /** The model that prompt and agent hooks ask, as config.toml names it now. */
  llmOf?(config: Config): LlmProvider | null
  /** Keep what holds now for the day that a file breaks or is gone; default: yes. */
  readonly remember?: boolean
  onLoaded(sources: GuardSources): void
  /** Calls that begin together; absent: each begins alone. */
  readonly turn?: GuardCacheOptions['turn']
  now: () => number
}

/** What cannot be seen by the folders around a project (a repository that moves, say) holds after this long at the latest. */
const FRESH_MS = 200

export function createPolicyGuards(options: PolicyGuardOptions): GuardCache {
  const { home, etc, env, stateOf, ports, guardrails, skills, running, remember = true } = options
  const place: GuardPlace = { home, etc, env, remember }
  const files = createFileView()
  return createGuardCache({
    load: root => loadGuard(root, place, root),
    complete: loaded => completeGuard(loaded, { ...place, remember: false }),
    build: sources => {
      const config = options.config()
      const llm = options.llmOf?.(config) ?? null
      const ownHooks = options.hooksOf(sources.loaded)
      return buildGuard(sources, place, {
        config,
        files,
        ownHooks,
        stateOf,
        ports,
        llm,
        ...(guardrails === undefined ? {} : { guardrails }),
        ...(skills === undefined ? {} : { skills }),
        ...(running === undefined ? {} : { running }),
      })
    },
    simulate: (sources, event) =>
      simulate(sources, { ...place, remember: false }, event, { config: options.config(), skills: [], isReal: false, llm: null }),
    projectOf: directory => findProject(directory, home),
    signsOf: (directory, project) => projectSigns(directory, project),
    watched: (root, policies) => guardFiles(root, place, policies),
    onLoaded: options.onLoaded,
    turn: options.turn ?? { current: null },
    now: options.now,
    freshMs: FRESH_MS,
  })
}
