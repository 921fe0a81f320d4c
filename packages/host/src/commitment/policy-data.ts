// Reads the sections of a genesis.key that are data: what is not of the expected shape counts as not said.
import { isObject } from '@belay/core/value'

export type Data = Readonly<Record<string, unknown>>

export function dataIn(value: unknown): Data {
  return isObject(value) ? { ...value } : {}
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
}

export function textsIn(value: unknown): readonly string[] {
  return listIn(value).filter(item => typeof item === 'string')
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
