// What one call is judged with by a client that is alone: the guards of all projects, made as in the daemon, and the work that hooks and
// conditions see.
import { join } from 'node:path'
import type { BuiltinPorts, HookEvent } from '@belay/core'
import type { Agent } from '@belay/core/adapter'
import { EXPIRY_MS } from '../approval/request.ts'
import { type Config, readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { ownCommand } from '../config/own-command.ts'
import type { GuardCache } from '../decision/guard-cache.ts'
import { createPolicyGuards } from '../decision/policy-guards.ts'
import { userHomeOf } from '../guard/load-guard.ts'
import { CONTEXT_WINDOW } from '../state/call-count.ts'
import { stateFields } from '../state/state-fields.ts'
import { createWorkHooks } from '../state/work-hooks.ts'
import { WORK, type WorkView } from '../state/work-view.ts'
import { type KnownAlone, readKnown } from './known-alone.ts'
import type { AloneParts } from './work-alone.ts'

export interface Scene {
  readonly guards: GuardCache
  /** Why config.toml cannot be used: the daemon may know what it said before. */
  readonly problem: string | null
  readonly parts: AloneParts
  /** How long a person has to answer. */
  readonly expiryMs: number
  /** Nothing is decided for calls of this session. */
  isIdle(session: string, directory: string): boolean
  /** From here on hooks and conditions see this; gives what hooks read. */
  enter(known: KnownAlone, view: WorkView): Map<string, unknown>
}

export interface ScenePlace {
  readonly agent: Agent
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
}

interface SceneParts {
  readonly ports: BuiltinPorts
  cleanName(name: string): string
}

export function openScene({ home, etc, env, agent }: ScenePlace, { ports, cleanName }: SceneParts): Scene {
  const { config: file } = homePaths(home)
  const read = readConfig(file)
  const config: Config = read.ok ? read.config : {}
  const userHome = userHomeOf(env)
  let seen: { readonly known: KnownAlone; readonly view: WorkView } | null = null
  const stateOf = (event: HookEvent) => ({
    ...stateFields(event, seen?.view ?? null),
    commitment: event.commitment === null || seen === null ? null : seen.known.claims.fieldsOf(event.commitment),
  })
  const hooksFor = createWorkHooks({
    stateOf,
    rows: { changed: () => undefined },
    belayHome: home,
    userHome,
    command: ownCommand(env.PATH),
  })
  const guards = createPolicyGuards({
    ...{ home, etc, env, stateOf, ports },
    remember: false,
    config: () => config,
    hooksOf: loaded => hooksFor(loaded.policies.flatMap(policy => policy.guards)),
    onLoaded: () => undefined,
    now: () => performance.now(),
  })
  const contextWindowOf = (kind: string, said: number | null) => config.agents?.[kind]?.contextWindow ?? said ?? CONTEXT_WINDOW
  return {
    guards,
    problem: read.ok ? null : `${file} cannot be read`,
    expiryMs: config.approvals?.expiryMs ?? EXPIRY_MS,
    parts: { belayHome: home, userHome, cleanName, contextWindowOf, spool: join(home, 'spool') },
    isIdle(session, directory) {
      const { root, unknown } = readKnown(home, agent.id, session)
      return unknown === null && guards.observesOnly(root ?? directory)
    },
    enter(known, view) {
      seen = { known, view }
      return new Map<string, unknown>().set(WORK, view)
    },
  }
}
