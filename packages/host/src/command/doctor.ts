// `belay doctor [AGENT]`: proves that the guard works, from the agent's own configuration to the record in the ledger.
import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatPlace } from '@belay/core'
import { type Agent, findAgent, listAgents } from '@belay/core/adapter'
import { findTarget, listTargets, programOf } from '../agent/agents.ts'
import { askVersion, versionParts } from '../agent/ask-version.ts'
import type { InstallPlace, Target } from '../agent/target.ts'
import type { PolicyFile } from '../config/genesis.ts'
import { findHome } from '../config/home.ts'
import type { HookFile } from '../config/hook-file.ts'
import { acceptChange, describeChange } from '../config/policy-change.ts'
import { canaryPayload, runCanary } from '../doctor/canary.ts'
import { checkClient } from '../doctor/check-client.ts'
import { checkConfig } from '../doctor/check-config.ts'
import { checkLedger } from '../doctor/check-ledger.ts'
import { checkOwnText } from '../doctor/check-own-text.ts'
import { checkPassed } from '../doctor/check-passed.ts'
import { checkSocket } from '../doctor/check-socket.ts'
import { checkStore } from '../doctor/check-store.ts'
import { checkTranscript } from '../doctor/check-transcript.ts'
import { checkTrust } from '../doctor/check-trust.ts'
import { isDoctors, makeDoctorName } from '../fleet/doctor-name.ts'
import { loadGuard } from '../guard/load-guard.ts'
import { checkSwitches } from '../install/check-switch.ts'
import { checkWiring, isInstalled, wasInstalled } from '../install/check-wiring.ts'
import { shimPath } from '../install/choose-shim.ts'
import type { Finding } from '../install/finding.ts'
import { RENEW } from '../install/renew.ts'
import { locateLedger } from '../ledger/ledger-files.ts'
import { type EntryFilter, queryEntries } from '../ledger/read-entry.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'
import { columnRows } from '../terminal/table.ts'
import { runPaths } from '../wire/run-paths.ts'
import { readDaemonState } from './daemon-status.ts'
import { VERSION } from './help.ts'
import { failUnknown, fileVersion, placeOf } from './install.ts'
import { guardPlace } from './policies.ts'
import { waitUntil } from './process-wait.ts'

export interface DoctorOptions {
  readonly agent?: string
  readonly transcript?: string
  /** False: no agent is started. */
  readonly live?: boolean
  readonly json?: boolean
}

export async function runDoctor(options: DoctorOptions, io: CommandIo): Promise<ExitCode> {
  const named = options.agent === undefined ? null : findTarget(options.agent)
  if (options.agent !== undefined && named === null) return failUnknown(options.agent, io)
  const state = await readDaemonState(io)
  const findings: Finding[] = [
    checkDaemon(state),
    checkSocket(runPaths(findHome(io.env), io.env)),
    ...checkConfig(findHome(io.env)),
    ...checkLedger(findHome(io.env)),
    ...checkPolicy(io),
    checkClient(findHome(io.env), io.env),
    ...(await checkStore(locateLedger(findHome(io.env)).database)),
  ]
  const store = state.running ? await openStore(state.facts.store) : null
  const { database } = locateLedger(findHome(io.env))
  // What was recorded is known without the daemon too.
  const ledger = store ?? (existsSync(database) ? await openStore(database) : null)
  try {
    if (ledger !== null) findings.push(...(await checkPassed(ledger, Date.now())))
    // Before an agent is started and leaves another.
    const transcript = await findTranscript(options, io, store)
    for (const target of named === null ? listTargets() : [named])
      findings.push(...(await checkAgent(target, { isNamed: named !== null, isLive: options.live !== false, io, store, ledger })))
    if (transcript !== null) {
      if (store === null) return fail(io, 'the transcript cannot be compared while the daemon is not running', 'belay up --detach')
      if (statSync(transcript, { throwIfNoEntry: false })?.isFile() !== true) return fail(io, `${transcript}: there is no such file`)
      findings.push(await checkTranscript(transcript, options.agent ?? null, store))
    }
  } finally {
    await ledger?.close()
  }
  if (named === null && !findings.some(isWired)) findings.push(unguarded())
  const ok = findings.every(finding => finding.state !== 'fail')
  if (options.json === true) printJson(io, { ok, findings })
  else print(io, findings, ok)
  return ok ? 0 : 1
}

/** Something of ours stands in its configuration, right or wrong. */
function isWired({ agent, check, message }: Finding): boolean {
  return agent !== null && !(check === 'wiring' && message === NOT_INSTALLED)
}

const NOT_INSTALLED = 'not installed'

/** Whatever else works: no call comes here. */
function unguarded(): Finding {
  return {
    agent: null,
    check: 'agents',
    state: 'fail',
    message: 'nothing is guarded yet: no agent on this machine calls Belay',
    remedy: 'belay init (all that are found), or belay install AGENT',
  }
}

function checkDaemon(state: Awaited<ReturnType<typeof readDaemonState>>): Finding {
  const about = { agent: null, check: 'daemon' }
  if (!state.running)
    return {
      ...about,
      state: 'fail',
      message: `it is not running${state.why === null ? '' : `: ${state.why}`}`,
      remedy: 'belay up --detach',
    }
  if (state.facts.version !== VERSION)
    return { ...about, state: 'warn', message: `version ${state.facts.version} runs, this is ${VERSION}`, remedy: RENEW }
  return { ...about, state: 'ok', message: `version ${VERSION}, pid ${state.facts.pid}, ${state.facts.url}` }
}

function checkPolicy(io: CommandIo): readonly Finding[] {
  const about = { agent: null, check: 'policy' }
  const { loaded, changes, hookFiles } = loadGuard(io.cwd, guardPlace(io))
  const { files, trustProblem } = loaded
  const changed = changes.map(
    (change): Finding => ({ ...about, state: 'fail', message: describeChange(change), remedy: acceptChange(change) }),
  )
  const lost: readonly Finding[] =
    trustProblem === null ? [] : [{ ...about, state: 'fail', message: trustProblem, remedy: 'belay policy trust' }]
  const asAccepted = <F extends { readonly path: string }>(each: F) => changes.every(({ file }) => file !== each.path)
  const hooks = hookFiles.filter(asAccepted).map(checkHookFile)
  if (files.length === 0)
    return [
      ...lost,
      ...changed,
      ...hooks,
      { ...about, state: 'warn', message: 'there is none here: everything is recorded, nothing decided', remedy: 'belay genesis init' },
    ]
  return [...lost, ...changed, ...files.filter(asAccepted).map(checkPolicyFile), ...hooks]
}

function checkHookFile({ path, errors, hooks }: HookFile): Finding {
  const about = { agent: null, check: 'hooks' }
  const [error] = errors
  if (error !== undefined)
    return {
      ...about,
      state: 'fail',
      message: `${formatPlace(error.place)}: ${error.message}`,
      remedy: `fix it, then belay policy trust ${path}`,
    }
  const inert = hooks.find(each => each.inert !== null)?.inert
  return {
    ...about,
    state: inert ? 'warn' : 'ok',
    message: inert ?? path,
    ...(inert ? { remedy: 'belay policy trust, or change hooks_from' } : {}),
  }
}

function checkPolicyFile({ path, policy, errors }: PolicyFile): Finding {
  const about = { agent: null, check: 'policy' }
  if (errors.length > 0)
    return { ...about, state: 'fail', message: `${path}:${errors[0]?.place.line} ${errors[0]?.message}`, remedy: 'belay genesis validate' }
  if (policy?.trusted === false)
    return { ...about, state: 'warn', message: `${path} is not trusted: only its deny and ask rules hold`, remedy: 'belay policy trust' }
  return { ...about, state: 'ok', message: path }
}

/** One that is damaged, or of another version, is reported for itself. */
async function openStore(file: string): Promise<Store | null> {
  try {
    return await openSqliteStore({ file, readOnly: true })
  } catch {
    return null
  }
}

interface AgentCheck {
  readonly isNamed: boolean
  /** The agent itself may be started. */
  readonly isLive: boolean
  readonly io: CommandIo
  /** null: no daemon runs. */
  readonly store: Store | null
  /** null: nothing that was recorded can be read. */
  readonly ledger: Store | null
}

async function checkAgent(target: Target, { isNamed, isLive, io, store, ledger }: AgentCheck): Promise<readonly Finding[]> {
  const agent = findAgent(target.agent)
  if (agent === null) return []
  const home = findHome(io.env)
  const version = fileVersion(agent.id, io)
  const places = target.scopes.map((scope): InstallPlace => ({ ...placeOf(io, scope), shim: shimPath(home), version }))
  const installed = places.filter(place => isInstalled(target, place) || wasInstalled(target, place, home))
  if (installed.length === 0) {
    const isHere = places.some(place => target.isPresent(place))
    const state = isNamed ? 'fail' : 'note'
    return isNamed || isHere
      ? [{ agent: agent.id, check: 'wiring', state, message: NOT_INSTALLED, remedy: `belay install ${agent.id}` }]
      : []
  }
  const versions = versionFindings(agent, io)
  const findings: Finding[] = [
    ...versions,
    ...checkSwitches(agent.id, placeOf(io, 'project')),
    ...checkOwnText(agent, io.cwd, guardPlace(io)),
  ]
  for (const place of installed) {
    const { findings: wiring, gate } = checkWiring(target, agent, place, home)
    findings.push(...wiring)
    if (gate !== null) findings.push(await sendCanary(agent, gate, io, store))
  }
  const program = isLive && versions.some(({ state }) => state === 'ok') ? programOf(agent.id) : null
  findings.push(...checkHosts(agent), await checkAgentCalls(agent, program, io, { store, ledger }))
  return findings
}

/** Who else may run the lines that were written for this agent. */
function checkHosts({ id }: Agent): readonly Finding[] {
  const hosts = listAgents().filter(({ borrows }) => borrows.includes(id))
  if (hosts.length === 0) return []
  const names = hosts.map(({ name }) => name).join(', ')
  return [
    {
      agent: id,
      check: 'hosts',
      state: 'ok',
      message: `hosts that may run these lines too: ${names}; their calls are judged and recorded as theirs`,
    },
  ]
}

/** Starts the agent itself where that can be done without its model, else looks for calls of it. */
function checkAgentCalls(
  agent: Agent,
  program: string | null,
  io: CommandIo,
  { store, ledger }: Pick<AgentCheck, 'store' | 'ledger'>,
): Promise<Finding> {
  return checkTrust(agent, {
    program: store === null ? null : program,
    home: findHome(io.env),
    cwd: placeOf(io, 'project').projectRoot,
    env: io.env,
    hasCall: async text => store !== null && isRecorded(store, { text, kind: 'pre_tool_use' }),
    async lastCall() {
      if (ledger === null) return 'unknown'
      // A damaged one is reported for itself.
      const entries = await queryEntries(ledger, { agent: agent.id }, { limit: 50, newestFirst: true }).catch(() => null)
      return entries === null
        ? 'unknown'
        : (entries.find(({ session, time }) => session === null || !isDoctors(session, time))?.time ?? null)
    },
  })
}

function isRecorded(store: Store, filter: EntryFilter): Promise<boolean> {
  return waitUntil(async () => (await queryEntries(store, filter, { limit: 1, newestFirst: true })).length > 0, RECORD_MS)
}

function versionFindings(agent: Agent, io: CommandIo): readonly Finding[] {
  const program = programOf(agent.id)
  if (program === null) return []
  const about = { agent: agent.id, check: 'version' }
  const said = askVersion(program, io.env)
  if (said === null) return [{ ...about, state: 'note', message: `\`${program}\` is not on the path` }]
  const parts = versionParts(said)
  const found: Finding = { ...about, state: 'ok', message: said }
  if (!agent.answersItself('auto', parts)) return [found]
  const message = `in auto mode ${agent.name} ${said} may answer a question itself: Belay puts it into its own queue there`
  return [found, { agent: agent.id, check: 'ask', state: 'note', message, remedy: `update ${agent.name}, or answer with belay approvals` }]
}

const RECORD_MS = 2000

/** Runs the configured line for real and looks for its record. */
async function sendCanary(agent: Agent, line: string, io: CommandIo, store: Store | null): Promise<Finding> {
  const about = { agent: agent.id, check: 'live call' }
  if (store === null) return { ...about, state: 'fail', message: 'not tried: the daemon is not running', remedy: 'belay up --detach' }
  const session = makeDoctorName(Date.now())
  const cwd = placeOf(io, 'project').projectRoot
  const run = await runCanary(line, canaryPayload(agent, { session, cwd }), io.env, cwd)
  if (await isRecorded(store, { session }))
    return { ...about, state: 'ok', message: `the configured line reaches the daemon and is recorded (${run.ms.toFixed(1)} ms)` }
  const why = run.stderr.trim().split('\n').at(-1) ?? ''
  return {
    ...about,
    state: 'fail',
    message: `the configured line ends with ${run.code} and leaves no record${why === '' ? '' : `: ${why}`}`,
    remedy: `belay install ${agent.id}; belay logs`,
  }
}

/** The one that was named, else the last that the agent itself named to us. */
async function findTranscript(options: DoctorOptions, io: CommandIo, store: Store | null): Promise<string | null> {
  if (options.transcript !== undefined) return resolve(io.cwd, options.transcript)
  if (options.agent === undefined || store === null) return null
  const { projectRoot } = placeOf(io, 'project')
  const row = await store.db
    .selectFrom('sessions')
    .select('transcript_path')
    .where('agent_kind', '=', options.agent)
    .where('project_root', '=', projectRoot)
    .where('transcript_path', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  const path = row?.transcript_path ?? null
  return path !== null && existsSync(path) ? path : null
}

const MARKS = { ok: ['green', 'ok'], note: ['dim', 'note'], warn: ['yellow', 'warn'], fail: ['red', 'FAIL'] } as const

function print(io: CommandIo, findings: readonly Finding[], ok: boolean): void {
  const rows = findings.map(({ agent, check, state, message, remedy }) => [
    MARKS[state][1],
    agent ?? '',
    check,
    remedy === undefined ? message : `${message}  ->  ${remedy}`,
  ])
  const lines = columnRows(io, rows)
  for (const [index, finding] of findings.entries()) printLine(io.stdout, paint(io, MARKS[finding.state][0], lines[index] ?? ''))
  printLine(io.stdout, ok ? 'Belay works here.' : 'Something is wrong: see FAIL above.')
}
