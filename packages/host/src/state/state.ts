// What state functions work with. Reads see everything committed; a change is one short transaction.
import { isObject } from '@belay/core/value'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/table/tables.ts'

/** A handle to read with, inside or outside a transaction. */
export type Database = Kysely<Tables>

export function timeText(now: number): string {
  return new Date(now).toISOString()
}

export function readList(json: string | null | undefined): readonly string[] {
  const value: unknown = readJson(json)
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : []
}

export function readObject(json: string | null | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = readJson(json)
  return isObject(value) ? (value as Record<string, unknown>) : {}
}

/** Only we write these columns; what cannot be read counts as empty rather than stopping an agent. */
function readJson(json: string | null | undefined): unknown {
  if (json === null || json === undefined || json === '') return null
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
