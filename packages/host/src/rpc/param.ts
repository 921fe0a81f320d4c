// Reads named parameters of a method, in either spelling; what is missing or of the wrong kind is an error that names it.
import { RPC_INVALID_PARAMS, RpcError } from './rpc.ts'

export type Params = Readonly<Record<string, unknown>>

/** null: absent. */
export function readText(params: Params, name: string): string | null {
  const value = paramOf(params, name)
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw new RpcError(RPC_INVALID_PARAMS, `${name} must be a text.`)
  return value
}

export function needText(params: Params, name: string): string {
  const value = readText(params, name)
  if (value === null) throw new RpcError(RPC_INVALID_PARAMS, `${name} is missing.`)
  return value
}

export function readNumber(params: Params, name: string): number | null {
  const value = paramOf(params, name)
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new RpcError(RPC_INVALID_PARAMS, `${name} must be a number.`)
  return value
}

const MAX_ROWS = 1000

/** How many rows somebody wants. */
export function readLimit(params: Params, fallback: number): number {
  const limit = readNumber(params, 'limit') ?? fallback
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_ROWS) return limit
  throw new RpcError(RPC_INVALID_PARAMS, `limit must be a whole number from 1 to ${MAX_ROWS}.`)
}

export function readFlag(params: Params, name: string): boolean {
  return paramOf(params, name) === true
}

export function readRecord(params: Params, name: string): Params | null {
  const value = paramOf(params, name)
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || Array.isArray(value)) throw new RpcError(RPC_INVALID_PARAMS, `${name} must be an object.`)
  return value as Params
}

/** Empty where it is absent. */
export function readTexts(params: Params, name: string): readonly string[] {
  const value = paramOf(params, name) ?? []
  if (!Array.isArray(value) || !value.every(entry => typeof entry === 'string'))
    throw new RpcError(RPC_INVALID_PARAMS, `${name} must be a list of texts.`)
  return value
}

export function paramOf(params: Params, name: string): unknown {
  return params[name] ?? params[toSnakeCase(name)]
}

export function toSnakeCase(name: string): string {
  return name.replace(/(?<!^)[A-Z]/g, letter => `_${letter}`).toLowerCase()
}
