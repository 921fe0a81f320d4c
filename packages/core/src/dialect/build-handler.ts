// One handler as written -> the handler Belay runs, or why its own agent would not run it.

import type { CommandHandler, Handler, HttpHandler } from '../hook/hook-definition.ts'
import {
  type ConfigNode,
  field,
  flagField,
  itemsOf,
  type ObjectNode,
  objectField,
  textField,
  textOf,
  textsOf,
  toValue,
} from './config-node.ts'
import type { Dialect } from './dialect.ts'
import type { FoundHook } from './walk-hooks.ts'

export type BuiltHandler =
  | {
      readonly ok: true
      /** As written, or `command` where the dialect lets it be left out. */
      readonly type: string
      /** Null: the agent runs it, but it is nothing that Belay could run in its place. */
      readonly handler: Handler | null
    }
  | { readonly ok: false; readonly type: string; readonly why: string }

export function buildHandler(found: FoundHook, dialect: Dialect): BuiltHandler {
  if (found.shape === 'notify') return { ok: true, type: 'notify', handler: null }
  if (found.handler.kind !== 'object')
    return { ok: false, type: 'string', why: `${dialect.name} reads hooks as objects; this is a bare string` }
  if (dialect.id === 'hooks-toml') return tomlHandler(found.handler)
  const node = objectField(found.handler, 'action') ?? found.handler
  const type = textField(node, 'type') ?? (dialect.untyped ? 'command' : null)
  if (type === null) return { ok: false, type: 'none', why: `it has no "type"; ${dialect.name} needs one, such as "command"` }
  if (!dialect.types.includes(type)) return { ok: false, type, why: `${dialect.name} has no handler type "${type}"` }
  const limited = dialect.typesOn?.get(found.event)
  if (limited !== undefined && !limited.includes(type))
    return { ok: false, type, why: `${dialect.name} runs no ${type} handler on ${found.event}` }
  return typedHandler(type, node)
}

function typedHandler(type: string, node: ObjectNode): BuiltHandler {
  switch (type) {
    case 'command':
    case 'shellCommand':
    case 'runCommand':
      return required(type, commandHandler(node), 'command')
    case 'http':
      return required(type, httpHandler(node), 'url')
    case 'prompt':
    case 'agent': {
      const prompt = textField(node, 'prompt')
      const model = textField(node, 'model')
      return required(type, prompt === undefined ? null : { type, prompt, ...(model === undefined ? {} : { model }) }, 'prompt')
    }
    case 'mcp_tool':
      return required(type, mcpHandler(node), 'server" and "tool')
    default:
      return { ok: true, type, handler: null }
  }
}

function required(type: string, handler: Handler | null, key: string): BuiltHandler {
  return handler === null ? { ok: false, type, why: `its ${type} handler has no "${key}"` } : { ok: true, type, handler }
}

function commandHandler(node: ObjectNode): CommandHandler | null {
  const given = field(node, 'command')
  const argv = textsOf(given)
  const [program] = argv
  if (program !== undefined) return { type: 'command', command: program, args: argv.slice(1), dialect: 'settings', ...commandOptions(node) }
  const bash = textOf(given) ?? textField(node, 'bash')
  const command = bash ?? textField(node, 'powershell')
  if (command === undefined || command.trim() === '') return null
  const shell = bash === undefined ? { shell: 'powershell' as const } : {}
  const args = field(node, 'args')
  const exec = args?.kind === 'array' ? { args: textsOf(args) } : {}
  return { type: 'command', command, dialect: 'settings', ...exec, ...commandOptions(node), ...shell }
}

function commandOptions(node: ObjectNode): Partial<CommandHandler> {
  const cwd = textField(node, 'cwd') ?? textField(node, 'working_directory')
  const shell = textField(node, 'shell')
  const env = textEntries(field(node, 'env'))
  return {
    ...(cwd === undefined ? {} : { cwd }),
    ...(shell === 'bash' || shell === 'powershell' || shell === 'sh' ? { shell } : {}),
    ...(env === null ? {} : { env }),
  }
}

function httpHandler(node: ObjectNode): HttpHandler | null {
  const url = textField(node, 'url')
  if (url === undefined) return null
  const method = textField(node, 'method')?.toUpperCase() === 'PUT' ? 'PUT' : 'POST'
  return {
    type: 'http',
    url,
    method,
    headers: textEntries(field(node, 'headers')) ?? {},
    allowedEnv: textsOf(field(node, 'allowedEnvVars')),
  }
}

function mcpHandler(node: ObjectNode): Handler | null {
  const server = textField(node, 'server')
  const tool = textField(node, 'tool')
  if (server === undefined || tool === undefined) return null
  const input = objectField(node, 'input')
  return {
    type: 'mcp_tool',
    server,
    tool,
    input: input === undefined ? {} : Object.fromEntries(input.entries.map(({ key, value }) => [key, toValue(value)])),
  }
}

/** hooks.toml: exactly one of `[hooks.shell]` and `[hooks.webhook]`. Its headers may use `HOOK_*` variables. */
function tomlHandler(hook: ObjectNode): BuiltHandler {
  const shell = objectField(hook, 'shell')
  const webhook = objectField(hook, 'webhook')
  if ((shell === undefined) === (webhook === undefined)) {
    return { ok: false, type: 'none', why: 'a hook needs exactly one of [hooks.shell] and [hooks.webhook]' }
  }
  if (shell !== undefined) return required('shell', tomlShell(shell), 'command')
  const http = webhook === undefined ? null : httpHandler(webhook)
  const allowed = textsOf(field(webhook, 'allowed_env'))
  return required('webhook', http === null ? null : { ...http, allowedEnv: allowed.length > 0 ? allowed : ['HOOK_*'] }, 'url')
}

function tomlShell(shell: ObjectNode): CommandHandler | null {
  const command = textField(shell, 'command')
  if (command === undefined || command.trim() === '') return null
  const passContext = flagField(shell, 'pass_context') ?? false
  const parseResult = flagField(shell, 'parse_result') ?? false
  return { type: 'command', command, dialect: 'toml', passContext, parseResult, ...commandOptions(shell) }
}

function textEntries(node: ConfigNode | undefined): Record<string, string> | null {
  if (node?.kind !== 'object') return null
  return Object.fromEntries(
    node.entries.flatMap(({ key, value }) => (value.kind === 'scalar' && value.value !== null ? [[key, String(value.value)]] : [])),
  )
}

/** What a person recognises the hook by. */
export function describeHandler(node: ConfigNode): string {
  if (node.kind === 'array') return textsOf(node).join(' ')
  const inner = objectField(node, 'action') ?? objectField(node, 'shell') ?? objectField(node, 'webhook') ?? node
  const keys = ['command', 'bash', 'powershell', 'url', 'prompt', 'tool']
  const text =
    textOf(inner) ?? keys.map(key => textField(inner, key) ?? itemsOf(field(inner, key)).map(textOf).join(' ')).find(value => value !== '')
  return text ?? ''
}
