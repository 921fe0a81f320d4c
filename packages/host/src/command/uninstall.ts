// `belay uninstall AGENT`: gives the agent's files back as they were; what others changed since stays.

import { findTarget } from '../agent/agents.ts'
import type { InstallScope } from '../agent/target.ts'
import { findHome } from '../config/home.ts'
import { shimPath } from '../install/choose-shim.ts'
import { type FileChange, uninstall } from '../install/install.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { failUnknown, placeOf } from './install.ts'

export interface UninstallOptions {
  readonly agent: string
  /** Both when not given. */
  readonly scope?: InstallScope
  readonly dryRun?: boolean
  readonly json?: boolean
}

export function runUninstall(options: UninstallOptions, io: CommandIo): ExitCode {
  const target = findTarget(options.agent)
  if (target === null) return failUnknown(options.agent, io)
  if (options.scope !== undefined && !target.scopes.includes(options.scope))
    return fail(io, `${options.agent} can only be installed with --scope ${target.scopes.join(' or ')}`)
  const home = findHome(io.env)
  const changes: FileChange[] = []
  for (const scope of options.scope === undefined ? target.scopes : [options.scope]) {
    const place = { ...placeOf(io, scope), shim: shimPath(home) }
    const done = uninstall({ target, place, home, dryRun: options.dryRun === true })
    if (!done.ok) return fail(io, `${done.path}${done.line === null ? '' : `:${done.line}`}: ${done.why}`, 'take our lines out by hand')
    changes.push(...done.changes)
  }
  if (options.json === true)
    printJson(io, { agent: target.agent, dryRun: options.dryRun === true, changed: changes.map(({ path }) => path) })
  else if (changes.length === 0) printLine(io.stdout, `Belay is not installed in ${options.agent}.`)
  else for (const { path, after } of changes) printLine(io.stdout, `${after === null ? 'removed' : 'changed'} ${path}`)
  return 0
}
