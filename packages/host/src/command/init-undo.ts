// `belay init --undo`: takes back what init did in this project. Agents and the daemon serve every project: where init guards another one,
// they stay for it, and are taken back there.
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { findTarget } from '../agent/agents.ts'
import { findHome, homePaths } from '../config/home.ts'
import { dropTrust } from '../config/trust.ts'
import { shimPath } from '../install/choose-shim.ts'
import { uninstall } from '../install/install.ts'
import { sha256 } from '../install/install-record.ts'
import { type CommandIo, type ExitCode, fail, hint, printJson, printLine } from '../terminal/io.ts'
import { readDaemonState } from './daemon-status.ts'
import { runDown } from './down.ts'
import { dropInit, findOtherInit, type InitRecord, readInit } from './init-record.ts'
import { placeOf } from './install.ts'

export async function undoInit(options: { readonly json?: boolean; readonly dryRun?: boolean }, io: CommandIo): Promise<ExitCode> {
  const record = readInit(io)
  if (record === null) {
    printLine(io.stderr, 'belay: init has done nothing in this project')
    return 1
  }
  const dryRun = options.dryRun === true
  const shared = releaseShared(record, io, dryRun)
  if (typeof shared === 'string') return fail(io, shared, 'take our lines out by hand, then run this again')
  const done = [...shared, ...removeFiles(record, findHome(io.env), dryRun)]
  if (findOtherInit(io) === null && record.startedDaemon && (await readDaemonState(io)).running) {
    if (!dryRun) await runDown({}, { ...io, stdout: { write: () => true } })
    done.push('stopped the daemon')
  }
  if (!dryRun) dropInit(io)
  if (options.json === true) printJson(io, { dryRun, done })
  else printDone(done, dryRun, io)
  return 0
}

function printDone(done: readonly string[], dryRun: boolean, io: CommandIo): void {
  if (dryRun) printLine(io.stdout, 'Nothing is changed. Without --dry-run:')
  for (const line of done) printLine(io.stdout, hint(io, line))
}

/** Agents: handed on to another project, or taken out. What was done, or why it cannot be. */
function releaseShared(record: InitRecord, io: CommandIo, dryRun: boolean): readonly string[] | string {
  const other = findOtherInit(io)
  if (other === null)
    return takeOut(record, io, dryRun) ?? record.agents.map(agent => `took Belay out of ${findAgent(agent)?.name ?? agent}`)
  if (!dryRun) other.inherit(record)
  return record.agents.length === 0 ? [] : [`${namesOf(record)} and the daemon stay: ${other.name} is guarded by them too`]
}

function removeFiles({ tests, schemas = [], policy }: InitRecord, home: string, dryRun: boolean): readonly string[] {
  return [
    ...(tests != null && existsSync(tests.path) ? [removeWritten(tests, dryRun)] : []),
    ...removeSchemas(schemas, dryRun),
    ...(policy === null ? [] : [removePolicy(policy, home, dryRun)]),
  ]
}

function removeSchemas(schemas: NonNullable<InitRecord['schemas']>, dryRun: boolean): readonly string[] {
  const said = schemas.filter(({ path }) => existsSync(path)).map(schema => removeWritten(schema, dryRun))
  const folder = schemas[0] === undefined ? null : dirname(schemas[0].path)
  if (!dryRun && folder !== null && existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
  return said
}

function namesOf({ agents }: InitRecord): string {
  return agents.map(agent => findAgent(agent)?.name ?? agent).join(', ')
}

/** Why it cannot, with the file. */
function takeOut({ agents }: InitRecord, io: CommandIo, dryRun: boolean): string | null {
  const home = findHome(io.env)
  for (const agent of agents) {
    const target = findTarget(agent)
    const undone = target === null ? null : uninstall({ target, place: { ...placeOf(io, 'user'), shim: shimPath(home) }, home, dryRun })
    if (undone?.ok === false) return `${undone.path}: ${undone.why}`
  }
  return null
}

function removePolicy(policy: NonNullable<InitRecord['policy']>, home: string, dryRun: boolean): string {
  const { path } = policy
  const isThere = existsSync(path)
  const said = isThere ? removeWritten(policy, dryRun) : `${path} is gone already`
  if (dryRun || existsSync(path)) return said
  // The person who takes everything back accepts with it that there is no policy.
  dropTrust(homePaths(home).trust, path)
  const folder = dirname(path)
  if (isThere && readdirSync(folder).length === 0) rmdirSync(folder)
  return said
}

/** Only as init wrote it: what somebody has edited since is theirs. */
function removeWritten({ path, hash }: NonNullable<InitRecord['policy']>, dryRun: boolean): string {
  if (sha256(readFileSync(path)) !== hash) return `${path} stays: it was edited since`
  if (!dryRun) rmSync(path)
  return `removed ${path}`
}
