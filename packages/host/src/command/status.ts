// belay status: whether the daemon runs, where, and which policy holds in this directory.
import { type Diagnostic, formatPlace } from '@belay/core'
import { combinedHash } from '@belay/core/policy'
import { acceptChange, describeChange } from '../config/policy-change.ts'
import { brokenFiles, loadGuard } from '../guard/load-guard.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from '../terminal/io.ts'
import { readDaemonState } from './daemon-status.ts'
import { guardPlace } from './policies.ts'

export async function runStatus(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const state = await readDaemonState(io)
  const sources = loadGuard(io.cwd, guardPlace(io))
  const { loaded, changes } = sources
  const { files, policies, locked, trustProblem } = loaded
  const broken = brokenFiles(sources)
  const policy = {
    file: files.at(-1)?.path ?? null,
    hash: policies.length === 0 ? null : combinedHash(policies),
    ok: broken.length === 0 && locked === null && changes.length === 0 && trustProblem === null,
    broken: broken.map(({ path, isHeld, errors }) => ({ file: path, isHeld, errors: errors.map(describeError) })),
    changes: changes.map(change => ({ ...change, message: describeChange(change), remedy: acceptChange(change) })),
    ...(trustProblem === null ? {} : { trustProblem }),
  }
  const facts = state.running
    ? state.facts
    : { pid: null, socket: null, url: null, version: null, store: null, uptimeMs: null, paused: null }
  if (options.json === true) {
    const { pid, socket, url, version, store, uptimeMs, paused } = facts
    printJson(io, { running: state.running, pid, socket, url, version, store, policy, uptimeMs, ...(paused ? { paused } : {}) })
  } else {
    printLine(
      io.stdout,
      state.running
        ? `up     ${facts.url} (pid ${facts.pid}, version ${facts.version}, since ${Math.round(Number(facts.uptimeMs) / 1000)} s)`
        : 'down   start it with: belay up --detach',
    )
    if (facts.paused)
      printLine(
        io.stdout,
        `PAUSED until ${new Date(facts.paused.until).toISOString()} by ${facts.paused.by}: nothing is decided (belay pause off)`,
      )
    if (state.running) printLine(io.stdout, `store  ${facts.store}`)
    if (!state.running && state.why !== null) printLine(io.stdout, `       ${state.why}`)
    printLine(
      io.stdout,
      files.length === 0 ? 'policy none here: everything is recorded, nothing decided (belay genesis init)' : `policy ${policy.file}`,
    )
    for (const { file, isHeld, errors } of policy.broken)
      printLine(
        io.stdout,
        `BROKEN ${file}: ${isHeld ? 'its last good version holds' : 'calls are denied until it is mended'}\n       ${errors.join('\n       ')}`,
      )
    for (const { message, remedy } of policy.changes) printLine(io.stdout, `POLICY CHANGED ${message}\n       ${remedy}`)
    if (trustProblem !== null) printLine(io.stdout, `TRUST LOST ${trustProblem}`)
  }
  return state.running ? 0 : 1
}

function describeError({ place, message }: Diagnostic): string {
  return `${formatPlace(place)}: ${message}`
}
