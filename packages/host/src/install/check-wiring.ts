// Whether an agent's files say what `install` wrote into them.

import { existsSync, readFileSync } from 'node:fs'
import { type Agent, agentEvents, canonicalEvent } from '@belay/core/adapter'
import { loadConfig } from '@belay/core/dialect'
import { errorText } from '@belay/core/value'
import { HOST_AGENTS } from '../agent/agents.ts'
import { hookCommand, isOurCommand, ourClient } from '../agent/hook-command.ts'
import { type InstallPlace, OWN_MARK, type Target, type TargetFile } from '../agent/target.ts'
import { findWeakness } from './check-entry.ts'
import type { Finding } from './finding.ts'
import { type FoundHook, findHooks, findSetting } from './hook-edit.ts'
import { isExecutable, isForeign } from './install.ts'
import { type InstallRecord, readRecord, recordPath, sha256 } from './install-record.ts'
import { RENEW } from './renew.ts'

export interface Wiring {
  readonly findings: readonly Finding[]
  /** The line that the agent runs before a tool; null: it runs none of ours. */
  readonly gate: string | null
}

export function isInstalled(target: Target, place: InstallPlace): boolean {
  return target.files(place).some(file => existsSync(file.path) && hasOurs(file))
}

/** Installed by us and not taken out again, whatever its files say now. */
export function wasInstalled(target: Target, place: InstallPlace, home: string): boolean {
  return readRecord(recordPath(home, target.agent, place)) !== null
}

export function checkWiring(target: Target, agent: Agent, place: InstallPlace, home: string): Wiring {
  const remedy = `belay install ${agent.id}${place.scope === target.scopes[0] ? '' : ` --scope ${place.scope}`}`
  const findings: Finding[] = []
  const say = (state: Finding['state'], message: string, what: string = remedy) =>
    findings.push({ agent: agent.id, check: 'wiring', state, message, ...(state === 'ok' ? {} : { remedy: what }) })
  const record = readRecord(recordPath(home, target.agent, place))
  let gate: string | null = null
  for (const file of target.files(place)) {
    if (!existsSync(file.path)) {
      // What this version writes and the installed one did not know of.
      if (record?.files.every(({ path }) => path !== file.path)) say('fail', `${file.path} is not there yet`, RENEW)
      else say('fail', `${file.path} is not there`)
      continue
    }
    if (isForeign(file)) {
      say(...foreign(file.path, record))
      continue
    }
    const text = readOrWhy(file.path)
    if (typeof text !== 'string') {
      say('fail', `${file.path} cannot be read: ${text.why}`, `see to it, then ${remedy}`)
      continue
    }
    if (file.kind === 'own') {
      if (text !== file.text && isAsWritten(record, file.path, text)) say('fail', `${file.path} is of an earlier version`, RENEW)
      else if (text !== file.text) say('fail', `${file.path} is not as it was installed`)
      else if (file.mode !== undefined && !isExecutable(file.path)) say('fail', `${file.path} may not be run: ${agent.name} passes over it`)
      else say('ok', file.path)
      gate ??= hookCommand(place.shim, agent, HOST_AGENTS[agent.id].gateEvent)
      continue
    }
    if (text.startsWith('\uFEFF') && file.readsMark !== true)
      say('fail', `${file.path} begins with a byte order mark, with which ${agent.name} may read none of it`, 'save the file without one')
    gate ??= checkShared(file, { agent, shim: place.shim, text, remedy, version: place.version ?? null, say })
    findings.push(...checkSettings(file, text, agent))
  }
  return { findings, gate }
}

/** A person's own file stays; one that took the place of ours keeps it from guarding. */
function foreign(path: string, record: InstallRecord | null): [Finding['state'], string, string] {
  const wasOurs = record?.files.some(file => file.path === path) === true
  const message = `${path} is not ours${wasOurs ? ' any more' : ' and stays'}: what it sees is not judged`
  return [wasOurs ? 'fail' : 'note', message, 'move it away and install again']
}

/** What is wrong with our entries in this one file, which an installation wrote into; lines of an earlier version are not. */
export function findLostEntries(path: string, agent: Agent, place: InstallPlace): readonly string[] {
  const found: string[] = []
  const say: SharedCheck['say'] = (state, message, remedy) => {
    if (state === 'fail' && remedy !== RENEW) found.push(message)
  }
  const file = HOST_AGENTS[agent.id].target?.files(place).find(each => each.kind === 'shared')
  const text = readOrWhy(path)
  if (file?.kind !== 'shared') return []
  if (typeof text !== 'string') return [`${path} cannot be read: ${text.why}`]
  checkShared({ ...file, path }, { agent, shim: place.shim, text, remedy: '', version: place.version ?? null, say })
  return found
}

/** The very bytes that an installation wrote. */
function isAsWritten(record: InstallRecord | null, path: string, text: string): boolean {
  return record?.files.some(file => file.path === path && file.written === sha256(text)) === true
}

interface SharedCheck {
  readonly agent: Agent
  readonly shim: string
  readonly text: string
  readonly remedy: string
  /** Of the agent that is there; null: not known. */
  readonly version: readonly number[] | null
  say(state: Finding['state'], message: string, remedy?: string): void
}

type SharedFile = Extract<TargetFile, { kind: 'shared' }>

function checkShared(file: SharedFile, { agent, shim, text, remedy, version, say }: SharedCheck): string | null {
  const config = loadConfig(text, { path: file.path })
  if (config.parse === 'invalid') {
    const problem = config.diagnostics.find(({ severity }) => severity === 'error')
    say(
      'fail',
      `${file.path}:${problem?.place.line ?? 1} is broken: ${problem?.message ?? 'it cannot be read'}`,
      `correct it, then ${remedy}`,
    )
    return null
  }
  const found = findHooks(text, isOurCommand)
  const lacking = file.hooks.entries.filter(({ event }) => !found.some(hook => hook.event === event)).map(({ event }) => event)
  const missing = version === null && isForStrict(agent, found) ? [] : lacking
  const unknown = found.filter(({ event }) => isVoid(agent, event, version)).map(({ event }) => event)
  if (config.skipped)
    say('fail', `${agent.name} skips all of ${file.path}: it is not strict JSON`, 'take the comments and trailing commas out')
  if (unknown.length > 0)
    say(
      'fail',
      `${agent.name} ${version?.join('.')} runs nothing of ${file.path}: it does not know ${unknown[0]}, and drops the whole file`,
    )
  else if (missing.length === file.hooks.entries.length) say('fail', `${file.path} has no hook of ours`)
  else if (missing.length > 0) say('fail', `${file.path} lacks our hook for ${missing.join(', ')}`)
  else if (sayWeak(file, found, { agent, shim, text, remedy, version, say }) === 0) say('ok', `${file.path}, ${found.length} events`)
  return found.find(({ event }) => canonicalEvent(agent.id, event) === 'PreToolUse')?.command ?? null
}

/** As it is written for versions that take no event that they do not know. */
function isForStrict({ strictBefore }: Agent, found: readonly FoundHook[]): boolean {
  const events = new Set(found.map(({ event }) => event))
  return strictBefore !== null && events.size === strictBefore.events.length && strictBefore.events.every(event => events.has(event))
}

function isVoid(agent: Agent, event: string, version: readonly number[] | null): boolean {
  return agent.strictBefore !== null && !agentEvents(agent, version).includes(event) && agentEvents(agent).includes(event)
}

/** Every entry that no longer guards as it did, the same words once; says how many. */
function sayWeak({ path, hooks }: SharedFile, found: readonly FoundHook[], { agent, shim, say }: SharedCheck): number {
  const others = new Set(found.map(({ command }) => ourClient(command)).filter(client => client !== null && client !== shim))
  for (const client of others)
    say('fail', `${path} has lines of another installation (${client}): what holds there is not what is set here`)
  const weak = hooks.entries.flatMap(entry =>
    found
      .filter(({ event }) => event === entry.event)
      .flatMap(hook => findWeakness(agent, entry, hook).map(each => ({ ...each, event: entry.event }))),
  )
  for (const why of new Set(weak.map(each => each.why))) {
    const same = weak.filter(each => each.why === why)
    const names = same.map(({ event }) => event)
    const where = names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', ')
    if (same[0]?.kind === 'earlier') say('fail', `${path}, ${where}: ${why}`, RENEW)
    else say('fail', `${path}, ${where}: ${why}`)
  }
  return weak.length + others.size
}

/** A courtesy, and a person may have one of their own. */
function checkSettings({ path, hooks }: SharedFile, text: string, { id }: Agent): readonly Finding[] {
  return Object.entries(hooks.settings ?? {}).map(([name, value]): Finding => {
    const command = findSetting(text, name)
    const finding = { agent: id, check: name }
    if (command !== null && commandsOf(value).includes(command)) return { ...finding, state: 'ok', message: path }
    const message =
      command === null
        ? `${path} has no ${name}: how full the context window is comes from transcripts only`
        : isOurCommand(command)
          ? `${path} has the ${name} of another installation`
          : `${path} has a ${name} of its own, which stays`
    return { ...finding, state: 'note', message, remedy: `belay install ${id}` }
  })
}

function hasOurs(file: TargetFile): boolean {
  const text = readOrWhy(file.path)
  if (typeof text !== 'string') return false
  return file.kind === 'own' ? text.includes(OWN_MARK) : findHooks(text, isOurCommand).length > 0
}

function readOrWhy(path: string): string | { readonly why: string } {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    return { why: errorText(error) }
  }
}

function commandsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(commandsOf) : []
}
