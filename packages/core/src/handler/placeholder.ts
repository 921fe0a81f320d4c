// `${tool_input.file_path}` inside the input of an mcp_tool hook: a path through the event as it goes over the wire.

/** A text that is one placeholder and nothing else keeps the type of what it stands for; what is not there becomes empty. */
export function fillPlaceholders(value: unknown, payload: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === 'string') return fillText(value, payload)
  if (Array.isArray(value)) return value.map(item => fillPlaceholders(item, payload))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillPlaceholders(item, payload)]))
}

const WHOLE = /^\$\{([\w.-]+)\}$/
const ANY = /\$\{([\w.-]+)\}/g

function fillText(text: string, payload: Readonly<Record<string, unknown>>): unknown {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return lookUp(whole, payload) ?? ''
  return text.replace(ANY, (_match, path: string) => toText(lookUp(path, payload)))
}

function lookUp(path: string, payload: unknown): unknown {
  let value = payload
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function toText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
