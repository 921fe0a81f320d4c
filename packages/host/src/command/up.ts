// belay up: starts the daemon of this user, here or in the background. One is enough: when it is up already that is fine, and one of
// another version is asked to finish and is replaced. An agent's first call may wait for this: nothing is loaded before it is needed.
import { spawn } from 'node:child_process'
import { existsSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { findHome, homePaths } from '../config/home.ts'
import { makeFolder } from '../disk/make-folder.ts'
import type { Writer } from '../ledger/thread/start-writer.ts'
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'
import { daemonEnvironment } from '../wire/own-environment.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import type { DaemonFacts } from './daemon-status.ts'
import { VERSION } from './help.ts'
import { rotateLog } from './log-file.ts'
import { isAlive, waitUntil } from './process-wait.ts'
import { ASK_MS, askFacts, report, type UpOptions } from './up-report.ts'

/** One that ends is not waited for; one that lives may only be slow. */
const START_MS = 60_000
const REPLACE_MS = 15_000

export async function runUp(options: UpOptions, io: CommandIo): Promise<ExitCode> {
  const paths = runPaths(findHome(io.env), io.env)
  const running = await askFacts(paths)
  if (running !== null) {
    if (running.version === VERSION) return report(options, io, running, 'already up')
    const ended = await replace(running)
    if (typeof ended === 'string') return fail(io, `the daemon of version ${running.version} stays: ${ended}`)
    if (!ended)
      return fail(io, `the daemon of version ${running.version} (pid ${running.pid}) does not stop`, `end it with: kill ${running.pid}`)
  }
  if (options.detach === true) return startDetached(options, io, paths)
  const writer = await beginWriter(findHome(io.env))
  return (await import('./start-here.ts')).startHere(options, io, writer)
}

/** The ledger's thread comes up while this one loads what it needs. What a configuration says of the ledger is read later: then it waits. */
async function beginWriter(home: string): Promise<Writer | null> {
  if (!existsSync(home) || existsSync(homePaths(home).config)) return null
  return (await import('../ledger/thread/start-writer.ts')).startWriter({ home, lockWaitMs: 0, exportTo: [] })
}

/** Whether it is gone, or why it may not be ended from here. */
async function replace({ pid, socket }: DaemonFacts): Promise<boolean | string> {
  const { callDaemon } = await import('./daemon-status.ts')
  const answer = await callDaemon(socket, 'daemon.stop', {}, ASK_MS)
  return answer.kind === 'refused' ? answer.why : waitUntil(() => !isAlive(pid), REPLACE_MS)
}

/** Another process, its output in the log; returns when its socket answers. */
async function startDetached(options: UpOptions, io: CommandIo, paths: RunPaths): Promise<ExitCode> {
  const { log } = paths
  rotateLog(log)
  makeFolder(dirname(log), 0o700)
  const output = openSync(log, 'a', 0o600)
  const before = fstatSync(output).size
  const port = options.port === undefined ? [] : ['--port', String(options.port)]
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'up', ...port], {
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: daemonEnvironment(io.env),
  })
  let ended = false
  child.once('exit', () => {
    ended = true
  })
  child.unref()
  let facts: DaemonFacts | null = null
  await waitUntil(async () => {
    // Another may have come up first: ours then ends, and is not left behind to start after a `down`.
    const isOver = ended
    facts = await askFacts(paths)
    return facts?.pid === child.pid || isOver
  }, START_MS)
  if (facts === null) return fail(io, `the daemon did not come up${lastSaid(log, before)}`, `its log says more: ${log}`)
  return report(options, io, facts, 'up')
}

/** The last line it wrote. */
function lastSaid(log: string, before: number): string {
  const line = readFileSync(log).subarray(before).toString().trim().split('\n').at(-1) ?? ''
  return line === '' ? '' : `: ${line.replace(/^belay: /, '')}`
}
