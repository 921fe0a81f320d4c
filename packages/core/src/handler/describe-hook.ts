// The name of a hook in messages for people: its own, else what it runs.
import type { Handler, HookDefinition } from '../hook/hook-definition.ts'

const LONGEST = 80

export function describeHook(hook: HookDefinition): string {
  return `hook "${hook.name ?? shorten(describeHandler(hook.handler))}"`
}

function describeHandler(handler: Handler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ')
    case 'http':
      return `${handler.method} ${handler.url}`
    case 'mcp_tool':
      return `${handler.server}/${handler.tool}`
    case 'builtin':
      return handler.builtin
    default:
      return handler.type
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}
