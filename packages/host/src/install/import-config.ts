// What an agent's own configuration says, as rules and hooks of genesis.key. Nothing is dropped in silence.
import { type AgentId, findAgent } from '@belay/core/adapter'
import type { LoadedHook, LoadedRule } from '@belay/core/dialect'
import { loadConfig } from '@belay/core/dialect'
import { parseRule } from '@belay/core/policy'
import { isOurCommand } from '../agent/hook-command.ts'
import type { NewRule } from '../config/genesis-edit.ts'
import { genesisRuleText } from './genesis-rule-text.ts'

type Definition = NonNullable<Extract<LoadedHook, { state: 'active' }>['definition']>
type CommandHandler = Extract<Definition['handler'], { type: 'command' }>

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

/** The agent goes on running its own hooks itself: here they are for every other agent. A text says why it cannot be taken over whole. */
function importHook(agent: AgentId, hook: LoadedHook): ImportedHook | string {
  if (hook.state === 'inert') return `${agent} does not run it: ${hook.why}`
  const { definition } = hook
  if (definition?.handler.type !== 'command') return `only command hooks can be taken over, this is ${hook.type}`
  if (hook.wakes === true) return 'it goes on beside the call and may still stop it (asyncRewake)'
  const foreign = foreignInput(agent, hook)
  if (foreign !== null) return foreign
  const matcher = genesisMatcher(hook, definition.onlyIf)
  if (matcher === null) return noWords(hook, definition.onlyIf)
  return {
    event: hook.canonicalEvent.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
    value: {
      ...(matcher === '*' ? {} : { matcher }),
      ...(hook.name === undefined ? {} : { name: hook.name }),
      type: 'command',
      condition: conditionOf(agent, hook),
      config: commandConfig(definition.handler, definition.timeoutMs),
      ...(definition.once === true ? { once: true } : {}),
      ...(definition.async === true ? { async: true } : {}),
      fail: definition.fail ?? 'open',
    },
  }
}

/** Hooks of `post_tool_use` run after failed calls too; in agents that tell the two apart they do not. */
function conditionOf(agent: AgentId, { canonicalEvent }: LoadedHook): string {
  const other = `session.agent != "${agent}"`
  const tellsFailures = Object.values(findAgent(agent)?.events ?? {}).includes('PostToolUseFailure')
  return canonicalEvent === 'PostToolUse' && tellsFailures ? `${other} && event.name == "PostToolUse"` : other
}

function commandConfig(handler: CommandHandler, timeoutMs: number | undefined): Readonly<Record<string, unknown>> {
  const { command, args, env, cwd, shell } = handler
  return {
    command,
    ...(args === undefined ? {} : { args }),
    ...(env === undefined ? {} : { env }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(shell === undefined ? {} : { shell }),
    // What its exit codes mean stays as it was.
    answers: 'settings',
    ...(timeoutMs === undefined ? {} : { timeout_sec: timeoutMs / 1000 }),
  }
}

/** A hook reads what its agent sends. Where that differs from what we send, it would look at fields that are not there and let all pass. */
function foreignInput(agent: AgentId, { canonicalEvent, matcher }: LoadedHook): string | null {
  const facts = findAgent(agent)
  const name = facts?.name ?? agent
  const isToolEvent = /ToolUse|Permission/.test(canonicalEvent)
  if (facts?.readPayload !== null || (isToolEvent && !facts.hasOurToolNames)) {
    return `it reads ${name}'s own names of tools and fields, which other agents' calls do not have`
  }
  return isToolEvent && agent === 'codex' ? foreignToCodex(matcher) : null
}

/** Codex calls its patches Write and Edit in matchers, and has names of its own for what is Task everywhere else. */
function foreignToCodex(matcher: string | null): string | null {
  const named = namesIn(matcher)
  if (named.length === 0) return 'it reads patches too, which only Codex sends: with a matcher of its own for Bash it can be taken over'
  const foreign = named.find(name => !/^(?:Bash|Agent|Task|mcp__.*)$/.test(name) && /^[\w-]+$/.test(name))
  return foreign === undefined ? null : `in Codex ${foreign} is a call that only Codex sends`
}

/** Of a plain list; none: it is for every tool. */
function namesIn(matcher: string | null): readonly string[] {
  return matcher === null || matcher === '*' ? [] : matcher.split('|').filter(name => name !== '')
}

/** Null: genesis.key has no words for it. */
function genesisMatcher({ matcher, canonicalEvent }: LoadedHook, onlyIf: string | undefined): string | null {
  if (matcher !== null && matcher !== '*' && !/^[A-Za-z0-9_\-|]*$/.test(matcher)) return null
  const names = namesIn(matcher)
  const tools = names.length === 0 ? '*' : names.join('|')
  if (onlyIf === undefined || !/ToolUse|Permission/.test(canonicalEvent)) return tools
  const parsed = parseRule(onlyIf, { effect: 'ask', dialect: 'claude' })
  const rule = parsed.ok ? parsed.rule : null
  const isNamed = rule !== null && (names.length === 0 || rule.tools.every(tool => names.includes(tool)))
  return rule !== null && isNamed ? genesisRuleText(rule) : null
}

function noWords({ matcher }: LoadedHook, onlyIf: string | undefined): string {
  return onlyIf === undefined ? `the matcher ${matcher} is a regular expression` : `genesis.key has no words for "if": "${onlyIf}"`
}
