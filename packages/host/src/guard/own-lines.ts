// What a text that an agent takes over has it run or read by itself, with no call of its own, as the calls that they are: lines as it is loaded,
// hooks and servers of its frontmatter from then on.
import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Agent } from '@belay/core/adapter'
import { loadConfig } from '@belay/core/dialect'
import { mentionedFiles, type ToolCall } from '@belay/core/policy'
import { isObject } from '@belay/core/value'
import { parse as parseToml } from 'smol-toml'
import { quote } from '../agent/hook-command.ts'
import { frontmatterField, frontmatterName, frontmatterValue } from '../config/frontmatter-name.ts'
import { readTexts } from './read-text.ts'

export interface OwnText {
  readonly path: string
  readonly text: string
  /** The project. */
  readonly root: string
  /** Where the agent is. */
  readonly cwd: string
  readonly userHome: string
}

/** Lines and files as the text is loaded. `given`: what follows its name. */
export function linesOf(own: OwnText, form: Agent['ownLines'], given: string): readonly ToolCall[] {
  if (form === 'braces') return bracedLines(own, given)
  const { path, text, root } = own
  const names = frontmatterField(text, 'arguments')
  const fill = (part: string): string => fillIn(part, { given, names })
  const commands = [BLOCK, LINE].flatMap(pattern => [...text.matchAll(pattern)].map(match => fill(match[1] ?? '')))
  return [...commands.flatMap(command => asCall(withFolders(command, path, root))), ...filesNamed(fill(text), own)]
}

/** Those that are there: a text has many an @ that names no file. */
function filesNamed(text: string, { root, cwd, userHome }: OwnText): readonly ToolCall[] {
  return mentionedFiles(text).flatMap(({ tool, input }) => {
    const name = String(input.file_path).replace(/^~(?=\/)/, userHome)
    const found = [...new Set([resolve(cwd, name), resolve(root, name)])].filter(existsSync)
    return found.map(path => ({ tool, input: { file_path: path } }))
  })
}

const LINE = /!`([^`]+)`/g
const BLOCK = /```!\s*\n?([\s\S]*?)\n?```/g

/** Hooks of the frontmatter run at every event that follows, servers at once. */
export function startedBy({ path, text, root }: OwnText): readonly ToolCall[] {
  const hooks = /^hooks\s*:/m.test(text) ? loadConfig(text, { path, dialect: 'claude', scope: 'skill' }).hooks : []
  const commands = hooks.flatMap(({ type, text: command }) => (type === 'command' ? [command] : []))
  return [...commands, ...serversOf(path, text)].flatMap(command => asCall(withFolders(command, path, root)))
}

/** The name that it gives itself; null: none. */
export function textName(text: string, path: string): string | null {
  if (!isToml(path)) return frontmatterName(text)
  const { name } = readToml(text)
  return typeof name === 'string' ? name : null
}

function asCall(command: string): readonly ToolCall[] {
  return command.trim() === '' ? [] : [{ tool: 'Bash', input: { command } }]
}

/** Only commands are read for these. What a file says comes into the text first, so that its lines run too. */
function bracedLines({ path, text, root }: OwnText, given: string): readonly ToolCall[] {
  if (basename(path) === 'SKILL.md') return []
  const { prompt } = isToml(path) ? readToml(text) : { prompt: text }
  if (typeof prompt !== 'string') return []
  const files = inBraces(prompt, '@{')
  const runs = prompt.includes('!{') || prompt.includes(ARGS)
  const lines = [prompt, ...(runs ? files.flatMap(file => readTexts(resolve(root, file))) : [])].flatMap(each => inBraces(each, '!{'))
  const commands = lines.map(line => line.replaceAll(ARGS, () => quote(given)).replaceAll('$ARGUMENTS', () => given))
  return [...commands.flatMap(asCall), ...files.map((file): ToolCall => ({ tool: 'Read', input: { file_path: file } }))]
}

const ARGS = '{{args}}'

/** Where one is not closed the agent takes nothing. */
function inBraces(text: string, begin: string): readonly string[] {
  const found: string[] = []
  let at = text.indexOf(begin)
  while (at >= 0) {
    const start = at + begin.length
    const end = closingBrace(text, start)
    if (end < 0) return []
    const inside = text.slice(start, end).trim()
    if (inside !== '') found.push(inside)
    at = text.indexOf(begin, end)
  }
  return found
}

function closingBrace(text: string, start: number): number {
  let depth = 1
  for (let at = start; at < text.length; at++) {
    if (text[at] === '{') depth++
    else if (text[at] === '}' && --depth === 0) return at
  }
  return -1
}

function serversOf(path: string, text: string): readonly string[] {
  const table = isToml(path) ? readToml(text) : null
  const named = ['mcpServers', 'mcp_servers', 'mcp-servers'].flatMap(name => (table === null ? frontmatterValue(text, name) : table[name]))
  return named.flatMap(servers => (isObject(servers) ? Object.values(servers) : [])).flatMap(serverCommand)
}

function serverCommand(server: unknown): readonly string[] {
  if (!isObject(server) || typeof server.command !== 'string') return []
  const words = Array.isArray(server.args) ? server.args.map(String) : []
  return [[server.command, ...words.map(quote)].join(' ')]
}

const isToml = (path: string): boolean => path.endsWith('.toml')

function readToml(text: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(text)
  } catch {
    // The agent takes nothing of it either.
    return {}
  }
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
