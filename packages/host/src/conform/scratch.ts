// A user that exists for one trial: a home, Belay in it with a daemon of its own, and one agent with our hooks. Nothing of the real user is
// read or written, and nothing of it is left when it is closed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasVariable } from '@belay/core'
import type { AgentId } from '@belay/core/adapter'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { Env, Files } from '../agent/host-agent.ts'
import { homePaths } from '../config/home.ts'
import { findPackage } from '../config/own-files.ts'
import { addTrust, hashOf } from '../config/trust.ts'
import { chooseShim, shimPath } from '../install/choose-shim.ts'
import { install } from '../install/install.ts'
import { locateLedger } from '../ledger/ledger-files.ts'
import { queryEntries } from '../ledger/read-entry.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { askDaemon } from '../wire/daemon-client.ts'
import { daemonEnvironment } from '../wire/own-environment.ts'
import { runPaths } from '../wire/run-paths.ts'
import type { Recorded } from './case.ts'

export interface Scratch {
  readonly home: string
  readonly belayHome: string
  makeProject(policy: string, options?: { readonly isTrusted?: boolean }): string
  /** A policy in place of the one there, accepted. */
  changePolicy(project: string, policy: string): void
  /** The same, which nobody accepts. */
  breakPolicy(project: string, policy: string): void
  /** Another worktree of the project's repository. */
  addWorktree(project: string): string
  up(): Promise<void>
  /** Ends the daemon at once, and waits until it is gone. */
  kill(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** The address of the daemon's HTTP. */
  url(): string
  configure(text: string): void
  /** Puts another program in the place of our hook client, or nothing. */
  replaceClient(script: string | null): void
  restoreClient(): void
  entries(project: string): Promise<readonly Recorded[]>
  /** The same once it is as wanted, or nothing comes any more. */
  entriesWhen(project: string, isWanted: (entries: readonly Recorded[]) => boolean): Promise<readonly Recorded[]>
  /** Ends what an agent left running with it. */
  adopt(child: ChildProcess): void
  close(): Promise<void>
}

export interface ScratchOptions {
  readonly agent: AgentId
  /** Whose hook file is written; another one's where the agent is to borrow it. */
  readonly installedFor: AgentId
  readonly env: Env
  /** Of the agent; null: not known. */
  readonly version: readonly number[] | null
}

const START_MS = 30_000
const POLL_MS = 50
/** A plain allow is answered before it is written, and some agents end before their last hook does. */
const RECORDS_MS = 5000
const PREFIX = 'belay-conform-'

export async function openScratch({ agent, installedFor, env, version }: ScratchOptions): Promise<Scratch> {
  sweepOld()
  const root = mkdtempSync(join(tmpdir(), PREFIX))
  writeFileSync(join(root, 'pid'), String(process.pid))
  const home = join(root, 'home')
  const belayHome = join(root, 'belay')
  mkdirSync(home)
  const own = { PATH: env.PATH, LANG: 'C.UTF-8', HOME: home, BELAY_HOME: belayHome, BELAY_NO_AUTOSTART: '1' }
  const paths = runPaths(belayHome, own)
  const children = new Set<ChildProcess>()
  let daemon: ChildProcess | null = null
  let projects = 0
  putFiles(HOST_AGENTS[agent].headless?.homeFiles(home) ?? {})
  installInto({ home, belayHome, agent: installedFor, env: own, version: agent === installedFor ? version : null })

  const trust = (project: string): void => {
    const file = join(project, '.belay', 'genesis.key')
    addTrust(homePaths(belayHome).trust, file, hashOf(readFileSync(file, 'utf8')))
  }

  async function up(): Promise<void> {
    await end('SIGKILL')
    mkdirSync(dirname(paths.log), { recursive: true })
    const log = openSync(paths.log, 'a', 0o600)
    daemon = spawn(process.execPath, [join(findPackage(), 'bin', 'belay.cjs'), 'up'], {
      cwd: '/',
      stdio: ['ignore', log, log],
      env: daemonEnvironment(own),
    })
    const until = Date.now() + START_MS
    while (Date.now() < until && daemon.exitCode === null) {
      if (stateIn(paths.state)?.pid === daemon.pid && (await answers(paths.socket))) return
      await sleep(POLL_MS)
    }
    throw new Error(`the daemon of the trial did not come up: ${readFileSync(paths.log, 'utf8').trim().split('\n').at(-1) ?? ''}`)
  }

  async function entries(project: string): Promise<readonly Recorded[]> {
    const store = await openSqliteStore({ file: locateLedger(belayHome).database, readOnly: true })
    try {
      const found = await queryEntries(store, { project }, { limit: 1000, newestFirst: false })
      return found.map(({ kind, body }) => ({ kind, body: JSON.parse(body) }))
    } finally {
      await store.close()
    }
  }

  async function end(name: NodeJS.Signals): Promise<void> {
    const ended = daemon
    if (ended === null || ended.exitCode !== null || ended.signalCode !== null) return
    const isOver = new Promise(resolve => ended.once('exit', resolve))
    // One that was stopped does not hear anything else.
    ended.kill('SIGCONT')
    ended.kill(name)
    const timer = setTimeout(() => ended.kill('SIGKILL'), START_MS / 3)
    await isOver
    clearTimeout(timer)
  }

  return {
    home,
    belayHome,
    makeProject(policy, { isTrusted = true } = {}) {
      const project = join(root, `project-${++projects}`)
      putFiles({ [join(project, '.belay', 'genesis.key')]: policy })
      execFileSync('git', ['init', '-q', project])
      if (isTrusted) trust(project)
      return project
    },
    changePolicy(project, policy) {
      writeFileSync(join(project, '.belay', 'genesis.key'), policy)
      trust(project)
    },
    addWorktree(project) {
      const git = (...args: readonly string[]) =>
        execFileSync('git', ['-C', project, '-c', 'user.name=trial', '-c', 'user.email=trial@localhost', ...args], { stdio: 'ignore' })
      const tree = `${project}-tree`
      git('add', '-A')
      git('commit', '-qm', 'trial')
      git('worktree', 'add', '-q', tree)
      return tree
    },
    breakPolicy: (project, policy) => writeFileSync(join(project, '.belay', 'genesis.key'), policy),
    up,
    kill: () => end('SIGKILL'),
    signal: name => void daemon?.kill(name),
    url: () => `http://127.0.0.1:${stateIn(paths.state)?.port}`,
    configure: text => writeFileSync(homePaths(belayHome).config, text),
    replaceClient(script) {
      const shim = shimPath(belayHome)
      if (!existsSync(`${shim}.kept`)) copyFileSync(shim, `${shim}.kept`)
      rmSync(shim, { force: true })
      if (script !== null) writeFileSync(shim, script, { mode: 0o755 })
    },
    restoreClient() {
      const shim = shimPath(belayHome)
      if (!existsSync(`${shim}.kept`)) return
      rmSync(shim, { force: true })
      copyFileSync(`${shim}.kept`, shim)
      chmodSync(shim, 0o755)
    },
    entries,
    async entriesWhen(project, isWanted) {
      const until = Date.now() + RECORDS_MS
      for (;;) {
        const found = await entries(project)
        if (isWanted(found) || Date.now() > until) return found
        await sleep(POLL_MS)
      }
    },
    adopt(child) {
      children.add(child)
    },
    async close() {
      for (const child of children) endGroup(child)
      await end('SIGTERM')
      rmSync(root, { recursive: true, force: true, maxRetries: 5 })
      if (!paths.socket.startsWith(belayHome)) rmSync(dirname(paths.socket), { recursive: true, force: true })
    },
  }
}

/** An agent runs in a group of its own. */
export function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

export function putFiles(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

interface Installation {
  readonly home: string
  readonly belayHome: string
  readonly agent: AgentId
  readonly env: Env
  readonly version: readonly number[] | null
}

function installInto({ home, belayHome, agent, env, version }: Installation): void {
  const { target } = HOST_AGENTS[agent]
  if (target === null) throw new Error(`there is nothing to install for ${agent}`)
  const { path } = chooseShim({ home: belayHome, env })
  const done = install({
    target,
    place: { scope: 'user', env: { HOME: home }, userHome: home, projectRoot: home, shim: path, version, settings: [] },
    home: belayHome,
    dryRun: false,
  })
  if (!done.ok) throw new Error(`${done.path}: ${done.why}`)
}

/** What a daemon says of itself; null: nothing yet, or not all of it. */
function stateIn(file: string): { readonly pid: number; readonly port: number } | null {
  try {
    const { pid, port } = JSON.parse(readFileSync(file, 'utf8'))
    return { pid, port }
  } catch (error) {
    if (error instanceof SyntaxError || (error instanceof Error && 'code' in error && error.code === 'ENOENT')) return null
    throw error
  }
}

async function answers(socket: string): Promise<boolean> {
  const body = { jsonrpc: '2.0', id: 1, method: 'daemon.status', params: {} }
  return (await askDaemon({ socket, method: 'POST', path: '/v1/rpc', body, timeoutMs: 2000 })).kind === 'answer'
}

/** What a trial that was killed could not take away: its daemon and its files. */
function sweepOld(): void {
  for (const name of readdirSync(tmpdir()).filter(each => each.startsWith(PREFIX))) {
    const root = join(tmpdir(), name)
    if (!isGone(join(root, 'pid'))) continue
    endOldDaemon(join(root, 'belay'))
    rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

function isGone(pidFile: string): boolean {
  try {
    process.kill(Number(readFileSync(pidFile, 'utf8')), 0)
    return false
  } catch (error) {
    // Anything else: it is somebody else's, or not written yet.
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

function endOldDaemon(belayHome: string): void {
  const pid = stateIn(join(belayHome, 'run', 'daemon.json'))?.pid
  // Its number may be another program's by now.
  if (pid !== undefined && hasVariable(pid, 'BELAY_HOME', belayHome) === true) process.kill(pid, 'SIGKILL')
}
