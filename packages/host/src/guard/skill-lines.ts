// What a skill, a slash command or a sub-agent's description has the agent run by itself, with no tool call of its own: lines as the text is
// loaded (`!` before a command in backquotes, blocks that begin with ```!), hooks and servers of its frontmatter from then on. Each is judged
// before, as the call that it is. A repository brings such files.
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { HookEvent } from '@belay/core'
import { loadConfig } from '@belay/core/dialect'
import { toolFamily } from '@belay/core/match'
import { callOfEvent } from '@belay/core/policy'
import { isObject } from '@belay/core/value'
import { quote } from '../agent/hook-command.ts'
import { skillOfCall } from '../config/active-skills.ts'
import { frontmatterField, frontmatterName, frontmatterValue } from '../config/frontmatter-name.ts'
import { readRegularFile } from '../disk/read-regular-file.ts'
import type { ProjectGuard } from './project-guard.ts'

export interface SkillLineGuard {
  readonly root: string
  readonly userHome: string
  readonly judge: ProjectGuard['judge']
}

export interface SkillLine {
  readonly decision: 'deny' | 'ask'
  readonly reason: string
}

/** The strictest of them; null: none is denied or asked about. */
export function judgeSkillLines(event: HookEvent, guard: SkillLineGuard): SkillLine | null {
  const used = skillsOf(event, guard)
  if (used === null) return null
  let strictest: SkillLine | null = null
  const files = [...used.agents, ...findFiles(used.names, event.cwd, guard)]
  for (const file of files) {
    for (const said of [...linesIn(file, used.given), ...startedBy(file)]) {
      const command = withFolders(said, file, guard.root)
      const { decision, reason } = reasonOf(guard.judge({ tool: 'Bash', input: { command } }, event))
      if (decision !== 'deny' && decision !== 'ask') continue
      if (strictest === null || decision === 'deny')
        strictest = { decision, reason: `${file} has the agent run \`${command}\` by itself: ${reason}` }
      if (decision === 'deny') return strictest
    }
  }
  return strictest
}

function reasonOf({ verdict }: ReturnType<ProjectGuard['judge']>): { readonly decision: string; readonly reason: string } {
  return { decision: verdict.decision, reason: 'reason' in verdict ? (verdict.reason ?? '') : '' }
}

interface UsedSkills {
  readonly names: readonly string[]
  /** Files that describe the sub-agent which is launched. */
  readonly agents: readonly string[]
  /** What follows the name. */
  readonly given: string
}

/** null: the event loads none. */
function skillsOf(event: HookEvent, guard: SkillLineGuard): UsedSkills | null {
  if (event.name === 'PreToolUse') return skillsOfCall(event, guard)
  if (event.name !== 'UserPromptExpansion') return null
  const { commandName: name, commandArgs: given } = event.fields
  return typeof name === 'string' ? { names: [lastName(name)], agents: [], given: typeof given === 'string' ? given : '' } : null
}

function skillsOfCall(event: HookEvent, guard: SkillLineGuard): UsedSkills | null {
  const { toolName } = event.fields
  const family = typeof toolName === 'string' ? toolFamily(toolName) : null
  const input = family === 'skill' || family === 'task' ? (callOfEvent(event)?.input ?? null) : null
  if (input === null) return null
  if (family === 'task') {
    const { subagent_type: type } = input
    if (typeof type !== 'string') return null
    const agents = filesOfAgent(type, event.cwd, guard)
    return { names: agents.flatMap(path => frontmatterField(read(path), 'skills')).map(lastName), agents, given: '' }
  }
  const name = skillOfCall(event)
  const { args, command } = input
  const given = typeof args === 'string' ? args : typeof command === 'string' ? command.replace(/^\S+\s*/, '') : ''
  return name === null ? null : { names: [name], agents: [], given }
}

function lastName(name: string): string {
  return name.replace(/^\//, '').split(':').at(-1) ?? ''
}

function filesOfAgent(type: string, cwd: string, guard: SkillLineGuard): readonly string[] {
  const name = lastName(type)
  const isOf = (path: string): boolean => path.endsWith('.md') && (basename(path, '.md') === name || frontmatterName(read(path)) === name)
  return foldersOf('agents', cwd, guard).flatMap(filesBelow).filter(isOf)
}

function findFiles(names: readonly string[], cwd: string, guard: SkillLineGuard): readonly string[] {
  if (names.length === 0) return []
  const wanted = new Set(names.map(name => name.toLowerCase()))
  const isWanted = (path: string): boolean => {
    const name = basename(path)
    const given = name === 'SKILL.md' ? basename(dirname(path)) : basename(path, '.md')
    if (wanted.has(given.toLowerCase())) return name.endsWith('.md')
    return name === 'SKILL.md' && wanted.has((frontmatterName(read(path)) ?? '').toLowerCase())
  }
  return ['skills', 'commands'].flatMap(kind => foldersOf(kind, cwd, guard).flatMap(filesBelow)).filter(isWanted)
}

/** Of the user, of each folder from where the agent is up to the root of the disk, of folders below the project, and of plugins. */
function foldersOf(kind: string, cwd: string, { root, userHome }: SkillLineGuard): readonly string[] {
  const homes = new Set<string>([userHome])
  for (const start of [cwd, root])
    for (let at = start; ; at = dirname(at)) {
      homes.add(at)
      if (dirname(at) === at) break
    }
  for (const home of agentFoldersBelow(root)) homes.add(home)
  const own = [...homes].flatMap(home => ['.claude', '.agents'].map(folder => join(home, folder, kind)))
  return [...own, join(userHome, '.claude', 'plugins'), join(root, '.claude', 'plugins')]
}

/** Folders of a project that are looked through. */
const MAX_FOLDERS = 3000
const SKIPPED = new Set(['node_modules', '.git', '.venv', 'target'])

/** Folders below that have agents' files of their own, the nearest first. */
function agentFoldersBelow(root: string): readonly string[] {
  const found: string[] = []
  const waiting = [root]
  for (let at = 0; at < waiting.length && at < MAX_FOLDERS; at++) {
    const folder = waiting[at] as string
    for (const { name, isFolder } of entriesOf(folder)) {
      if (name === '.claude' || name === '.agents') found.push(folder)
      else if (isFolder && !SKIPPED.has(name)) waiting.push(join(folder, name))
    }
  }
  return found
}

/** In one folder of skills. */
const MAX_FILES = 2000

function filesBelow(folder: string): readonly string[] {
  const found: string[] = []
  const waiting = [folder]
  for (let at = 0; at < waiting.length && at < MAX_FILES; at++) {
    for (const { name } of entriesOf(waiting[at] as string)) {
      const path = join(waiting[at] as string, name)
      if (name.endsWith('.md')) found.push(path)
      // A link to a folder has no other sign: what is no folder has no entries.
      else if (!name.includes('.') && name !== 'node_modules') waiting.push(path)
    }
  }
  return found
}

function entriesOf(folder: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).map(entry => ({ name: entry.name, isFolder: entry.isDirectory() }))
  } catch {
    // What is not there, or no folder, has none.
    return []
  }
}

function read(path: string): string {
  try {
    return readRegularFile(path).toString('utf8')
  } catch {
    // The agent cannot read it either.
    return ''
  }
}

const LINE = /!`([^`]+)`/g
const BLOCK = /```!\s*\n?([\s\S]*?)\n?```/g

function linesIn(file: string, given: string): readonly string[] {
  const text = read(file)
  const found = [BLOCK, LINE].flatMap(pattern => [...text.matchAll(pattern)].map(match => match[1] ?? ''))
  const names = frontmatterField(text, 'arguments')
  return found.map(command => fillIn(command, { given, names })).filter(command => command.trim() !== '')
}

/** Hooks of the frontmatter run at every event that follows, servers at once. */
function startedBy(file: string): readonly string[] {
  const text = read(file)
  const hooks = /^hooks\s*:/m.test(text) ? loadConfig(text, { path: file, dialect: 'claude', scope: 'skill' }).hooks : []
  const servers = [frontmatterValue(text, 'mcpServers')].flat().flatMap(named => (isObject(named) ? Object.values(named) : []))
  return [...hooks.flatMap(({ type, text: command }) => (type === 'command' ? [command] : [])), ...servers.flatMap(serverCommand)]
}

function serverCommand(server: unknown): readonly string[] {
  if (!isObject(server) || typeof server.command !== 'string') return []
  const words = Array.isArray(server.args) ? server.args.map(String) : []
  return [[server.command, ...words.map(quote)].join(' ')]
}

/** Variables that the agent sets for what it runs: an unknown name of a program would be asked about. */
function withFolders(command: string, file: string, root: string): string {
  const plugin = /^(.*)\/(?:skills|commands|agents)\//.exec(file)?.[1] ?? dirname(file)
  const folders = { CLAUDE_SKILL_DIR: dirname(file), CLAUDE_PLUGIN_ROOT: plugin, CLAUDE_PROJECT_DIR: root }
  return Object.entries(folders).reduce(
    (text, [name, folder]) => text.replaceAll(new RegExp(`\\$(?:${name}\\b|\\{${name}\\})`, 'g'), () => folder),
    command,
  )
}

interface Filling {
  readonly given: string
  readonly names: readonly string[]
}

/** As the agent does before it runs the line: whatever a model gives as an argument becomes part of the command. */
function fillIn(command: string, { given, names }: Filling): string {
  const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, ...parts]) => parts.find(part => part !== undefined) ?? '')
  const at = (index: number): string => words[index] ?? ''
  return command
    .replaceAll(/\$ARGUMENTS\[(\d+)\]/g, (_all, index: string) => at(Number(index)))
    .replaceAll('$ARGUMENTS', () => given)
    .replaceAll(/\$(\d+)(?!\w)/g, (_all, index: string) => at(Number(index)))
    .replaceAll(/\$([A-Za-z_][\w-]*)/g, (all, name: string) => (names.includes(name) ? at(names.indexOf(name)) : all))
}
