// What an agent's own configuration says, as rules and hooks of genesis.key. Nothing is dropped in silence.
import { type AgentId, canonicalTool } from '@belay/core/adapter'
import { loadConfig } from '../config/dialect/load-config.ts'
import type { LoadedHook, LoadedRule } from '../config/dialect/loaded-config.ts'
import type { NewRule } from '../config/genesis-edit.ts'
import { genesisRuleText } from './genesis-rule-text.ts'
import { isOurCommand } from './hook-command.ts'

export interface ImportedHook {
  /** As genesis spells it: pre_tool_use. */
  readonly event: string
  readonly value: Readonly<Record<string, unknown>>
}

export interface Imported {
  readonly rules: readonly NewRule[]
  readonly hooks: readonly ImportedHook[]
  readonly skipped: readonly { readonly file: string; readonly line: number; readonly what: string; readonly why: string }[]
}

export interface ImportFile {
  readonly path: string
  readonly text: string
}

export function importConfig(agent: AgentId, files: readonly ImportFile[]): Imported {
  const rules: NewRule[] = []
  const hooks: ImportedHook[] = []
  const skipped: Imported['skipped'][number][] = []
  for (const { path, text } of files) {
    const config = loadConfig(text, { path })
    if (config.parse === 'invalid') {
      const [problem] = config.diagnostics
      skipped.push({ file: path, line: problem?.place.line ?? 1, what: 'all of it', why: problem?.message ?? 'it cannot be read' })
    }
    for (const loaded of config.permissions) {
      const imported = importRule(agent, loaded)
      if (typeof imported !== 'string') rules.push(imported)
      else skipped.push({ file: path, line: loaded.place.line, what: `${loaded.effect} ${loaded.text ?? 'rule'}`, why: imported })
    }
    for (const hook of config.hooks) {
      if (isOurCommand(hook.text)) continue
      const imported = importHook(agent, hook)
      if (typeof imported === 'string')
        skipped.push({ file: path, line: hook.place.line, what: `${hook.event} ${hook.text}`, why: imported })
      else hooks.push(imported)
    }
  }
  return { rules, hooks, skipped }
}

function importRule(agent: AgentId, { effect, rule, agent: inner }: LoadedRule): NewRule | string {
  if (inner !== undefined) return `it is for ${inner} alone`
  const pattern = rule === null ? null : genesisRuleText(rule)
  return pattern === null ? 'genesis.key has no words for it' : { actor: `agent:${agent}`, effect, pattern }
}

/** The agent goes on running its own hooks itself: here they are for every other agent. */
function importHook(agent: AgentId, hook: LoadedHook): ImportedHook | string {
  if (hook.state === 'inert') return `${agent} does not run it: ${hook.why}`
  if (hook.definition?.handler.type !== 'command') return `only command hooks can be taken over, this is ${hook.type}`
  const matcher = genesisMatcher(agent, hook)
  if (matcher === null) return `the matcher ${hook.matcher} is a regular expression`
  return {
    event: hook.canonicalEvent.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
    value: {
      ...(matcher === '*' ? {} : { matcher }),
      ...(hook.name === undefined ? {} : { name: hook.name }),
      type: 'command',
      condition: `session.agent != "${agent}"`,
      config: { command: hook.text },
      fail: 'open',
    },
  }
}

/** The tools of events that are about some tools only. */
const TOOLS_OF_EVENT: Readonly<Record<string, string>> = {
  beforeshellexecution: 'Bash',
  aftershellexecution: 'Bash',
  beforereadfile: 'Read',
  afterfileedit: 'Write|Edit',
  beforemcpexecution: 'mcp__*',
  aftermcpexecution: 'mcp__*',
  pre_run_command: 'Bash',
  post_run_command: 'Bash',
  pre_read_code: 'Read',
  post_read_code: 'Read',
  pre_write_code: 'Write|Edit',
  post_write_code: 'Write|Edit',
  pre_mcp_tool_use: 'mcp__*',
  post_mcp_tool_use: 'mcp__*',
}

/** In our names: the hook is for the other agents, which have names of their own. Null: genesis.key has no words for it. */
function genesisMatcher(agent: AgentId, { matcher, event, canonicalEvent }: LoadedHook): string | null {
  const ofEvent = TOOLS_OF_EVENT[event.toLowerCase()] ?? null
  if (matcher === null || matcher === '' || matcher === '*') return ofEvent ?? '*'
  if (ofEvent !== null || !/^[A-Za-z0-9_\-|]+$/.test(matcher)) return null
  if (!/ToolUse|Permission/.test(canonicalEvent)) return matcher
  return [...new Set(matcher.split('|').map(name => canonicalTool(agent, name)))].join('|')
}
