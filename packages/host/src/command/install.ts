// `belay install AGENT`: writes our hooks into the agent's configuration, shows what changed, and says what the agent still asks of a person.
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { type Agent, type AgentId, agentEvents, findAgent } from '@belay/core/adapter'
import { loadConfig } from '@belay/core/dialect'
import { suggestRemedy } from '@belay/core/policy'
import { createTwoFilesPatch } from 'diff'
import { findTarget, listTargets, programOf } from '../agent/agents.ts'
import { askVersion, versionParts } from '../agent/ask-version.ts'
import { isOurCommand } from '../agent/hook-command.ts'
import type { InstallPlace, InstallScope, SettingName, Target, TargetFile } from '../agent/target.ts'
import { findHome } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { isOnPath } from '../disk/on-path.ts'
import { chooseShim, type ShimChoice, shimPath } from '../install/choose-shim.ts'
import { findSetting } from '../install/hook-edit.ts'
import { type FileChange, install, isForeign } from '../install/install.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { paint } from '../terminal/style.ts'

export interface InstallCommandOptions {
  readonly agent: string
  readonly scope?: InstallScope
  readonly dryRun?: boolean
  readonly json?: boolean
  /** False: none of ours. */
  readonly statusLine?: boolean
  readonly fileSuggestion?: boolean
}

export function runInstall(options: InstallCommandOptions, io: CommandIo): ExitCode {
  const target = findTarget(options.agent)
  if (target === null) return failUnknown(options.agent, io)
  const scope = options.scope ?? target.scopes[0] ?? 'user'
  if (!target.scopes.includes(scope)) return fail(io, `${options.agent} can only be installed with --scope ${target.scopes.join(' or ')}`)
  const home = findHome(io.env)
  const shim: ShimChoice = options.dryRun === true ? { kind: 'native', path: shimPath(home), why: null } : chooseShim({ home, env: io.env })
  const place = { ...placeOf(io, scope), version: fileVersion(target.agent, io), settings: settingsOf(options) }
  const done = install({ target, place: { ...place, shim: shim.path }, home, dryRun: options.dryRun === true })
  if (!done.ok)
    return fail(
      io,
      `${done.path}${done.line === null ? '' : `:${done.line}`}: ${done.why}`,
      'nothing was changed; put that right and do it again',
    )
  const notes = notesOf(target, place, shim.path, done.changes)
  if (options.json === true) {
    const files = target.files({ ...place, shim: shim.path }).map(({ path }) => path)
    printJson(io, {
      agent: target.agent,
      scope,
      dryRun: options.dryRun === true,
      changed: done.changes.map(({ path }) => path),
      files,
      shim,
      notes,
    })
    return 0
  }
  if (options.dryRun === true) for (const change of done.changes) printLine(io.stdout, patchOf(change))
  else report(io, { target, shim, changes: done.changes })
  for (const note of notes) printLine(io.stdout, note)
  return 0
}

function settingsOf({ statusLine, fileSuggestion }: InstallCommandOptions): readonly SettingName[] {
  return [...(statusLine === false ? [] : (['statusLine'] as const)), ...(fileSuggestion === true ? (['fileSuggestion'] as const) : [])]
}

export function failUnknown(agent: string, io: CommandIo): ExitCode {
  if (agent === 'mcp') return fail(io, 'an MCP server is guarded by starting it through Belay', 'belay mcp-proxy -- COMMAND...')
  if (agent === 'in-process') return fail(io, 'an agent in process asks for itself', 'createToolPipeline({ gate: createDaemonGate() })')
  const known = findAgent(agent)
  if (known !== null && known.borrows.length > 0) {
    const [first = ''] = known.borrows
    return fail(io, `${known.name} has no hook file of its own: it reads those of ${known.borrows.join(' and ')}`, `belay install ${first}`)
  }
  const names = listTargets().map(target => target.agent)
  return fail(io, `there is no agent \`${agent}\``, suggestRemedy(agent, names) ?? `agents: ${names.join(' ')}`)
}

/** The version of the agent that is on the path, where its file depends on it; null: it does not, or nobody knows. */
export function fileVersion(id: AgentId, io: CommandIo): readonly number[] | null {
  const program = findAgent(id)?.strictBefore == null ? null : programOf(id)
  return program === null || !isOnPath(program, io.env.PATH ?? '') ? null : versionParts(askVersion(program, io.env))
}

export function placeOf(io: CommandIo, scope: InstallScope): Omit<InstallPlace, 'shim'> {
  return {
    scope,
    env: io.env,
    userHome: io.env.HOME || homedir(),
    projectRoot: findProject(io.cwd, findHome(io.env)).root,
  }
}

function report(io: CommandIo, { target, shim, changes }: { target: Target; shim: ShimChoice; changes: readonly FileChange[] }): void {
  const name = findAgent(target.agent)?.name ?? target.agent
  if (changes.length === 0) printLine(io.stdout, `${name} is already installed.`)
  for (const { path, before } of changes) printLine(io.stdout, `${before === null ? 'wrote  ' : 'changed'} ${path}`)
  const slower = shim.why === null ? '' : paint(io, 'yellow', ` (slower than it could be: ${shim.why})`)
  printLine(io.stdout, `client  ${shim.path}, ${shim.kind}${slower}`)
}

/** What a person has to do or know. */
function notesOf(target: Target, place: Omit<InstallPlace, 'shim'>, shim: string, changes: readonly FileChange[]): readonly string[] {
  const agent = findAgent(target.agent)
  const skipped = target.files({ ...place, shim }).flatMap(file => {
    const text = changes.find(({ path }) => path === file.path)?.after
    if (file.kind !== 'shared' || typeof text !== 'string' || !loadConfig(text, { path: file.path }).skipped) return []
    return [
      `warning: ${agent?.name} skips all of ${file.path}, because it is not strict JSON (comments or trailing commas): fix it, or nothing is guarded`,
    ]
  })
  const foreign = target.files({ ...place, shim }).filter(isForeign)
  const kept = target.files({ ...place, shim }).flatMap(file => (file.kind === 'shared' ? keptSettings(file) : []))
  const isPassing = import.meta.dirname.includes('/_npx/')
  return [
    ...(agent?.runsNoHooks == null ? [] : [`warning: ${agent.runsNoHooks}`]),
    ...(agent === null ? [] : leftOut(agent, place.version ?? null)),
    ...skipped,
    ...foreign.map(({ path }) => `note    ${path} is not ours and stays: what it sees is not judged`),
    ...kept,
    ...(isPassing
      ? ['warning: this Belay lives in the cache of npx, which may vanish: npm install -g @belay/host, then install again']
      : []),
    ...(agent?.trustGate == null ? [] : [`trust   ${agent.trustGate}`]),
    ...(agent?.proof === 'documented'
      ? [`note    ${agent.name} is wired as its documentation says; this was not tried with the program itself`]
      : []),
    `check   belay doctor ${target.agent}`,
  ]
}

function leftOut(agent: Agent, version: readonly number[] | null): readonly string[] {
  const { name, strictBefore } = agent
  if (strictBefore === null || agentEvents(agent, version) !== strictBefore.events) return []
  const first = strictBefore.version.join('.')
  return [
    `warning: ${name} before ${first} drops a file with an event that it does not know: only ${strictBefore.events.length} events are written; update it, then install again for the others`,
  ]
}

/** A person's own goes before ours. */
function keptSettings({ path, hooks }: Extract<TargetFile, { kind: 'shared' }>): readonly string[] {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return Object.keys(hooks.settings ?? {}).flatMap(name => {
    const command = findSetting(text, name)
    if (command === null || isOurCommand(command)) return []
    const table = name === 'statusLine' ? 'statusline' : 'file_suggestion'
    return [
      `note    ${path} has a ${name} of your own, which stays; for both, move its command into config.toml ([${table}] command) and install again`,
    ]
  })
}

function patchOf({ path, before, after }: FileChange): string {
  return createTwoFilesPatch(
    path,
    path,
    before ?? '',
    after ?? '',
    before === null ? 'absent' : 'now',
    after === null ? 'absent' : 'then',
  ).trimEnd()
}
