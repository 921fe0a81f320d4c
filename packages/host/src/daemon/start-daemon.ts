// The daemon of one user, in this process: opens the store, the feed and the listeners, and closes them in the order that loses nothing.
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { EntryDraft } from '@belay/core/ledger'
import { readKeyFile } from '../approval/key-file.ts'
import { createJudgePage, type JudgePage } from '../approval/page-standing.ts'
import { createProve, type Prove } from '../approval/prove-process.ts'
import { openSpooledAsk, type SpooledAsk } from '../approval/spooled-ask.ts'
import { readConfig } from '../config/config-file.ts'
import { homePaths } from '../config/home.ts'
import { renewTrust } from '../config/trust.ts'
import { openDashboard } from '../dashboard/open-dashboard.ts'
import { openPage } from '../dashboard/page/open-page.ts'
import { createGaps, type Gaps } from '../decision/gap.ts'
import { createReplay } from '../decision/replay-event.ts'
import { replayRegularly } from '../decision/replay-regularly.ts'
import { makeFolder } from '../disk/make-folder.ts'
import { createEventFeed } from '../feed/event-feed.ts'
import type { RouteCall } from '../http/route.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { systemClock } from '../ledger/clock.ts'
import { parseCheckpointTarget } from '../ledger/export-checkpoint.ts'
import { readFirstCall } from '../ledger/first-call.ts'
import type { RemoteLedger } from '../ledger/thread/connect-ledger.ts'
import { giveBackMemory } from '../ledger/thread/give-back-memory.ts'
import { openLedgerThread } from '../ledger/thread/open-ledger-thread.ts'
import type { Writer } from '../ledger/thread/start-writer.ts'
import { createFleetMethods } from '../method/fleet.ts'
import { createLedgerMethods } from '../method/ledger.ts'
import { createRunningMethods } from '../method/running-hooks.ts'
import { createStateMethods } from '../method/table.ts'
import { createUnguarded, type FindUnguarded } from '../method/unguarded.ts'
import { createLoadGate, LOAD_LIMITS, type LoadGate } from '../rpc/load-gate.ts'
import type { RpcMethod } from '../rpc/rpc.ts'
import { createDoings, type Doings, readEarlier } from '../statistic/doings.ts'
import { createMetrics } from '../statistic/metrics.ts'
import { prepareLedgerRead } from '../store/table/ledger.ts'
import { lagOf, readUploadState } from '../team/upload-state.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { createRoutes } from './daemon-routes.ts'
import { closeAll, createEnding, type Ending } from './ending.ts'
import { whyNotOurFolders } from './listen.ts'
import { loadRestSoon } from './load-rest.ts'
import { type DaemonEngine, openEngine } from './open-engine.ts'
import { openListeners } from './open-listeners.ts'
import { createComparedCounter, openTeamLink } from './team-link.ts'
import { trimRegularly } from './trim-regularly.ts'
import { createTurn } from './turn.ts'
import { watchHome } from './watch-home.ts'

export interface DaemonOptions {
  readonly home: string
  readonly etc: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asked for: this one or none; null: the configured one, else the usual one, or the next that is free. */
  readonly port: number | null
  readonly version: string
  /** Whose process calls; tests bring their own. */
  readonly prove?: Prove
  /** Whose browser asks; tests bring their own. */
  readonly judgePage?: JudgePage
  /** Soon after the start, also what is needed late; tests do without. */
  readonly loadsRest?: boolean
  /** The thread that writes the ledger, where it was begun before; null or absent: it is begun here. */
  readonly writer?: Writer | null
  log(line: LogLine): void
  /**
   * The home is gone, or is another one: closing would take away what now lies under our names. Ends the process at once; absent: the daemon is
   * closed all the same.
   */
  abandon?(): void
}

export interface Daemon extends Ending {
  readonly socket: string
  readonly url: string
}

export type Started = { readonly ok: true; readonly daemon: Daemon } | { readonly ok: false; readonly why: string }

/** For readers that come back; what is older is in the ledger. */
const EVENTS_KEPT = 2000

export async function startDaemon(given: DaemonOptions): Promise<Started> {
  const gaps = createGaps(Date.now)
  const options = { ...given, gaps, log: (line: LogLine) => writeLine(given, gaps, line) }
  const { home, log } = options
  makeFolder(home, 0o700)
  renewTrust(homePaths(home).trust)
  const read = readConfig(homePaths(home).config)
  // A configuration that cannot be read is reported where everything else of it is used.
  const config = read.ok ? read.config : {}
  let ending: Ending | null = null
  const ledger = await openLedgerThread({
    home,
    lockWaitMs: 0,
    writer: given.writer ?? null,
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
  if (!opened.ok) {
    await ledger.close()
    return opened
  }
  ending = opened.daemon
  if (given.loadsRest === true) loadRestSoon(log, ending.stopped)
  return opened
}

/** A log that cannot be written is no reason to stop guarding. */
function writeLine({ log }: DaemonOptions, gaps: Gaps, line: LogLine): void {
  try {
    log(line)
  } catch (error) {
    gaps.note('log', error)
  }
}

async function openDaemon(
  options: DaemonOptions & { readonly gaps: Gaps },
  ledger: RemoteLedger,
  configuredPort: number | null,
): Promise<Started> {
  const { home, env, log, version, gaps } = options
  gaps.open(draft => ledger.append(draft))
  const paths = runPaths(home, env)
  const unfit = whyNotOurFolders(paths)
  if (unfit !== null) return { ok: false, why: unfit }
  const redact = createBodyRedactor(home)
  const startedAt = Date.now()
  // Ids grow across restarts, so that a reader can resume.
  const feed = createEventFeed({ keep: EVENTS_KEPT, firstId: startedAt * 1000 })
  const gate = createLoadGate(LOAD_LIMITS, Date.now)
  const metrics = createMetrics()
  metrics.gauge('belay_calls_in_progress', () => gate.inProgress)
  metrics.gauge('belay_resident_bytes', () => process.memoryUsage.rss())
  metrics.gauge('belay_team_lag_entries', () => lagOf(readUploadState(home)))
  metrics.gauge('belay_team_unseen_total', () => readUploadState(home)?.unseenTotal ?? 0)
  const compared = createComparedCounter()
  const turn = createTurn(() => performance.now())
  const firstCall = (since: number) => readFirstCall(home, since)
  const engine = await openEngine({
    ...options,
    countCompared: compared.count,
    turn,
    prove: options.prove ?? createProve({ now: () => performance.now(), firstCall }),
    judgePage: options.judgePage ?? createJudgePage({ firstCall }),
    ledger,
    feed,
    metrics,
    redact,
  })
  const { accountability, decide, state } = engine
  const facts = { pid: process.pid, version, socket: paths.socket, store: ledger.files.database, url: '' }
  const ending = createEnding(close)
  const dashboard = openDashboard({ folder: dirname(paths.token), url: () => facts.url })
  const doings = createDoings({
    counted: engine.tally.doings,
    redact: text => String(redact({ text }).text),
    readBack: readEarlier(ledger.store),
  })
  const unguarded = createUnguarded({ home, env, store: ledger.store, now: Date.now })
  const place = { home, etc: options.etc, env: { ...env } }
  const page = openPage({ engine, feed, doings, home, place, unguarded, version, startedAt })
  const methods = new Map<string, RpcMethod<RouteCall>>([
    ['daemon.status', () => ({ ...facts, uptimeMs: Date.now() - startedAt, paused: state.pause.current() })],
    // Reaching it is the answer.
    ['daemon.person', () => ({ person: engine.person })],
    ['daemon.stop', () => stopSoon(ending)],
    ...dashboard.methods,
    ...page.methods,
    ...createMethods({ engine, doings, gate, unguarded }),
  ])
  const onBug = (error: unknown) =>
    log({ level: 'error', message: 'a request failed', error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  const { presence } = accountability
  const further = [...accountability.routes, ...dashboard.routes, ...page.routes]
  const readEntries = prepareLedgerRead(ledger.store)
  const routes = createRoutes({
    version,
    people: engine.people,
    decide,
    gate,
    turn,
    feed,
    readEntries,
    metrics,
    methods,
    further,
    onPerson: presence.arrive,
    onBug,
  })
  const port = { asked: options.port, configured: configuredPort }
  const listeners = await openListeners({
    paths,
    port,
    routes,
    decide,
    gate,
    turn,
    checkSession: dashboard.check,
    onFailure: onBug,
  })
  if (!listeners.ok) return { ok: false, why: listeners.why }
  facts.url = `http://127.0.0.1:${listeners.port}/`
  const openAsk = (asked: SpooledAsk, happenedAt: number): Promise<void> =>
    openSpooledAsk(accountability.approvals, asked, {
      key: readKeyFile(home, 'approval.key'),
      leftMs: expiryMs => happenedAt + expiryMs - Date.now(),
    })
  const { countEvidence, board } = accountability.commitments
  // What is written before the board is read stands on it already.
  await board()
  const take = createReplay({ ledger: engine.ledger, parts: state.parts, count: engine.tally.add, countEvidence, openAsk })
  const watch = watchHome(ledger.files.database, () => {
    log({ level: 'error', message: `${home} was removed or replaced; the daemon ends` })
    if (options.abandon === undefined) void ending.stop()
    else options.abandon()
  })
  const replaying = replayRegularly({ folder: join(home, 'spool'), take, log, isOurs: watch.isOurs })
  const trimming = trimRegularly({
    ledger: engine.ledger,
    retention: () => engine.config().retention,
    isBusy: () => gate.inProgress > 0,
    log,
    clock: systemClock,
  })
  const team = openTeamLink({
    home,
    version,
    compared,
    accountability,
    parts: state.parts,
    person: engine.person,
    append: draft => engine.ledger.append(draft),
    warn: message => log({ level: 'warn', message }),
  })
  const memory = giveBackMemory()
  writeState(paths, { pid: process.pid, port: listeners.port, version, startedAt })
  log({ level: 'info', message: 'up', socket: paths.socket, url: facts.url })
  return { ok: true, daemon: { socket: paths.socket, url: facts.url, ...ending } }

  async function close(): Promise<void> {
    accountability.close()
    memory.stop()
    watch.stop()
    if (listeners.ok) await listeners.close()
    try {
      await closeAll([engine.settle, gaps.close, replaying.stop, trimming.stop, team.stop, state.close, engine.tally.close, ledger.close])
    } finally {
      for (const file of [paths.socket, paths.shimSocket, paths.state]) rmSync(file, { force: true })
    }
    log({ level: 'info', message: 'down' })
  }
}

interface MethodParts {
  readonly engine: DaemonEngine
  readonly doings: Doings
  readonly gate: LoadGate
  readonly unguarded: FindUnguarded
}

function createMethods({ engine, doings, gate, unguarded }: MethodParts): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  const { state, decide, guards, running, person, accountability, ledger } = engine
  const record = (draft: EntryDraft) => ledger.append(draft)
  return [
    ...accountability.methods,
    ...createLedgerMethods(ledger, person),
    ...createFleetMethods({ state, doings, guards, unguarded }),
    ...createStateMethods({ state, decide, gate, record, person }),
    ...createRunningMethods({ running, person, record }),
  ]
}

/** The answer goes out before the listeners close. */
function stopSoon(ending: Ending): { readonly stopping: true } {
  setImmediate(() => void ending.stop())
  return { stopping: true }
}

function writeState({ state }: RunPaths, { startedAt, ...facts }: { pid: number; port: number; version: string; startedAt: number }): void {
  writeFileSync(state, `${JSON.stringify({ ...facts, startedAt: new Date(startedAt).toISOString() })}\n`, { mode: 0o600 })
}
