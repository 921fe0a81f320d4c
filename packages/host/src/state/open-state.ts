// Puts the state engine together for one daemon.
import { homedir } from 'node:os'
import type { HookDefinition } from '@belay/core'
import type { Config } from '../config/config-file.ts'
import type { LoadedPolicies } from '../config/genesis.ts'
import { ownCommand } from '../config/own-command.ts'
import { createSkillBook } from '../config/skill.ts'
import { createNameCleaner } from '../ledger/clean-name.ts'
import type { Store } from '../store/store.ts'
import { openBindings } from './agent-binding.ts'
import { CONTEXT_WINDOW } from './call-count.ts'
import { createWork, type StateWork } from './create-work.ts'
import { DIRECTIVE_BUDGET, DIRECTIVE_NAMES } from './directive.ts'
import { openPause, type Pause } from './pause.ts'
import { openRoleMirror } from './role-mirror.ts'
import { openRowMirror, type RowMirror } from './row-mirror.ts'
import { createRuns } from './run.ts'
import { createWorkHooks } from './work-hooks.ts'
import type { WorkParts } from './work-parts.ts'
import { openWorkRows } from './work-rows.ts'

export interface StateOptions {
  readonly store: Store
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** As it is now. */
  config(): Config
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  publish(type: string, data: unknown): void
  onFailure(error: unknown): void
  readonly now: () => number
}

export interface StateEngine {
  readonly parts: WorkParts
  readonly work: StateWork
  readonly pause: Pause
  /** Heartbeat, overflow and guards for a project. */
  hooksOf(loaded: LoadedPolicies): readonly HookDefinition[]
  /** Writes what is still on its way. */
  close(): Promise<void>
}

export async function openState(options: StateOptions): Promise<StateEngine> {
  const { store, home, config, now } = options
  const userHome = options.env.HOME ?? homedir()
  const roles = await openRoleMirror(store, options)
  const work = await openRowMirror(store, options)
  const mirror: RowMirror = {
    ...work,
    reloaded(agent) {
      roles.setRole(agent.id, agent.role)
      work.reloaded(agent)
    },
  }
  const rows = await openWorkRows({ store, now, mirror, onFailure: options.onFailure })
  const redact = (text: string) => String(options.redact({ text }).text)
  const parts: WorkParts = {
    store,
    rows,
    skills: createSkillBook({ belayHome: home, userHome }),
    runs: createRuns(),
    bindings: await openBindings(store, roles),
    get directives() {
      const { names = DIRECTIVE_NAMES, budget = DIRECTIVE_BUDGET } = config().directives ?? {}
      return { names, budget }
    },
    belayHome: home,
    userHome,
    path: options.env.PATH ?? null,
    command: ownCommand(options.env.PATH),
    contextWindowOf: (agentKind, said) => config().agents?.[agentKind]?.contextWindow ?? said ?? CONTEXT_WINDOW,
    redact,
    redactValue: value => options.redact({ value }).value,
    cleanName: createNameCleaner(redact),
    publish: options.publish,
    onFailure: options.onFailure,
    now,
  }
  const stateWork = createWork(parts)
  const hooksFor = createWorkHooks({ stateOf: stateWork.stateOf, rows, belayHome: home, userHome, command: parts.command })
  return {
    parts,
    work: stateWork,
    pause: openPause(home, now),
    hooksOf: loaded => hooksFor(loaded.policies.flatMap(policy => policy.guards)),
    close: rows.flush,
  }
}
