// belay status: whether the daemon runs, where, which policy holds in this directory, and which agent escapes it.
import { type Diagnostic, formatPlace } from '@belay/core'
import { combinedHash } from '@belay/core/policy'
import type { InstallPlace } from '../agent/target.ts'
import { findHome } from '../config/home.ts'
import { acceptChange, describeChange } from '../config/policy-change.ts'
import { formatAge } from '../fleet/render-fleet.ts'
import { brokenFiles, type GuardSources, loadGuard } from '../guard/load-guard.ts'
import { shimPath } from '../install/choose-shim.ts'
import { findUnguarded, listGuarded } from '../install/find-unguarded.ts'
import { type CommandIo, type ExitCode, hint, printJson, printLine } from '../terminal/io.ts'
import { type DaemonState, readDaemonState } from './daemon-status.ts'
import { placeOf } from './install.ts'
import { guardPlace, untrustedFiles } from './policies.ts'

export async function runStatus(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const state = await readDaemonState(io)
  const policy = policyStatus(loadGuard(io.cwd, guardPlace(io)))
  const home = findHome(io.env)
  const placeIn = (scope: InstallPlace['scope']) => ({ ...placeOf(io, scope), shim: shimPath(home) })
  const [agents, unguarded] = [listGuarded(placeIn), findUnguarded(home, placeIn)]
  if (options.json === true) {
    const { pid, socket, url, version, store, uptimeMs, paused } = state.running ? state.facts : NO_FACTS
    printJson(io, {
      running: state.running,
      pid,
      socket,
      url,
      version,
      store,
      policy,
      agents,
      unguarded,
      uptimeMs,
      ...(paused ? { paused } : {}),
    })
  } else {
    printDaemon(state, io)
    printPolicy(policy, io)
    printLine(io.stdout, hint(io, agents.length === 0 ? `agents ${UNGUARDED}` : `agents ${agents.join(', ')}`))
    for (const { agent, message, remedy } of unguarded)
      printLine(io.stdout, hint(io, `NOT GUARDED ${agent}: ${message}${remedy === undefined ? '' : `\n       ${remedy}`}`))
  }
  return state.running ? 0 : 1
}

const NO_POLICY = 'policy none here: everything is recorded, nothing decided (belay genesis init)'
const UNGUARDED = 'none calls Belay: nothing is guarded yet (belay init, or belay install AGENT)'

const NO_FACTS = { pid: null, socket: null, url: null, version: null, store: null, uptimeMs: null, paused: null }

function policyStatus(sources: GuardSources) {
  const { loaded, changes } = sources
  const { files, policies, locked, trustProblem } = loaded
  const broken = brokenFiles(sources)
  return {
    file: files.at(-1)?.path ?? null,
    hash: policies.length === 0 ? null : combinedHash(policies),
    ok: broken.length === 0 && locked === null && changes.length === 0 && trustProblem === null,
    untrusted: untrustedFiles(sources),
    broken: broken.map(({ path, isHeld, errors }) => ({ file: path, isHeld, errors: errors.map(describeError) })),
    changes: changes.map(change => ({ ...change, message: describeChange(change), remedy: acceptChange(change) })),
    ...(trustProblem === null ? {} : { trustProblem }),
  }
}

function printDaemon(state: DaemonState, io: CommandIo): void {
  const { stdout } = io
  if (!state.running) {
    printLine(stdout, hint(io, 'down   start it with: belay up --detach'))
    if (state.why !== null) printLine(stdout, `       ${state.why}`)
    return
  }
  const { url, pid, version, uptimeMs, paused, store } = state.facts
  printLine(stdout, `up     ${url} (pid ${pid}, version ${version}, up for ${formatAge(Number(uptimeMs))})`)
  if (paused)
    printLine(stdout, `PAUSED until ${new Date(paused.until).toISOString()} by ${paused.by}: nothing is decided (belay pause off)`)
  printLine(stdout, `store  ${store}`)
}

function printPolicy(policy: ReturnType<typeof policyStatus>, io: CommandIo): void {
  const { file, untrusted, broken, changes, trustProblem } = policy
  const { stdout } = io
  printLine(stdout, file === null ? hint(io, NO_POLICY) : `policy ${file}`)
  for (const path of untrusted)
    printLine(stdout, hint(io, `NOT TRUSTED ${path}: only its deny and ask rules hold\n       accept it with: belay policy trust`))
  for (const { file: path, isHeld, errors } of broken) {
    const held = isHeld ? 'its last good version holds' : 'calls are denied until it is fixed'
    printLine(stdout, `BROKEN ${path}: ${held}\n       ${errors.join('\n       ')}`)
  }
  for (const { message, remedy } of changes) printLine(stdout, hint(io, `POLICY CHANGED ${message}\n       ${remedy}`))
  if (trustProblem !== undefined) printLine(stdout, `TRUST LOST ${trustProblem}`)
}

function describeError({ place, message }: Diagnostic): string {
  return `${formatPlace(place)}: ${message}`
}
