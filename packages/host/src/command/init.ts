// `belay init`: a policy for this project, Belay in every agent that is found, and the daemon; `belay init --undo` takes back exactly that.
// What it says is printed when all is done: whoever stops reading (`| head -1`) does not stop it half-way.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AgentId, findAgent } from '@belay/core/adapter'
import { listTargets, programOf } from '../agent/agents.ts'
import type { InstallPlace, Target } from '../agent/target.ts'
import { readConfig } from '../config/config-file.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProjectPolicy, newProjectPolicy } from '../config/project.ts'
import { isOnPath } from '../disk/on-path.ts'
import { chooseShim, shimPath } from '../install/choose-shim.ts'
import { type FileChange, install } from '../install/install.ts'
import { sha256 } from '../install/install-record.ts'
import { addCheckpointPlace } from '../ledger/checkpoint-place.ts'
import { type CommandIo, type ExitCode, fail, hint, printJson, printLine } from '../terminal/io.ts'
import { readDaemonState } from './daemon-status.ts'
import { writePolicy, writeSchemas } from './genesis-init.ts'
import { type InitRecord, readInit, writeInit } from './init-record.ts'
import { fileVersion, placeOf } from './install.ts'
import { runUp } from './up.ts'

export interface InitOptions {
  readonly undo?: boolean
  /** Plan only. */
  readonly dryRun?: boolean
  /** A second place for checkpoints: a file, git:REPOSITORY or a URL. */
  readonly checkpoints?: string
  readonly json?: boolean
}

export async function runInit(options: InitOptions, io: CommandIo): Promise<ExitCode> {
  if (options.undo === true) return (await import('./init-undo.ts')).undoInit(options, io)
  if (options.dryRun === true) return planInit(options, io)
  const said: string[] = []
  try {
    return await doInit(options, { ...io, stdout: { write: (text: string) => said.push(text) } })
  } finally {
    io.stdout.write(said.join(''))
  }
}

async function doInit(options: InitOptions, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const quiet = options.json === true ? { ...io, stdout: { write: () => true } } : io
  const place = options.checkpoints === undefined ? undefined : addCheckpointPlace(homePaths(home).config, options.checkpoints, io.cwd)
  if (place?.ok === false) return fail(io, `--checkpoints ${options.checkpoints}: ${place.why}`)
  if (place?.isNew === true) writeSchemas(homePaths(home).config, ['config'])
  const policy = initPolicy(quiet)
  if (policy === null) return 2
  if (place) printLine(quiet.stdout, `ledger  checkpoints also go to ${place.place}${place.isNew ? '' : ' (they did already)'}`)
  const wired = wireAgents(io, chooseShim({ home, env: io.env }).path)
  const wasRunning = (await readDaemonState(io)).running
  const up = await runUp({ detach: true }, { ...io, stdout: { write: () => true } })
  const installed = wired.filter(({ changes }) => changes.length > 0).map(({ agent }) => agent)
  const known = readInit(io)
  writeInit(io, {
    policy: policy.written ?? known?.policy ?? null,
    tests: policy.tests ?? known?.tests ?? null,
    schemas: policy.schemas.length > 0 ? policy.schemas : (known?.schemas ?? []),
    agents: [...new Set([...(known?.agents ?? []), ...installed])],
    startedDaemon: known?.startedDaemon === true || (!wasRunning && up === 0),
  })
  const state = await readDaemonState(io)
  const page = state.running ? state.facts.url : null
  if (options.json === true) {
    const changed = wired.flatMap(({ changes }) => changes.map(({ path }) => path))
    const agents = wired.map(({ agent }) => agent)
    printJson(io, { policy: policy.path, wrotePolicy: policy.written !== null, agents, installed, changed, daemon: up === 0, page })
  } else explain(io, wired, page)
  return up
}

interface Wired {
  readonly agent: AgentId
  readonly changes: readonly FileChange[]
}

/** Every agent that is here and could be wired; what stands against one was said. */
function wireAgents(io: CommandIo, shim: string, dryRun = false): readonly Wired[] {
  const place: InstallPlace = { ...placeOf(io, 'user'), shim }
  const found = listTargets().filter(target => target.scopes.includes('user') && isHere(target, place, io))
  return found.flatMap(target => {
    const done = install({ target, place: { ...place, version: fileVersion(target.agent, io) }, home: findHome(io.env), dryRun })
    if (done.ok) return [{ agent: target.agent, changes: done.changes }]
    fail(io, `${done.path}${done.line === null ? '' : `:${done.line}`}: ${done.why}`, `then run: belay install ${target.agent}`)
    return []
  })
}

/** Its folder or its program is there. */
function isHere(target: Target, place: InstallPlace, io: CommandIo): boolean {
  const program = programOf(target.agent)
  return target.isPresent(place) || (program !== null && isOnPath(program, io.env.PATH ?? ''))
}

/** Null: it could not be written, and the reason was printed. */
function initPolicy(
  io: CommandIo,
): (Pick<Required<InitRecord>, 'tests' | 'schemas'> & { readonly path: string; readonly written: InitRecord['policy'] }) | null {
  const { projectRoot } = placeOf(io, 'project')
  const existing = findProjectPolicy(projectRoot)
  if (existing !== null) {
    printLine(io.stdout, `policy  ${existing} is there already`)
    return { path: existing, written: null, tests: null, schemas: [] }
  }
  const made = writePolicy(io, projectRoot)
  if (made === null) return null
  const { file, stacks, tests, schemas } = made
  printLine(io.stdout, `policy  wrote ${file}${stacks.length === 0 ? '' : ` for ${stacks.join(', ')}`}; it is trusted on this machine`)
  printLine(
    io.stdout,
    `        commit ${dirname(file)}: whoever clones the project has the same rules, and trusts them once (belay policy trust)`,
  )
  printLine(io.stdout, hint(io, `        wrote ${dirname(schemas[0] ?? file)}: editors complete and check the policy with it`))
  if (tests.isNew) printLine(io.stdout, hint(io, `tests   wrote ${tests.path} (belay policy test runs them)`))
  return { path: file, written: hashed(file), tests: tests.isNew ? hashed(tests.path) : null, schemas: schemas.map(hashed) }
}

function hashed(path: string): NonNullable<InitRecord['policy']> {
  return { path, hash: sha256(readFileSync(path)) }
}

function explain(io: CommandIo, wired: readonly Wired[], page: string | null): void {
  const say = (text: string) => printLine(io.stdout, hint(io, text))
  for (const { agent: id, changes } of wired) {
    const agent = findAgent(id)
    say(`agent   ${agent?.name ?? id}: ${changes.length === 0 ? 'was wired already' : changes.map(changeText).join(', ')}`)
    if (agent?.trustGate != null && changes.length > 0) say(`        ${agent.trustGate}`)
    if (agent?.runsNoHooks != null) say(`        ${agent.runsNoHooks}`)
  }
  say(
    page === null
      ? 'daemon  is not running; belay up starts it'
      : `daemon  runs; the page is ${page} (belay dashboard opens it and signs you in)`,
  )
  if (wired.length === 0) {
    say('Nothing is guarded yet: no agent was found on this machine. Put Belay into one with: belay install AGENT')
    say(
      `  agents: ${listTargets()
        .map(({ agent }) => agent)
        .join(' ')}`,
    )
  } else {
    say('From now on each tool call is judged by the policy before it runs, and recorded.')
    say('  belay doctor         proves that it works')
    say('  belay ledger tail    what your agents do')
  }
  say('  belay init --undo    takes all of this back')
  if (!hasCheckpointPlace(io)) say('  belay init --checkpoints git:.   also keeps signed checkpoints of the record here, as git notes')
}

function changeText({ path, before }: FileChange): string {
  return `${before === null ? 'wrote' : 'changed'} ${path}`
}

function plannedText({ path, before }: FileChange): string {
  return `${before === null ? 'write' : 'change'} ${path}`
}

function hasCheckpointPlace(io: CommandIo): boolean {
  const read = readConfig(homePaths(findHome(io.env)).config)
  return read.ok && (read.config.ledger?.export ?? []).length > 0
}

/** What init would do, file by file. Nothing is written. */
async function planInit({ json }: InitOptions, io: CommandIo): Promise<ExitCode> {
  const { projectRoot } = placeOf(io, 'project')
  const existing = findProjectPolicy(projectRoot)
  const wired = wireAgents(io, shimPath(findHome(io.env)), true)
  const changes = wired.flatMap(each => each.changes)
  const startsDaemon = !(await readDaemonState(io)).running
  const policy = existing ?? newProjectPolicy(projectRoot)
  if (json === true) {
    const agents = wired.map(({ agent }) => agent)
    printJson(io, { dryRun: true, policy, wrotePolicy: existing === null, agents, changed: changes.map(({ path }) => path), startsDaemon })
    return 0
  }
  printLine(io.stdout, 'Nothing is changed. Without --dry-run:')
  if (existing === null) printLine(io.stdout, `policy  would write ${policy}, with its tests and schemas for editors beside it`)
  else printLine(io.stdout, `policy  ${policy} is there already`)
  for (const { agent: id, changes: own } of wired) {
    const said =
      own.length === 0 ? 'is wired already' : `would ${own.map(plannedText).join(', ')} (belay install ${id} --dry-run shows each line)`
    printLine(io.stdout, hint(io, `agent   ${findAgent(id)?.name ?? id}: ${said}`))
  }
  if (wired.length === 0)
    printLine(io.stdout, hint(io, 'agents  none found on this machine: nothing would be guarded; belay install AGENT names one'))
  printLine(io.stdout, startsDaemon ? 'daemon  would be started' : 'daemon  runs already')
  return 0
}
