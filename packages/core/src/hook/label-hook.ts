// What a hook is called in reports: its name, else what it runs.
import type { Handler, HookDefinition } from './hook-definition.ts'

const LONGEST = 80

export function labelHook({ name, handler, event }: HookDefinition): string {
  const text = name ?? labelHandler(handler)
  const line = text.replace(/\s+/g, ' ').trim()
  if (line === '') return `${event} hook`
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
}

function labelHandler(handler: Handler): string {
  switch (handler.type) {
    case 'command':
      return [handler.command, ...(handler.args ?? [])].join(' ')
    case 'http':
      return `${handler.method} ${withoutCredentials(handler.url)}`
    case 'mcp_tool':
      return `${handler.server}/${handler.tool}`
    case 'builtin':
      return handler.builtin
    case 'inline':
      return handler.run.name
    default:
      return `${handler.type}: ${handler.prompt}`
  }
}

/** Labels go into logs and records; a password in a URL must not. */
function withoutCredentials(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, '$1')
}
