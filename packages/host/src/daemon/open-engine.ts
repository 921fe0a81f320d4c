// What the daemon judges and remembers with: state, accountability, guards, and the one decide over them.
import type { Config } from '../config/config-file.ts'
import { createDaemonWorld } from '../guardrail/guardrail-world.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { openTally, type Tally } from '../page/tally.ts'
import { openState, type StateEngine } from '../state/open-state.ts'
import { type Accountability, openAccountability } from './accountability.ts'
import { announceEntries } from './announce-entries.ts'
import { openConfig, personOf } from './daemon-config.ts'
import { createDecide } from './decide.ts'
import type { EventFeed } from './event-feed.ts'
import type { GuardCache } from './guard-cache.ts'
import type { Decide } from './hook-call.ts'
import type { LogLine } from './log-line.ts'
import type { Metrics } from './metrics.ts'
import { createPolicyGuards } from './policy-guards.ts'
import { recordDecisions } from './record-decisions.ts'

export interface EngineOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ledger: RemoteLedger
  readonly feed: EventFeed
  readonly metrics: Metrics
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  log(line: LogLine): void
}

export interface DaemonEngine {
  readonly state: StateEngine
  readonly accountability: Accountability
  readonly guards: GuardCache
  readonly tally: Tally
  /** Whose entries the feed carries; decisions are published by themselves. */
  readonly ledger: Ledger
  readonly decide: Decide
  readonly person: string
  /** As config.toml says now. */
  config(): Config
  /** Resolves when every answer that was given is on disk, or was reported. */
  settle(): Promise<void>
}

export async function openEngine({ home, etc, env, ledger, feed, metrics, redact, log }: EngineOptions): Promise<DaemonEngine> {
  const config = openConfig(home, log)
  const person = personOf(config())
  const publish = (type: string, data: unknown) => void feed.publish(type, data)
  const state = await openState({
    store: ledger.store,
    home,
    env,
    config,
    redact,
    invalidatePolicies: () => guards.invalidate(),
    publish,
    onFailure: error => log({ level: 'error', message: 'state could not be written; it is kept and tried again', error: String(error) }),
    now: Date.now,
  })
  const announced = announceEntries(ledger, feed)
  const accountability = await openAccountability({
    ledger: announced,
    home,
    env,
    config,
    person,
    guards: () => guards,
    redact,
    roleOf: state.work.roleOf,
    publish,
    warn: message => log({ level: 'warn', message }),
  })
  const guardrails = createDaemonWorld({ parts: state.parts, env })
  const guards: GuardCache = createPolicyGuards({
    home,
    etc,
    env,
    config,
    hooksOf: state.hooksOf,
    stateOf: event => ({ ...state.work.stateOf(event), ...accountability.stateOf(event) }),
    ports: accountability.ports,
    guardrails,
    llmOf: createLlmChoice({ home, env, onProblem: message => log({ level: 'error', message }) }),
    onBroken: ({ path, errors }) =>
      log({
        level: 'error',
        message: 'a policy is broken; its last good version stays in force',
        file: path,
        errors: errors.map(({ place, message }) => `${place.line}:${place.column} ${message}`),
      }),
    now: () => performance.now(),
  })
  const tally = await openTally({
    store: ledger.store,
    redact: text => String(redact({ text }).text),
    onFailure: error =>
      log({ level: 'error', message: 'what hooks cost could not be written; it is kept and tried again', error: String(error) }),
    now: Date.now,
  })
  const { decide, settle } = createDecide({
    guards,
    work: { ...state.work, commitmentOf: accountability.commitmentOf },
    accounts: accountability.accounts,
    isPaused: () => state.pause.current() !== null,
    cleanName: state.parts.cleanName,
    ...recordDecisions({ ledger, feed, metrics, tally, log, awaitRecord: guardrails.toolCalls.awaitRecord }),
  })
  return { state, accountability, guards, tally, ledger: announced, decide, person, config, settle }
}
