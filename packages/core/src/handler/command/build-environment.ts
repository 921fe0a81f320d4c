// The environment of a command hook. Invariant: nothing of this process but the names below, so that its secrets stay here.
import type { CommandHandler } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import { agentVariables } from '../agent-variables.ts'

type Environment = Readonly<Record<string, string | undefined>>

const INHERITED = new Set(['PATH', 'HOME', 'USER', 'SHELL', 'LANG', 'TERM', 'TMPDIR'])
const INHERITED_PREFIXES = ['LC_', 'XDG_']

export function buildEnvironment(handler: CommandHandler, event: HookEvent, base: Environment): Record<string, string> {
  const toolName = event.fields.toolName
  return {
    ...inheritEnvironment(base),
    ...agentVariables(event),
    HOOK_EVENT: event.name,
    ...(typeof toolName === 'string' ? { HOOK_TOOL_NAME: toVariable(toolName) } : {}),
    HOOK_SESSION_ID: event.sessionId,
    ...handler.env,
  }
}

const MAX_VALUE = 1_000

/** A name that cannot be a variable must not keep the hook from running: the true one is on stdin. */
function toVariable(text: string): string {
  return text.replaceAll('\0', '').slice(0, MAX_VALUE)
}

export function inheritEnvironment(base: Environment): Record<string, string> {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined) continue
    if (INHERITED.has(name) || INHERITED_PREFIXES.some(prefix => name.startsWith(prefix))) kept[name] = value
  }
  return kept
}
