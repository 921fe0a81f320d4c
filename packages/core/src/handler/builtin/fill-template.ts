// `{{/tool_input/command}}` in a text: a JSON pointer into the event. A place that is not there is an error, never an empty word:
// half a command is another command.
import { getAt, parsePointer } from './json-pointer.ts'

export type FilledTemplate = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

const SLOT = /\{\{([^{}]*)\}\}/g

/** `{{.}}` is `self`, where there is one. */
export function fillTemplate(template: string, payload: unknown, self?: string): FilledTemplate {
  const missing: string[] = []
  const text = template.replace(SLOT, (slot, inside: string) => {
    const place = inside.trim()
    if (place === '.' && self !== undefined) return self
    const pointer = parsePointer(place)
    const value = pointer === null ? undefined : getAt(payload, pointer)
    if (value === undefined) missing.push(slot)
    return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  })
  if (missing.length > 0) return { ok: false, why: `the event has nothing at ${missing.join(', ')}` }
  return { ok: true, text }
}

/** Slots that are not a JSON pointer. */
export function badSlots(template: string, hasSelf: boolean): readonly string[] {
  return [...template.matchAll(SLOT)]
    .map(match => (match[1] ?? '').trim())
    .filter(place => parsePointer(place) === null && !(hasSelf && place === '.'))
}
