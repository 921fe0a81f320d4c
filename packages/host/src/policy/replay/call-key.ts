// A call as one text, with everything that has a say in how it is judged: two calls of one key are judged alike. The rules that hold for the
// caller stand for its name. Values that no judge is known to look at are left out, and whether it looks is seen while it judges.
import type { HookEvent } from '@belay/core'
import type { ToolCall } from '@belay/core/policy'

const LONGEST_KEY = 2048

/** What agents write into files, and what they say about their calls. */
const HARDLY_READ: ReadonlySet<string> = new Set(['description', 'content', 'old_string', 'new_string'])

/**
 * `rules`: those that hold for the caller, under all of its names. null: too long to be worth keeping. Values may hold any character, so the
 * length says where one ends.
 */
export function callKey(
  { call, event: { agent, cwd } }: Pick<WatchedCall, 'call' | 'event'>,
  rules: string,
  isWhole: boolean,
): string | null {
  const { tool, input } = call
  let key = `${agent} ${rules}\n${field(cwd)}${field(tool)}`
  for (const name of Object.keys(input)) {
    key += field(name)
    if (!isWhole && HARDLY_READ.has(name)) continue
    const value = input[name]
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
    key += `${typeof value === 'string' ? '"' : '='}${field(text)}`
    if (key.length > LONGEST_KEY) return null
  }
  return key
}

function field(text: string): string {
  return `${text.length}:${text}`
}

export interface WatchedCall {
  readonly call: ToolCall
  readonly event: HookEvent
  /** Whether a value was looked at that the short key leaves out. */
  wasRead: boolean
}

/** The same call, which notices when what the short key leaves out is looked at. */
export function watchCall({ call, event }: Pick<WatchedCall, 'call' | 'event'>): WatchedCall {
  const names = Object.keys(call.input).filter(name => HARDLY_READ.has(name))
  if (names.length === 0) return { call, event, wasRead: false }
  const input = { ...call.input }
  const fields = { ...event.fields, toolInput: input }
  const watched: WatchedCall = { call: { ...call, input }, event: { ...event, fields }, wasRead: false }
  for (const name of names) {
    const get = (): unknown => {
      watched.wasRead = true
      return call.input[name]
    }
    Object.defineProperty(input, name, { get, enumerable: true })
  }
  return watched
}
