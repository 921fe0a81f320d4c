// The daemon of one user, in this process: opens the store, the feed and the doors, and closes them in the order that loses nothing.
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { makeFolder } from '../config/make-folder.ts'
import { openDashboard } from '../dashboard/open-dashboard.ts'
import { createFleetMethods } from '../fleet/fleet-methods.ts'
import { createLastTools, type LastTools, readEarlierCalls } from '../fleet/last-tools.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { systemClock } from '../ledger/clock.ts'
import { parseCheckpointTarget } from '../ledger/export-checkpoint.ts'
import { createLedgerMethods } from '../ledger/ledger-methods.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import { openLedgerThread } from '../ledger/thread/open-ledger-thread.ts'
import { openPage } from '../page/open-page.ts'
import { prepareLedgerRead } from '../store/table/ledger.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { createRoutes } from './daemon-routes.ts'
import { closeAll, createEnding, type Ending } from './ending.ts'
import { createEventFeed } from './event-feed.ts'
import type { RouteCall } from './http/route.ts'
import { createLoadGate, LOAD_LIMITS, type LoadGate } from './load-gate.ts'
import type { LogLine } from './log-line.ts'
import { refuseToken } from './method/person.ts'
import { createStateMethods } from './method/table.ts'
import { createMetrics } from './metrics.ts'
import { openDoors } from './open-doors.ts'
import { type DaemonEngine, openEngine } from './open-engine.ts'
import { createReplay } from './replay-event.ts'
import { replayRegularly } from './replay-regularly.ts'
import type { RpcMethod } from './rpc.ts'
import { trimRegularly } from './trim-regularly.ts'

export interface DaemonOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asked for: this one or none; null: the configured one, else the usual one, or the next that is free. */
  readonly port: number | null
  readonly version: string
  log(line: LogLine): void
}

export interface Daemon extends Ending {
  readonly socket: string
  readonly url: string
}

export type Started = { readonly ok: true; readonly daemon: Daemon } | { readonly ok: false; readonly why: string }

/** For readers that come back; what is older is in the ledger. */
const EVENTS_KEPT = 2000

export async function startDaemon(options: DaemonOptions): Promise<Started> {
  const { home, log } = options
  makeFolder(home, 0o700)
  const read = readConfig(homePaths(home).config)
  // A configuration that cannot be read is reported where everything else of it is used.
  const config = read.ok ? read.config : {}
  let ending: Ending | null = null
  const ledger = await openLedgerThread({
    home,
    lockWaitMs: 0,
    exportTo: (config.ledger?.export ?? []).map(place => parseCheckpointTarget(place, home)),
    onWarning: message => log({ level: 'warn', message }),
    onDeath: ({ message }) => {
      // Nothing can be recorded any more. Whoever asks next starts another daemon.
      log({ level: 'error', message: `${message}; the daemon ends` })
      ending?.stop().catch(error => log({ level: 'error', message: 'the daemon ended badly', error: String(error) }))
    },
  })
  // Whoever holds the ledger keeps every other daemon from starting: one that does not come up lets go of it.
  const opened = await openDaemon(options, ledger, config.port ?? null).catch(async error => {
    await ledger.close()
    throw error
  })
  if (!opened.ok) await ledger.close()
  else ending = opened.daemon
  return opened
}

async function openDaemon(options: DaemonOptions, ledger: RemoteLedger, configuredPort: number | null): Promise<Started> {
  const { home, env, log, version } = options
  const paths = runPaths(home, env)
  const redact = createBodyRedactor(home)
  const startedAt = Date.now()
  // Ids grow across restarts, so that a reader can resume.
  const feed = createEventFeed({ keep: EVENTS_KEPT, firstId: startedAt * 1000 })
  const gate = createLoadGate(LOAD_LIMITS, Date.now)
  const metrics = createMetrics()
  metrics.gauge('belay_calls_in_progress', () => gate.inProgress)
  metrics.gauge('belay_resident_bytes', () => process.memoryUsage.rss())
  const engine = await openEngine({ ...options, ledger, feed, metrics, redact })
  const { accountability, decide, state } = engine
  const facts = { pid: process.pid, version, socket: paths.socket, store: ledger.files.database, url: '' }
  const ending = createEnding(close)
  const dashboard = openDashboard({ folder: dirname(paths.token), url: () => facts.url })
  const tools = createLastTools({
    counted: engine.tally.tools,
    redact: text => String(redact({ text }).text),
    readBack: readEarlierCalls(ledger.store),
  })
  const page = openPage({ engine, feed, tools, home, version, startedAt })
  const methods = new Map<string, RpcMethod<RouteCall>>([
    ['daemon.status', () => ({ ...facts, uptimeMs: Date.now() - startedAt, paused: state.pause.current() })],
    ['daemon.stop', (_params, caller) => stopSoon(ending, caller)],
    ...dashboard.methods,
    ...page.methods,
    ...createMethods({ engine, tools, gate }),
  ])
  const onBug = (error: unknown) =>
    log({ level: 'error', message: 'a request failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  const { presence } = accountability
  const further = [...accountability.routes, ...dashboard.routes, ...page.routes]
  const readEntries = prepareLedgerRead(ledger.store)
  const routes = createRoutes({ version, decide, gate, feed, readEntries, metrics, methods, further, onPerson: presence.arrive, onBug })
  const port = { asked: options.port, configured: configuredPort }
  const doors = await openDoors({ paths, port, routes, decide, gate, checkSession: dashboard.check, onFailure: onBug })
  if (!doors.ok) return { ok: false, why: doors.why }
  facts.url = `http://127.0.0.1:${doors.port}/`
  const take = createReplay({ ledger: engine.ledger, parts: state.parts, count: engine.tally.add })
  const replaying = replayRegularly({ folder: join(home, 'spool'), take, log })
  const trimming = trimRegularly({
    ledger: engine.ledger,
    retention: () => engine.config().retention,
    isBusy: () => gate.inProgress > 0,
    log,
    clock: systemClock,
  })
  writeState(paths, { pid: process.pid, port: doors.port, version, startedAt })
  log({ level: 'info', message: 'up', socket: paths.socket, url: facts.url })
  return { ok: true, daemon: { socket: paths.socket, url: facts.url, ...ending } }

  async function close(): Promise<void> {
    accountability.close()
    if (doors.ok) await doors.close()
    try {
      await closeAll([engine.settle, replaying.stop, trimming.stop, state.close, engine.tally.close, ledger.close])
    } finally {
      for (const file of [paths.socket, paths.shimSocket, paths.state]) rmSync(file, { force: true })
    }
    log({ level: 'info', message: 'down' })
  }
}

interface MethodParts {
  readonly engine: DaemonEngine
  readonly tools: LastTools
  readonly gate: LoadGate
}

function createMethods({ engine, tools, gate }: MethodParts): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  const { state, decide, guards, person, accountability, ledger } = engine
  return [
    ...accountability.methods,
    ...createLedgerMethods(ledger, person),
    ...createFleetMethods({ state, tools, guards }),
    ...createStateMethods({ state, decide, gate, record: draft => ledger.append(draft), person }),
  ]
}

/** The answer goes out before the doors close. */
function stopSoon(ending: Ending, caller: RouteCall): { readonly stopping: true } {
  refuseToken(caller, 'stopping the daemon')
  setImmediate(() => void ending.stop())
  return { stopping: true }
}

function writeState({ state }: RunPaths, { startedAt, ...facts }: { pid: number; port: number; version: string; startedAt: number }): void {
  writeFileSync(state, `${JSON.stringify({ ...facts, startedAt: new Date(startedAt).toISOString() })}\n`, { mode: 0o600 })
}
