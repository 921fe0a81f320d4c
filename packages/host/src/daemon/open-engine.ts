// What the daemon judges and remembers with: state, accountability, guards, and the one decide over them.
import { createAgentMarks } from '../approval/agent-mark.ts'
import type { JudgePage } from '../approval/page-standing.ts'
import type { Prove } from '../approval/prove-process.ts'
import type { Config } from '../config/config-file.ts'
import { createComparison } from '../decision/compare-policies.ts'
import { createDecide } from '../decision/decide.ts'
import type { Gaps } from '../decision/gap.ts'
import type { GuardCache } from '../decision/guard-cache.ts'
import { createDaemonWorld } from '../decision/guardrail-world.ts'
import type { Decide } from '../decision/hook-call.ts'
import { recordLateRuns } from '../decision/late-runs.ts'
import { createLoadReport } from '../decision/load-report.ts'
import { createPolicyGuards } from '../decision/policy-guards.ts'
import { recordDecisions } from '../decision/record-decisions.ts'
import { openRootMirror } from '../decision/root-mirror.ts'
import { announceEntries } from '../feed/announce-entries.ts'
import type { EventFeed } from '../feed/event-feed.ts'
import { createRunningHooks, type RunningHooks } from '../guard/running-hooks.ts'
import type { Ledger } from '../ledger/open-ledger.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { createPeople, type People } from '../method/person.ts'
import { openState, type StateEngine } from '../state/open-state.ts'
import type { Metrics } from '../statistic/metrics.ts'
import { openTally, type Tally } from '../statistic/tally.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { type Accountability, openAccountability } from './accountability.ts'
import { openConfig, personOf } from './daemon-config.ts'
import type { Turn } from './turn.ts'

export interface EngineOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly ledger: RemoteLedger
  readonly feed: EventFeed
  readonly metrics: Metrics
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
  /** Whose process calls. */
  readonly prove: Prove
  readonly judgePage: JudgePage
  readonly gaps: Gaps
  log(line: LogLine): void
  /** A call was judged by two bundles of the team. */
  countCompared(version: number, isNewDeny: boolean): void
  readonly turn: Turn
}

export interface DaemonEngine {
  readonly people: People
  readonly state: StateEngine
  readonly accountability: Accountability
  readonly guards: GuardCache
  readonly running: RunningHooks
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

export async function openEngine({
  home,
  etc,
  env,
  ledger,
  feed,
  metrics,
  redact,
  prove,
  judgePage,
  gaps,
  log,
  countCompared,
  turn,
}: EngineOptions): Promise<DaemonEngine> {
  const config = openConfig(home, log)
  const person = personOf(config())
  const publish = (type: string, data: unknown) => void feed.publish(type, data)
  const state = await openState({
    store: ledger.store,
    home,
    env,
    config,
    redact,
    publish,
    onFailure: error => log({ level: 'error', message: 'state could not be written; it is kept and tried again', error: String(error) }),
    now: Date.now,
  })
  const announced = announceEntries(ledger, feed)
  const people = createPeople({ prove, judgePage, person, record: announced.append, now: () => performance.now() })
  const accountability = await openAccountability({
    people,
    ledger: announced,
    home,
    env,
    config,
    person,
    guards: () => guards,
    redact,
    roleOf: state.work.roleOf,
    bindingOf: state.work.bindingOf,
    publish,
    warn: message => log({ level: 'warn', message }),
  })
  const guardrails = createDaemonWorld({ parts: state.parts, env })
  const running = createRunningHooks({
    publish: progress => publish('hook', progress),
    redact: text => String(redact({ text }).text),
    now: Date.now,
  })
  const guards: GuardCache = createPolicyGuards({
    home,
    etc,
    env,
    config,
    hooksOf: state.hooksOf,
    stateOf: event => ({ ...state.work.stateOf(event), ...accountability.stateOf(event) }),
    ports: accountability.ports,
    guardrails,
    running,
    llmOf: createLlmChoice({ home, env, onProblem: message => log({ level: 'error', message }) }),
    onLoaded: createLoadReport({ home, append: draft => announced.append(draft), publish, log }),
    turn,
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
    rootMirror: openRootMirror(home, error => log({ level: 'error', message: String(error) })),
    marks: createAgentMarks({ now: () => performance.now() }),
    isPaused: () => state.pause.current() !== null,
    cleanName: state.parts.cleanName,
    path: env.PATH,
    onWarning: message => log({ level: 'warn', message }),
    compare: createComparison({
      append: draft => announced.append(draft),
      count: countCompared,
      onFailure: error => log({ level: 'error', message: 'two policies could not be compared', error: String(error) }),
    }),
    onLateRun: recordLateRuns({
      append: draft => announced.append(draft),
      count: (event, run) => tally.hooks.add(event, run, Date.now()),
      onFailure: error => log({ level: 'error', message: 'how a hook ended could not be recorded', error: String(error) }),
    }),
    ...recordDecisions({ ledger, feed, metrics, tally, gaps, log, awaitRecord: guardrails.toolCalls.awaitRecord }),
  })
  return { people, state, accountability, guards, running, tally, ledger: announced, decide, person, config, settle }
}
