// The input of a call as people at the hub see it: enough to decide by, however much an agent wants to write.
const MAX_CHARACTERS = 4096
const MAX_ITEMS = 100
const MAX_DEPTH = 8

export function shortenInput(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') {
    const more = value.length - MAX_CHARACTERS
    return more > 0 ? `${value.slice(0, MAX_CHARACTERS)} ... (${more} characters more)` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === MAX_DEPTH) return '... (nested deeper)'
  const all = Object.entries(value)
  const items = all.slice(0, MAX_ITEMS).map(([name, each]): [string, unknown] => [name, shortenInput(each, depth + 1)])
  const more = all.length - items.length
  if (more > 0) items.push(['...', `${more} more`])
  return Array.isArray(value) ? items.map(([, each]) => each) : Object.fromEntries(items)
}
