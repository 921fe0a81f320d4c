// A call as one text, with everything that has a say in how it is judged: two calls of one key are judged alike.
import type { HookEvent } from '@belay/core'
import type { ToolCall } from '@belay/core/policy'

const LONGEST_KEY = 2048

/** null: too long to be worth keeping. Values may hold any character, so the length says where one ends. */
export function callKey({ tool, input }: ToolCall, { actor, alsoAs, agent, cwd }: HookEvent): string | null {
  let key = `${agent} ${alsoAs?.join(' ') ?? ''}\n${field(actor)}${field(cwd)}${field(tool)}`
  for (const name of Object.keys(input)) {
    const value = input[name]
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    key += `${field(name)}${typeof value === 'string' ? '"' : '='}${field(text)}`
    if (key.length > LONGEST_KEY) return null
  }
  return key
}

function field(text: string): string {
  return `${text.length}:${text}`
}
