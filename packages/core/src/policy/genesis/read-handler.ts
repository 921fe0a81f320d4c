// What a hook entry of genesis.key runs, from its `type` and `config`.
import type { BuiltinName, Handler } from '../../hook/hook-definition.ts'
import type { ConfigProblem } from '../../value/config-problem.ts'
import { compileCondition } from '../condition/condition.ts'
import { CONDITION_ROOTS, fieldsOfRoot } from '../condition/condition-fields.ts'
import { parseDuration } from './duration.ts'
import { suggestRemedy } from './suggest.ts'
import { type Field, type Fields, readChoice, readData, readFields, readKnownFields, readRecord, readText, readTexts } from './yaml-read.ts'
import { type Node, report, reportInText, warn, type YamlSource } from './yaml-source.ts'

export const BUILTINS = [
  'genesis_enforcement',
  'evidence_capture',
  'approval_gate',
  'deny',
  'modify',
  'resource_check',
  'input_sanitization',
  'ledger_annotation',
  'format_output',
  'final_validation',
] as const satisfies readonly BuiltinName[]

export const TYPES = [...BUILTINS, 'command', 'http', 'webhook', 'prompt', 'agent', 'mcp_tool']

/** What `config` may hold, by type; the first is required. */
export const CONFIG_KEYS = {
  command: ['command', 'args', 'env', 'cwd', 'shell', 'answers', 'timeout_sec'],
  http: ['url', 'method', 'headers', 'allowed_env', 'timeout_sec'],
  prompt: ['prompt', 'model', 'timeout_sec'],
  mcp_tool: ['server', 'tool', 'input', 'timeout_sec'],
} as const

/** Says what is wrong with the config of a built-in hook; the handlers know, and policy may not import them. */
export type CheckBuiltin = (builtin: BuiltinName, config: Readonly<Record<string, unknown>>) => readonly ConfigProblem[]

export interface ReadHandler {
  readonly handler: Handler
  readonly timeoutMs: number | null
}

export interface HandlerNodes {
  readonly type: Node
  /** The `config` mapping, when the entry has one. */
  readonly config: Node | undefined
  /** Where to point when something is missing. */
  readonly entry: Node
}

export function readHandler(source: YamlSource, nodes: HandlerNodes, checkBuiltin: CheckBuiltin | null): ReadHandler | null {
  const type = readText(source, nodes.type, '`type`')
  if (type === null) return null
  const builtin = BUILTINS.find(each => each === type)
  if (builtin !== undefined) return readBuiltin(source, nodes, builtin, checkBuiltin)
  switch (type) {
    case 'command':
      return readCommand(source, nodes)
    case 'http':
    case 'webhook':
      return readHttp(source, nodes)
    case 'prompt':
    case 'agent':
      return readLlm(source, nodes, type)
    case 'mcp_tool':
      return readMcp(source, nodes)
    default:
      return report(source, nodes.type, `there is no hook type \`${type}\``, suggestRemedy(type, TYPES))
  }
}

function readBuiltin(source: YamlSource, nodes: HandlerNodes, builtin: BuiltinName, checkBuiltin: CheckBuiltin | null): ReadHandler | null {
  const fields = nodes.config === undefined ? new Map<string, Field>() : readFields(source, nodes.config, '`config`')
  if (fields === null) return null
  const config = Object.fromEntries([...fields].map(([key, field]) => [key, readData(source, field.value, `\`config.${key}\``)]))
  const condition = fields.get('condition')
  if (condition !== undefined) readCondition(source, condition.value, '`config.condition`')
  for (const problem of checkBuiltin?.(builtin, config) ?? []) {
    const [key] = problem.path
    const at = key === undefined ? nodes.config : fields.get(key)?.value
    report(source, at ?? nodes.config ?? nodes.entry, `${builtin}: ${problem.message}`, problem.remedy)
  }
  if (builtin === 'evidence_capture' && config.ledger !== true)
    warn(source, nodes.config ?? nodes.entry, 'this evidence_capture records nothing in the ledger', 'write ledger: true under its config')
  return { handler: { type: 'builtin', builtin, config }, timeoutMs: null }
}

function readCommand(source: YamlSource, nodes: HandlerNodes): ReadHandler | null {
  const fields = readConfig(source, nodes, CONFIG_KEYS.command)
  const command = fields && requireText(source, nodes, fields, 'command')
  if (fields === null || command === null) return null
  const args = optional(fields, 'args', node => readTexts(source, node, '`config.args`'))
  const env = optional(fields, 'env', node => readTextRecord(source, node, '`config.env`'))
  const cwd = optional(fields, 'cwd', node => readText(source, node, '`config.cwd`'))
  const shell = optional(fields, 'shell', node => readChoice(source, node, '`config.shell`', ['bash', 'sh', 'powershell']))
  const { answers = 'genesis' } = optional(fields, 'answers', node => readChoice(source, node, '`config.answers`', ['genesis', 'settings']))
  return {
    handler: { type: 'command', command, dialect: answers, ...args, ...env, ...cwd, ...shell },
    timeoutMs: readTimeout(source, fields),
  }
}

function readHttp(source: YamlSource, nodes: HandlerNodes): ReadHandler | null {
  const fields = readConfig(source, nodes, CONFIG_KEYS.http)
  const url = fields && requireText(source, nodes, fields, 'url')
  if (fields === null || url === null) return null
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    return report(source, fields.get('url')?.value, `\`config.url\` is ${JSON.stringify(url)}, expected an http or https address`)
  }
  const { method = 'POST' } = optional(fields, 'method', node => readChoice(source, node, '`config.method`', ['POST', 'PUT']))
  const { headers = {} } = optional(fields, 'headers', node => readTextRecord(source, node, '`config.headers`'))
  const { allowed_env: allowedEnv = [] } = optional(fields, 'allowed_env', node => readTexts(source, node, '`config.allowed_env`'))
  return { handler: { type: 'http', url, method, headers, allowedEnv }, timeoutMs: readTimeout(source, fields) }
}

function readLlm(source: YamlSource, nodes: HandlerNodes, type: 'prompt' | 'agent'): ReadHandler | null {
  const fields = readConfig(source, nodes, CONFIG_KEYS.prompt)
  const prompt = fields && requireText(source, nodes, fields, 'prompt')
  if (fields === null || prompt === null) return null
  const model = optional(fields, 'model', node => readText(source, node, '`config.model`'))
  return { handler: { type, prompt, ...model }, timeoutMs: readTimeout(source, fields) }
}

function readMcp(source: YamlSource, nodes: HandlerNodes): ReadHandler | null {
  const fields = readConfig(source, nodes, CONFIG_KEYS.mcp_tool)
  const server = fields && requireText(source, nodes, fields, 'server')
  const tool = fields && requireText(source, nodes, fields, 'tool')
  if (fields === null || server === null || tool === null) return null
  const { input = {} } = optional(fields, 'input', node => readRecord(source, node, '`config.input`'))
  return { handler: { type: 'mcp_tool', server, tool, input }, timeoutMs: readTimeout(source, fields) }
}

export function readCondition(source: YamlSource, node: Node, what: string): string | null {
  const text = readText(source, node, what)
  if (text === null) return null
  const compiled = compileCondition(text)
  if (compiled.ok) {
    for (const { root, field } of compiled.condition.unknownFields)
      warn(source, node, `${what}: \`${root}\` has no field \`${field}\``, suggestRemedy(field, fieldsOfRoot(root) ?? []))
    return text
  }
  const { message, column } = compiled.error
  const remedy = conditionRemedy(text, message)
  return reportInText(source, node, { offset: column - 1, message: `${what} ${JSON.stringify(text)}: ${message}`, remedy })
}

/** Conditions are CEL, which people write like the language they know best. */
function conditionRemedy(text: string, message: string): string {
  const unknown = /^Unknown variable: (\w+)/.exec(message)?.[1]
  if (unknown !== undefined) return suggestRemedy(unknown, CONDITION_ROOTS)
  if (message.includes('Unterminated')) return 'close the quote'
  const bare = text.replaceAll(/"[^"]*"|'[^']*'/g, '""')
  if (/[^=!<>]=[^=]/.test(bare)) return 'compare with ==, not ='
  const word = /\b(and|or|not)\b/i.exec(bare)?.[1]?.toLowerCase()
  if (word !== undefined) return `write ${{ and: '&&', or: '||', not: '!' }[word as 'and' | 'or' | 'not']} for ${word}`
  return 'write a comparison, such as actor.role == "executor"'
}

export function readDuration(source: YamlSource, node: Node, what: string): number | null {
  const value = readData(source, node, what)
  const milliseconds = parseDuration(value)
  if (milliseconds !== null) return milliseconds
  return report(source, node, `${what} is ${JSON.stringify(value)}, expected a duration`, 'write seconds (30) or a unit (500ms, 30s, 5m)')
}

function readConfig(source: YamlSource, nodes: HandlerNodes, known: readonly string[]): Fields | null {
  if (nodes.config === undefined) return report(source, nodes.entry, `the hook has no \`config\``, `add config: with ${known[0]}`)
  return readKnownFields(source, nodes.config, '`config`', known)
}

function requireText(source: YamlSource, nodes: HandlerNodes, fields: Fields, key: string): string | null {
  const field = fields.get(key)
  if (field === undefined) return report(source, nodes.config, `\`config\` has no \`${key}\``, `add ${key}:`)
  const text = readText(source, field.value, `\`config.${key}\``)
  if (text !== null && text.trim() === '') return report(source, field.value, `\`config.${key}\` is empty`)
  return text
}

function readTimeout(source: YamlSource, fields: Fields): number | null {
  const field = fields.get('timeout_sec')
  return field === undefined ? null : readDuration(source, field.value, '`config.timeout_sec`')
}

function readTextRecord(source: YamlSource, node: Node, what: string): Readonly<Record<string, string>> | null {
  const fields = readFields(source, node, what)
  if (fields === null) return null
  const entries: [string, string][] = []
  for (const field of fields.values()) {
    const text = readText(source, field.value, `\`${field.key}\` of ${what}`)
    if (text !== null) entries.push([field.key, text])
  }
  return Object.fromEntries(entries)
}

/** `{key: value}` when the field is there and reads well, else `{}`: ready to spread. */
function optional<K extends string, T>(fields: Fields, key: K, read: (node: Node) => T | null): { readonly [P in K]?: T } {
  const field = fields.get(key)
  const value = field === undefined ? null : read(field.value)
  return (value === null ? {} : { [key]: value }) as { readonly [P in K]?: T }
}
