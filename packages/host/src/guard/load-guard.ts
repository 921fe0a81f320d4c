// What a project's calls are judged by, read from files: policies, hooks.toml, settings, plugins, skills. The one loader of every door: the daemon, the client
// without it, `hooks simulate`, `hooks list` and the page.
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { BuiltinPorts, Diagnostic, HookDefinition, LlmProvider } from '@belay/core'
import { createFileView, type FileView } from '@belay/core/match'
import type { PolicyHook, StateOf } from '@belay/core/policy'
import { type ActiveSkills, openActiveSkills, withSkills } from '../config/active-skills.ts'
import { type Config, readConfig } from '../config/config-file.ts'
import { type LoadedPolicies, loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { homePaths } from '../config/home.ts'
import type { HookFile } from '../config/hook-file.ts'
import type { PolicyChange } from '../config/policy-change.ts'
import { projectPolicyPlaces } from '../config/project.ts'
import { teamPolicyFile } from '../config/team-policy.ts'
import type { GuardrailWorld } from '../guardrail/guardrail-world.ts'
import { hookSourceFiles, loadHookFiles, type SwitchedOff, switchedOff } from './hook-sources.ts'
import { createProjectGuard, type ProjectGuard } from './project-guard.ts'
import type { RunningHooks } from './running-hooks.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface GuardPlace {
  readonly home: string
  readonly etc: string
  readonly env: Env
  /** Keep what holds now for the day that a file breaks or is gone. Only the daemon does. */
  readonly remember?: boolean
}

export interface GuardSources {
  /** `locked` also where a file of hooks is broken and never was good. */
  readonly loaded: LoadedPolicies
  /** Beside those of policies, in the order of their scopes, with those that do not run. */
  readonly hooks: readonly PolicyHook[]
  /** The files that they are drawn from. */
  readonly hookFiles: readonly HookFile[]
  readonly settings: SwitchedOff['settings']
  readonly diagnostics: readonly Diagnostic[]
  /** Files that are no longer what a person accepted. */
  readonly changes: readonly PolicyChange[]
  /** There is no policy and no hook of a person: whatever comes is recorded, and nothing is decided. */
  readonly observesOnly: boolean
}

/** `root`: the project, where it is not the one that the directory belongs to. */
export function loadGuard(directory: string, place: GuardPlace, root?: string): GuardSources {
  const { home, etc, remember = false } = place
  const only = root === undefined ? {} : { root }
  return completeGuard(loadPolicies({ cwd: directory, ...only, home, etc, checks: genesisChecks, remember }), place)
}

/** The hooks that belong to these policies. */
export function completeGuard(loaded: LoadedPolicies, { home, env, remember = false }: GuardPlace): GuardSources {
  const { root, policies, files } = loaded
  const hookFiles = loadHookFiles({ root, home, userHome: userHomeOf(env) }, policies, remember)
  const { config: configFile } = homePaths(home)
  const config = readConfig(configFile)
  const { settings, why } = switchedOff(config.ok ? (config.config.hooks ?? {}) : {}, configFile, hookFiles)
  const hooks = hookFiles.flatMap(file => file.hooks.map(({ hook, inert }) => ({ hook, inert: inert ?? why })))
  const locked = loaded.locked ?? hookFiles.find(({ isLocked }) => isLocked)?.errors[0] ?? null
  return {
    loaded: locked === loaded.locked ? loaded : { ...loaded, locked },
    hooks,
    hookFiles,
    settings,
    diagnostics: hookFiles.flatMap(({ errors, warnings }) => [...errors, ...warnings]),
    changes: [...files, ...hookFiles].flatMap(({ change }) => change ?? []),
    observesOnly: policies.length === 0 && locked === null && hooks.every(({ inert }) => inert !== null),
  }
}

export interface BrokenFile {
  readonly path: string
  readonly errors: readonly Diagnostic[]
  /** An earlier version of it holds; else gating events are denied until it is fixed. */
  readonly isHeld: boolean
}

/** Policies and files of hooks that cannot be used as they are. */
export function brokenFiles({ loaded, hookFiles }: Pick<GuardSources, 'loaded' | 'hookFiles'>): readonly BrokenFile[] {
  return [
    ...loaded.files.map(({ path, errors, policy }) => ({ path, errors, isHeld: policy !== null })),
    ...hookFiles.map(({ path, errors, isLocked }) => ({ path, errors, isHeld: !isLocked })),
  ].filter(({ errors }) => errors.length > 0)
}

/** Every file that the guard of a root is built from, whether it is there or not. `policies`: those that say which sources count. */
export function guardFiles(root: string, { home, etc, env }: GuardPlace, policies: LoadedPolicies['policies']): readonly string[] {
  const { config, trust, policy } = homePaths(home)
  const sources = hookSourceFiles({ root, home, userHome: userHomeOf(env) }, policies)
  return [config, trust, policy, teamPolicyFile(home), join(etc, 'genesis.key'), ...projectPolicyPlaces(root), ...sources]
}

/** What a door has beside the files. */
export interface GuardParts {
  readonly config: Config
  readonly files?: FileView
  /** Hooks of the program itself, before those of people. */
  readonly ownHooks?: readonly HookDefinition[]
  readonly stateOf?: StateOf
  /** Which skills are in use; default: as the files under the home say. */
  readonly skills?: ActiveSkills
  readonly ports?: BuiltinPorts
  readonly guardrails?: GuardrailWorld
  readonly llm?: LlmProvider | null
  readonly running?: RunningHooks
  readonly stopsAtRefusal?: boolean
}

export function buildGuard({ loaded, hooks, settings }: GuardSources, { home, env }: GuardPlace, parts: GuardParts): ProjectGuard {
  const { config, files = createFileView(), ownHooks = [], ports, guardrails, llm, running, stopsAtRefusal = false } = parts
  const { hooks: configured = {}, httpHooks, agents = {} } = config
  // Nobody asks which skills are in use where no hook depends on it.
  const skills = hooks.some(({ hook, inert }) => hook.scope === 'skill' && inert === null) ? (parts.skills ?? openActiveSkills(home)) : null
  const stateOf = skills === null ? parts.stateOf : withSkills(skills, parts.stateOf)
  return createProjectGuard({
    loaded,
    belayHome: home,
    userHome: userHomeOf(env),
    files,
    hooks: [...ownHooks, ...hooks.flatMap(({ hook, inert }) => (inert === null ? [hook] : []))],
    settings: { ...configured, ...settings },
    agents,
    stopsAtRefusal,
    ...(stateOf === undefined ? {} : { stateOf }),
    ...(skills === null ? {} : { skills }),
    ...(ports === undefined ? {} : { ports }),
    ...(guardrails === undefined ? {} : { guardrails }),
    ...(running === undefined ? {} : { running }),
    handler: {
      env,
      ...(httpHooks?.allow === undefined ? {} : { allowPrivate: httpHooks.allow }),
      ...(llm === undefined || llm === null ? {} : { llm }),
    },
  })
}

export function userHomeOf(env: Env): string {
  return env.HOME ?? homedir()
}
