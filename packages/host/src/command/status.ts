// belay status: whether the daemon runs, where, and which policy holds in this directory.
import { combinedHash } from '@belay/core/policy'
import { readDaemonState } from './daemon-status.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from './io.ts'
import { loadForCommand } from './policies.ts'

export async function runStatus(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const state = await readDaemonState(io)
  const { files, policies, locked } = loadForCommand(io)
  const broken = files.filter(file => file.errors.length > 0)
  const policy = {
    file: files.at(-1)?.path ?? null,
    hash: policies.length === 0 ? null : combinedHash(policies),
    ok: broken.length === 0 && locked === null,
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
      files.length === 0
        ? 'policy none here: everything is recorded, nothing decided (belay genesis init)'
        : `policy ${policy.file}${policy.ok ? '' : ' is BROKEN; its last good version holds (belay genesis validate)'}`,
    )
  }
  return state.running ? 0 : 1
}
