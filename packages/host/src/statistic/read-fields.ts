// Values of a recorded body, which is data: anything may stand anywhere.
import { isObject } from '@belay/core/value'

export type Fields = Readonly<Record<string, unknown>>

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

export function fieldsIn(value: unknown): Fields | null {
  return isObject(value) ? (value as Fields) : null
}

export function listIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn).filter(item => item !== null) : []
}

export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

export function parseFields(json: string): Fields {
  return fieldsIn(JSON.parse(json)) ?? {}
}
