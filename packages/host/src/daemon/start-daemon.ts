// The daemon of one user, in this process: opens the store, the feed and the doors, and closes them in the order that loses nothing.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { createFleetMethods } from '../fleet/fleet-methods.ts'
import { createDaemonWorld } from '../guardrail/guardrail-world.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { type Ledger, openLedger } from '../ledger/open-ledger.ts'
import { createLlmChoice } from '../llm/llm-choice.ts'
import { replaySpool } from '../shim/spool.ts'
import { openState } from '../state/open-state.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { openAccountability } from './accountability.ts'
import { createRoutes } from './daemon-routes.ts'
import { createDecide, type DecideOptions } from './decide.ts'
import { createEventFeed, type EventFeed } from './event-feed.ts'
import type { GuardCache } from './guard-cache.ts'
import type { RouteCall } from './http/route.ts'
import { createLoadGate, LOAD_LIMITS } from './load-gate.ts'
import { createStateMethods } from './method/table.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { openDoors } from './open-doors.ts'
import { createPolicyGuards } from './policy-guards.ts'
import type { RpcMethod } from './rpc.ts'

export interface DaemonOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly port: number | null
  readonly version: string
  log(line: LogLine): void
}

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly message: string
  readonly [name: string]: unknown
}

export interface Daemon {
  readonly socket: string
  readonly url: string
  /** Resolves when it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
  /** Finishes what it acknowledged, then closes. */
  stop(): Promise<void>
}

export type Started = { readonly ok: true; readonly daemon: Daemon } | { readonly ok: false; readonly why: string }

/** For readers that come back; what is older is in the ledger. */
const EVENTS_KEPT = 2000

export async function startDaemon(options: DaemonOptions): Promise<Started> {
  const { home, log } = options
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const paths = runPaths(home, options.env)
  const redact = createBodyRedactor(home)
  const ledger = await openLedger({
    home,
    lockWaitMs: 0,
    redact,
    onWarning: message => log({ level: 'warn', message }),
  })
  const startedAt = Date.now()
  const onBug = (error: unknown) =>
    log({ level: 'error', message: 'a request failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  // Ids grow across restarts, so that a reader can resume.
  const feed = createEventFeed({ keep: EVENTS_KEPT, firstId: startedAt * 1000 })
  const gate = createLoadGate(LOAD_LIMITS, Date.now)
  const metrics = createMetrics()
  metrics.gauge('belay_calls_in_progress', () => gate.inProgress)
  metrics.gauge('belay_resident_bytes', () => process.memoryUsage.rss())
  const config = loadConfig(home, log)
  const state = await openState({
    store: ledger.store,
    home,
    env: options.env,
    config,
    redact,
    invalidatePolicies: () => guards.invalidate(),
    publish: (type, data) => void feed.publish(type, data),
    onFailure: error => log({ level: 'error', message: 'state could not be written; it is kept and tried again', error: String(error) }),
    now: Date.now,
  })
  const accountability = await openAccountability({
    ledger,
    home,
    env: options.env,
    config,
    person: personOf(config),
    guards: () => guards,
    redact,
    roleOf: state.work.roleOf,
    publish: (type, data) => void feed.publish(type, data),
    warn: message => log({ level: 'warn', message }),
  })
  const guards: GuardCache = createPolicyGuards({
    ...options,
    config: () => loadConfig(home, log),
    hooksOf: state.hooksOf,
    stateOf: event => ({ ...state.work.stateOf(event), ...accountability.stateOf(event) }),
    ports: accountability.ports,
    guardrails: createDaemonWorld({ parts: state.parts, env: options.env }),
    llmOf: createLlmChoice({ home, env: options.env, onProblem: message => log({ level: 'error', message }) }),
    onBroken: file =>
      log({
        level: 'error',
        message: 'a policy is broken; its last good version stays in force',
        file: file.path,
        errors: file.errors.map(({ place, message }) => `${place.line}:${place.column} ${message}`),
      }),
    now: () => performance.now(),
  })
  const decide = createDecide({
    guards,
    work: { ...state.work, commitmentOf: accountability.commitmentOf },
    accounts: accountability.accounts,
    isPaused: () => state.pause.current() !== null,
    ...recording({ ledger, feed, metrics, log }),
  })
  const facts = { pid: process.pid, version: options.version, socket: paths.socket, store: ledger.files.database, url: '' }
  let stop = (): Promise<void> => Promise.resolve()
  const methods = new Map<string, RpcMethod<RouteCall>>([
    ['daemon.status', () => ({ ...facts, uptimeMs: Date.now() - startedAt, paused: state.pause.current() })],
    ...accountability.methods,
    ...createFleetMethods({ state, feed, guards }),
    ...createStateMethods({ state, decide, gate, record: draft => ledger.append(draft), person: personOf(config) }),
    [
      'daemon.stop',
      () => {
        setImmediate(() => void stop())
        return { stopping: true }
      },
    ],
  ])
  const { routes: further, presence } = accountability
  const routes = createRoutes({ version: options.version, decide, gate, feed, metrics, methods, further, onPerson: presence.arrive, onBug })
  const doors = await openDoors({ paths, port: options.port, routes, decide, gate, isSession: () => false, onFailure: onBug })
  if (!doors.ok) {
    await ledger.close()
    return { ok: false, why: doors.why }
  }
  facts.url = `http://127.0.0.1:${doors.port}/`
  const replaying = replayRegularly(join(home, 'spool'), ledger, log)
  writeState(paths, { pid: process.pid, port: doors.port, version: options.version, startedAt })
  log({ level: 'info', message: 'up', socket: paths.socket, url: facts.url })
  const ending = createEnding(async () => {
    accountability.close()
    await doors.close()
    await replaying.stop()
    await state.close()
    await ledger.close()
    for (const file of [paths.socket, paths.shimSocket, paths.state]) rmSync(file, { force: true })
    log({ level: 'info', message: 'down' })
  })
  stop = ending.stop
  return { ok: true, daemon: { socket: paths.socket, url: facts.url, ...ending } }
}

interface Recording {
  readonly ledger: Ledger
  readonly feed: EventFeed
  readonly metrics: Metrics
  readonly log: DaemonOptions['log']
}

function recording({ ledger, feed, metrics, log }: Recording): Pick<DecideOptions, 'record' | 'onDecision' | 'onRecordFailure' | 'now'> {
  const now = () => performance.now()
  return {
    now,
    async record(draft, options) {
      const begun = now()
      await ledger.append(draft, options)
      metrics.observe('belay_record_seconds', (now() - begun) / 1000)
    },
    onDecision(draft) {
      metrics.count('belay_events_total', { event: String(draft.body.event), verdict: String(draft.body.verdict) })
      metrics.observe('belay_decision_seconds', Number(draft.body.tookMs) / 1000)
      feed.publish('decision', { ...draft, time: new Date().toISOString() })
    },
    onRecordFailure(error, draft) {
      metrics.count('belay_record_failures_total')
      log({ level: 'error', message: 'a record could not be written', kind: draft.kind, error: String(error) })
    },
  }
}

const REPLAY_MS = 2000

/** Shims spool while they find no daemon, also in the moment before this one opened its doors: so it looks again now and then. */
function replayRegularly(folder: string, ledger: Ledger, log: DaemonOptions['log']): { stop(): Promise<void> } {
  const onBroken = (file: string, why: string) =>
    log({ level: 'error', message: 'a spooled event cannot be read and was set aside', file, why })
  const replay = async (): Promise<void> => {
    try {
      const taken = await replaySpool(folder, ({ eventId, draft }) => ledger.append(draft, { eventId }), onBroken)
      if (taken > 0) log({ level: 'info', message: 'spooled events recorded', taken })
    } catch (error) {
      log({ level: 'error', message: 'spooled events could not be recorded and stay', error: String(error) })
    }
  }
  let running = replay()
  const timer = setInterval(() => {
    running = running.then(replay)
  }, REPLAY_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      return running
    },
  }
}

/** A file that cannot be read changes nothing but a loud warning. */
function loadConfig(home: string, log: DaemonOptions['log']): Config {
  const read = readConfig(homePaths(home).config)
  if (read.ok) return read.config
  for (const { place, message } of read.errors)
    log({ level: 'error', message: 'config.toml is not used', file: place.file, line: place.line, why: message })
  return {}
}

/** `human:<name>`: as configured, else the user of this machine. */
function personOf(config: Config): string {
  return `human:${config.person ?? userInfo().username}`
}

function writeState({ state }: RunPaths, { startedAt, ...facts }: { pid: number; port: number; version: string; startedAt: number }): void {
  writeFileSync(state, `${JSON.stringify({ ...facts, startedAt: new Date(startedAt).toISOString() })}\n`, { mode: 0o600 })
}

/** Stops once, however many ask. */
function createEnding(close: () => Promise<void>): Pick<Daemon, 'stop' | 'stopped'> {
  let stopping: Promise<void> | null = null
  let settle: (result: Promise<void>) => void = () => undefined
  const stopped = new Promise<void>(resolve => {
    settle = resolve
  })
  return {
    stopped,
    stop() {
      stopping ??= close()
      settle(stopping)
      return stopping
    },
  }
}
