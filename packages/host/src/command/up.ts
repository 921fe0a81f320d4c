// belay up: starts the daemon of this user, here or in the background. One is enough: when it is up already that is fine, and one of
// another version is asked to finish and is replaced.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { findHome } from '../config/home.ts'
import type { LogLine } from '../daemon/log-line.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon, type DaemonFacts, readDaemonState } from './daemon-status.ts'
import { openPage } from './dashboard.ts'
import { VERSION } from './help.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from './io.ts'
import { openLog, rotateLog } from './log-file.ts'
import { refuseAgents } from './person-only.ts'
import { isAlive, waitUntil } from './process-wait.ts'

export interface UpOptions {
  readonly detach?: boolean
  /** The dashboard in the person's browser. */
  readonly open?: boolean
  readonly port?: number
  readonly json?: boolean
}

const START_MS = 15_000
const REPLACE_MS = 15_000

export async function runUp(options: UpOptions, io: CommandIo): Promise<ExitCode> {
  const running = await readDaemonState(io)
  if (options.open === true) {
    const refused = refuseAgents(io, 'up --open')
    if (refused !== null) return refused
  }
  if (running.running) {
    if (running.facts.version === VERSION) return report(options, io, running.facts, 'already up')
    if (!(await replace(running.facts)))
      return fail(
        io,
        `the daemon of version ${running.facts.version} (pid ${running.facts.pid}) does not stop`,
        `end it with: kill ${running.facts.pid}`,
      )
  }
  return options.detach === true ? startDetached(options, io) : startHere(options, io)
}

async function replace({ pid, socket }: DaemonFacts): Promise<boolean> {
  await callDaemon(socket, 'daemon.stop', {})
  return waitUntil(() => !isAlive(pid), REPLACE_MS)
}

async function startHere(options: UpOptions, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const log = openLog(runPaths(home, io.env).log)
  const redact = createBodyRedactor(home)
  const { startDaemon } = await import('../daemon/start-daemon.ts')
  const started = await startDaemon({
    home,
    etc: io.etc,
    env: io.env,
    port: options.port ?? null,
    version: VERSION,
    log: line => log.write(redact(line) as LogLine),
  }).catch(error => ({
    ok: false as const,
    why: error instanceof Error ? error.message : String(error),
  }))
  if (!started.ok) return fail(io, `the daemon cannot start: ${started.why}`)
  const { daemon } = started
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => void daemon.stop())
  printLine(io.stdout, `belay is up: ${daemon.url} and ${daemon.socket} (Ctrl-C stops it)`)
  if (options.open === true) await openPage({}, io, daemon)
  await daemon.stopped
  return 0
}

/** Another process, its output in the log; returns when its socket answers. */
async function startDetached(options: UpOptions, io: CommandIo): Promise<ExitCode> {
  const { log } = runPaths(findHome(io.env), io.env)
  rotateLog(log)
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const output = openSync(log, 'a', 0o600)
  const port = options.port === undefined ? [] : ['--port', String(options.port)]
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'up', ...port], {
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: { ...io.env, NODE_EXTRA_CA_CERTS: undefined },
  })
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  child.unref()
  let facts: DaemonFacts | null = null
  await waitUntil(async () => {
    const state = await readDaemonState(io, 1000)
    if (state.running) facts = state.facts
    return state.running || ended
  }, START_MS)
  if (facts === null) return fail(io, 'the daemon did not come up', `its log says why: ${log}`)
  return report(options, io, facts, 'up')
}

async function report({ json, open }: UpOptions, io: CommandIo, facts: DaemonFacts, how: string): Promise<ExitCode> {
  if (json === true) printJson(io, { running: true, ...facts })
  else printLine(io.stdout, `belay is ${how}: ${facts.url} (pid ${facts.pid})`)
  return open === true ? openPage({}, json === true ? { ...io, stdout: io.stderr } : io, facts) : 0
}
