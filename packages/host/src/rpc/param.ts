// Reads named parameters of a method, in either spelling; what is missing or of the wrong kind is an error that names it.
import { type Kind, MAPPING, NUMBER, TEXT, TEXTS, wholeNumber } from '@belay/core/value'
import { RPC_INVALID_PARAMS, RpcError } from './rpc.ts'

export type Params = Readonly<Record<string, unknown>>

/** null: absent. */
export function readText(params: Params, name: string): string | null {
  return paramOf(params, name) === '' ? null : readKind(params, name, TEXT)
}

function readKind<T>(params: Params, name: string, kind: Kind<T>): T | null {
  const value = paramOf(params, name) ?? null
  if (value === null || kind.is(value)) return value
  throw new RpcError(RPC_INVALID_PARAMS, `${name} must be ${kind.words}.`)
}

export function needText(params: Params, name: string): string {
  const value = readText(params, name)
  if (value === null) throw new RpcError(RPC_INVALID_PARAMS, `${name} is missing.`)
  return value
}

export function readNumber(params: Params, name: string): number | null {
  return readKind(params, name, NUMBER)
}

const MAX_ROWS = 1000

/** How many rows somebody wants. */
export function readLimit(params: Params, fallback: number): number {
  return readWhole(params, 'limit', { min: 1, max: MAX_ROWS, fallback })
}

export function readFlag(params: Params, name: string): boolean {
  return paramOf(params, name) === true
}

export function readRecord(params: Params, name: string): Params | null {
  return readKind(params, name, { ...MAPPING, words: 'an object' })
}

/** Empty where it is absent. */
export function readTexts(params: Params, name: string): readonly string[] {
  return readKind(params, name, TEXTS) ?? []
}

/** `fallback`: where it is absent; without one it has to be there. */
export function readWhole(params: Params, name: string, { min, max, fallback }: { min: number; max: number; fallback?: number }): number {
  const value = readKind(params, name, wholeNumber(min, max)) ?? fallback
  if (value === undefined) throw new RpcError(RPC_INVALID_PARAMS, `${name} is missing.`)
  return value
}

export function paramOf(params: Params, name: string): unknown {
  return params[name] ?? params[toSnakeCase(name)]
}

export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
