// Puts the state engine together for one daemon.
import { homedir } from 'node:os'
import type { HookDefinition } from '@belay/core'
import type { Config } from '../config/config-file.ts'
import type { LoadedPolicies } from '../config/genesis.ts'
import { createNameCleaner } from '../ledger/clean-name.ts'
import type { Store } from '../store/store.ts'
import { createWork, type StateWork } from './create-work.ts'
import { DIRECTIVE_BUDGET, DIRECTIVE_NAMES } from './directive.ts'
import { openPause, type Pause } from './pause.ts'
import { createRuns } from './run.ts'
import { createSkillBook } from './skill.ts'
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
  invalidatePolicies(): void
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

const CONTEXT_WINDOW = 200_000

export async function openState(options: StateOptions): Promise<StateEngine> {
  const { store, home, config, now } = options
  const userHome = options.env.HOME ?? homedir()
  const rows = await openWorkRows({ store, now, onFailure: options.onFailure })
  const redact = (text: string) => String(options.redact({ text }).text)
  const parts: WorkParts = {
    store,
    rows,
    skills: createSkillBook({ belayHome: home, userHome }),
    runs: createRuns(),
    get directives() {
      const { names = DIRECTIVE_NAMES, budget = DIRECTIVE_BUDGET } = config().directives ?? {}
      return { names, budget }
    },
    belayHome: home,
    userHome,
    contextWindowOf: (agentKind, said) => config().agents?.[agentKind]?.contextWindow ?? said ?? CONTEXT_WINDOW,
    redact,
    redactValue: value => options.redact({ value }).value,
    cleanName: createNameCleaner(redact),
    invalidatePolicies: options.invalidatePolicies,
    publish: options.publish,
    onFailure: options.onFailure,
    now,
  }
  const work = createWork(parts)
  const hooksFor = createWorkHooks({ stateOf: work.stateOf, rows, belayHome: home, userHome })
  return {
    parts,
    work,
    pause: openPause(home, now),
    hooksOf: loaded => hooksFor(loaded.policies.flatMap(policy => policy.guards)),
    close: rows.flush,
  }
}
