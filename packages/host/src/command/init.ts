// `belay init`: a policy for this project, Belay in every agent that is found, and the daemon; `belay init --undo` takes back exactly that.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AgentId, findAgent } from '@belay/core/adapter'
import { findTarget, listTargets, programOf } from '../agent/agents.ts'
import type { InstallPlace, Target } from '../agent/target.ts'
import { readConfig } from '../config/config-file.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { dropTrust } from '../config/trust.ts'
import { isOnPath } from '../disk/on-path.ts'
import { replaceFile } from '../disk/write-file.ts'
import { chooseShim, shimPath } from '../install/choose-shim.ts'
import { install, uninstall } from '../install/install.ts'
import { sha256 } from '../install/install-record.ts'
import { addCheckpointPlace } from '../ledger/checkpoint-place.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { readDaemonState } from './daemon-status.ts'
import { runDown } from './down.ts'
import { runGenesisInit, testsOf } from './genesis-init.ts'
import { placeOf } from './install.ts'
import { runUp } from './up.ts'

export interface InitOptions {
  readonly undo?: boolean
  /** A second place for checkpoints: a file, git:REPOSITORY or a URL. */
  readonly checkpoints?: string
  readonly json?: boolean
}

/** What init did here, so that it can be taken back. */
interface InitRecord {
  readonly policy: { readonly path: string; readonly hash: string } | null
  /** The tests beside it; absent: an older version wrote none. */
  readonly tests?: { readonly path: string; readonly hash: string } | null
  /** Agents that had no Belay before. */
  readonly agents: readonly AgentId[]
  readonly startedDaemon: boolean
}

export function runInit(options: InitOptions, io: CommandIo): Promise<ExitCode> {
  return options.undo === true ? undoInit(options, io) : doInit(options, io)
}

async function doInit(options: InitOptions, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const quiet = options.json === true ? { ...io, stdout: { write: () => true } } : io
  const place = options.checkpoints === undefined ? undefined : addCheckpointPlace(homePaths(home).config, options.checkpoints, io.cwd)
  if (place?.ok === false) return fail(io, `--checkpoints ${options.checkpoints}: ${place.why}`)
  if (place) printLine(quiet.stdout, `ledger  checkpoints also go to ${place.place}${place.isNew ? '' : ' (they did already)'}`)
  const policy = initPolicy(quiet)
  if (policy === null) return 2
  const shim = chooseShim({ home, env: io.env })
  const folder: InstallPlace = { ...placeOf(io, 'user'), shim: shim.path }
  const found = listTargets().filter(target => target.scopes.includes('user') && isHere(target, folder, io))
  const installed: AgentId[] = []
  for (const target of found) {
    const done = install({ target, place: folder, home, dryRun: false })
    if (!done.ok)
      fail(io, `${done.path}${done.line === null ? '' : `:${done.line}`}: ${done.why}`, `then run: belay install ${target.agent}`)
    else if (done.changes.length > 0) installed.push(target.agent)
  }
  const wasRunning = (await readDaemonState(io)).running
  const up = await runUp({ detach: true }, quiet)
  const known = readInit(io)
  writeInit(io, {
    policy: policy.written ?? known?.policy ?? null,
    tests: policy.tests ?? known?.tests ?? null,
    agents: [...new Set([...(known?.agents ?? []), ...installed])],
    startedDaemon: known?.startedDaemon === true || (!wasRunning && up === 0),
  })
  const agents = found.map(({ agent }) => agent)
  if (options.json === true)
    printJson(io, { policy: policy.path, wrotePolicy: policy.written !== null, agents, installed, daemon: up === 0 })
  else explain(io, { agents, installed })
  return up
}

/** Null: it could not be written, and the reason was printed. */
function initPolicy(
  io: CommandIo,
): { readonly path: string; readonly written: InitRecord['policy']; readonly tests: InitRecord['policy'] } | null {
  const { projectRoot } = placeOf(io, 'project')
  const existing = findProjectPolicy(projectRoot)
  if (existing !== null) {
    printLine(io.stdout, `policy  ${existing} is there already`)
    return { path: existing, written: null, tests: null }
  }
  const hadTests = existsSync(testsOf(newProjectPolicy(projectRoot)))
  if (runGenesisInit({}, io) !== 0) return null
  const path = findProjectPolicy(projectRoot)
  return path === null ? null : { path, written: hashed(path), tests: hadTests ? null : hashed(testsOf(path)) }
}

function hashed(path: string): NonNullable<InitRecord['policy']> {
  return { path, hash: sha256(readFileSync(path)) }
}

/** Its folder or its program is there. */
function isHere(target: Target, place: InstallPlace, io: CommandIo): boolean {
  const program = programOf(target.agent)
  return target.isPresent(place) || (program !== null && isOnPath(program, io.env.PATH ?? ''))
}

function explain(
  io: CommandIo,
  { agents, installed }: { readonly agents: readonly AgentId[]; readonly installed: readonly AgentId[] },
): void {
  if (agents.length === 0) printLine(io.stdout, 'agents  none found; put Belay into one with: belay install AGENT')
  for (const id of agents) {
    const agent = findAgent(id)
    printLine(io.stdout, `agent   ${agent?.name ?? id}: ${installed.includes(id) ? 'installed' : 'was installed already'}`)
    if (agent?.trustGate != null && installed.includes(id)) printLine(io.stdout, `        ${agent.trustGate}`)
  }
  printLine(io.stdout, 'From now on each tool call is judged by the policy before it runs, and recorded.')
  printLine(io.stdout, '  belay doctor         proves that it works')
  printLine(io.stdout, '  belay ledger tail    what your agents do')
  printLine(io.stdout, '  belay init --undo    takes all of this back')
  if (!hasCheckpointPlace(io))
    printLine(io.stdout, '  belay init --checkpoints git:.   also keeps signed checkpoints of the record here, as git notes')
}

function hasCheckpointPlace(io: CommandIo): boolean {
  const read = readConfig(homePaths(findHome(io.env)).config)
  return read.ok && (read.config.ledger?.export ?? []).length > 0
}

async function undoInit(options: InitOptions, io: CommandIo): Promise<ExitCode> {
  const record = readInit(io)
  if (record === null) {
    printLine(io.stderr, 'belay: init has done nothing in this project')
    return 1
  }
  const home = findHome(io.env)
  const done: string[] = []
  for (const agent of record.agents) {
    const target = findTarget(agent)
    const place: InstallPlace = { ...placeOf(io, 'user'), shim: shimPath(home) }
    const undone = target === null ? null : uninstall({ target, place, home, dryRun: false })
    if (undone?.ok === false) return fail(io, `${undone.path}: ${undone.why}`, 'take our lines out by hand, then run this again')
    done.push(`took Belay out of ${findAgent(agent)?.name ?? agent}`)
  }
  if (record.tests != null && existsSync(record.tests.path)) done.push(removeWritten(record.tests))
  if (record.policy !== null) done.push(removePolicy(record.policy, home))
  if (record.startedDaemon && (await readDaemonState(io)).running) {
    await runDown({}, { ...io, stdout: { write: () => true } })
    done.push('stopped the daemon')
  }
  rmSync(initPath(io), { force: true })
  if (options.json === true) printJson(io, { done })
  else for (const line of done) printLine(io.stdout, line)
  return 0
}

/** Only as init wrote it: what somebody has edited since is theirs. */
function removePolicy({ path, hash }: NonNullable<InitRecord['policy']>, home: string): string {
  // The person who takes everything back accepts with it that there is no policy.
  if (!existsSync(path)) {
    dropTrust(homePaths(home).trust, path)
    return `${path} is gone already`
  }
  const done = removeWritten({ path, hash })
  if (existsSync(path)) return done
  dropTrust(homePaths(home).trust, path)
  const folder = dirname(path)
  if (readdirSync(folder).length === 0) rmdirSync(folder)
  return done
}

function removeWritten({ path, hash }: NonNullable<InitRecord['policy']>): string {
  if (sha256(readFileSync(path)) !== hash) return `${path} stays: it was edited since`
  rmSync(path)
  return `removed ${path}`
}

function initPath(io: CommandIo): string {
  const key = createHash('sha256').update(placeOf(io, 'project').projectRoot).digest('hex').slice(0, 12)
  return join(findHome(io.env), 'install', `init-${key}.json`)
}

function readInit(io: CommandIo): InitRecord | null {
  const path = initPath(io)
  if (!existsSync(path)) return null
  return JSON.parse(readFileSync(path, 'utf8')) as InitRecord
}

function writeInit(io: CommandIo, record: InitRecord): void {
  replaceFile(initPath(io), `${JSON.stringify(record, null, 2)}\n`, 0o600)
}
