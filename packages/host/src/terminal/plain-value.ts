// Any value as text that people and models read: names and values, one a line, deeper ones indented. Never JSON.
import { isObject } from '@belay/core/value'

type Json = Readonly<Record<string, unknown>>

/** One line where it fits on one, else indented lines behind a line break. */
export function plainValue(value: unknown, indent = ''): string {
  if (value === null || value === undefined) return '-'
  if (Array.isArray(value)) return plainList(value, indent)
  return isObject(value) ? plainFields(value, indent) : String(value)
}

function plainList(list: readonly unknown[], indent: string): string {
  if (list.length === 0) return '-'
  return list.map(entry => `\n${indent}- ${plainEntry(entry, `${indent}  `)}`).join('')
}

/** Of a list: its fields on one line, as far as they have no lines of their own. */
function plainEntry(entry: unknown, indent: string): string {
  if (!isObject(entry)) return plainValue(entry, indent).trimStart()
  const fields = shownFields(entry).map(([name, value]) => [name, plainValue(value, indent)] as const)
  const isShort = fields.every(([, text]) => !text.includes('\n'))
  return isShort ? fields.map(([name, text]) => line(name, text)).join(', ') : plainFields(entry, indent).trimStart()
}

function plainFields(value: Json, indent: string): string {
  const fields = shownFields(value)
  if (fields.length === 0) return '-'
  return fields.map(([name, each]) => `\n${indent}${line(name, plainValue(each, `${indent}  `))}`).join('')
}

/** A name with its value. */
export function plainLine(name: string, value: unknown): string {
  return line(name, plainValue(value, isObject(value) ? '  ' : ''))
}

function line(name: string, text: string): string {
  return text.startsWith('\n') ? `${name}:${text}` : `${name}: ${text}`
}

/** What is not set is not shown. */
function shownFields(value: Json): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, each]) => each !== null && each !== undefined)
}
