// `belay install --renew`: after an update, brings everything that an earlier version left to this one: the client, the lines in every agent
// and project that Belay was put into, the database, the daemon.

import { existsSync, readFileSync } from 'node:fs'
import { errorText } from '@belay/core/value'
import { findTarget } from '../agent/agents.ts'
import { isOurCommand } from '../agent/hook-command.ts'
import type { InstallPlace, SettingName, Target } from '../agent/target.ts'
import { findHome } from '../config/home.ts'
import { chooseShim } from '../install/choose-shim.ts'
import { findSetting } from '../install/hook-edit.ts'
import { install } from '../install/install.ts'
import { type InstallRecord, listRecords } from '../install/install-record.ts'
import { locateLedger } from '../ledger/ledger-files.ts'
import { CURRENT_VERSION } from '../store/migrate.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { readDaemonState } from './daemon-status.ts'
import { VERSION } from './help.ts'
import { fileVersion, placeOf } from './install.ts'
import { runUp } from './up.ts'

interface Renewed {
  readonly agent: string
  readonly scope: string
  readonly projectRoot: string | null
  readonly changed: readonly string[]
  /** Null: done. */
  readonly why: string | null
}

export async function runRenew({ json = false }: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const shim = chooseShim({ home, env: io.env })
  const agents = listRecords(home).map(record => renewAgent(record, shim.path, io))
  const database = await renewDatabase(home, json ? { ...io, stdout: { write: () => true } } : io)
  const failed = agents.filter(({ why }) => why !== null)
  if (json) printJson(io, { version: VERSION, client: shim, agents, database })
  else {
    printLine(io.stdout, `client   ${shim.path}, ${shim.kind}`)
    for (const { agent, changed } of agents) for (const path of changed) printLine(io.stdout, `changed  ${path} (${agent})`)
    printLine(io.stdout, `database ${database}`)
    for (const { agent, why } of failed) fail(io, `${agent}: ${why}`)
    if (failed.length === 0) printLine(io.stdout, `${agents.length} installations are of version ${VERSION}. check: belay doctor`)
  }
  return failed.length === 0 ? 0 : 1
}

function renewAgent({ agent, scope, projectRoot }: InstallRecord, shim: string, io: CommandIo): Renewed {
  const about = { agent, scope, projectRoot }
  const target = findTarget(agent)
  if (target === null) return { ...about, changed: [], why: 'this version does not know it' }
  // A project that was removed has nothing to guard.
  if (projectRoot !== null && !existsSync(projectRoot)) return { ...about, changed: [], why: null }
  const here = placeOf(io, scope)
  const place: InstallPlace = { ...here, projectRoot: projectRoot ?? here.projectRoot, shim, version: fileVersion(agent, io) }
  const done = install({ target, place: { ...place, settings: settingsOf(target, place) }, home: findHome(io.env), dryRun: false })
  if (!done.ok) return { ...about, changed: [], why: `${done.path}: ${done.why}` }
  return { ...about, changed: done.changes.map(({ path }) => path), why: null }
}

/** Those that are there: a person may have left one out. */
function settingsOf(target: Target, place: InstallPlace): readonly SettingName[] {
  const texts = target.files(place).flatMap(({ kind, path }) => (kind === 'shared' && existsSync(path) ? [readFileSync(path, 'utf8')] : []))
  return (['statusLine', 'fileSuggestion'] as const).filter(name => texts.some(text => isOurCommand(findSetting(text, name) ?? '')))
}

/** A daemon of another version is replaced, which brings the database forward; without one it is done here. */
async function renewDatabase(home: string, io: CommandIo): Promise<string> {
  const state = await readDaemonState(io)
  if (state.running && state.facts.version !== VERSION) {
    const code = await runUp({ detach: true }, io)
    return code === 0 ? `version ${CURRENT_VERSION}, with a new daemon` : 'not looked at: the daemon does not come up'
  }
  const file = locateLedger(home).database
  if (state.running || !existsSync(file)) return state.running ? `version ${CURRENT_VERSION}` : 'there is none yet'
  try {
    const store = await openSqliteStore({ file })
    await store.close()
    return `version ${CURRENT_VERSION}`
  } catch (error) {
    return `not brought forward: ${errorText(error)}`
  }
}
