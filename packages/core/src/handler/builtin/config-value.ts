// Reads a value of a checked config; what is absent gives the fallback.
import { isObject } from '../../value/is-object.ts'

export type Config = Readonly<Record<string, unknown>>

export function textIn(config: Config, key: string): string | undefined
export function textIn(config: Config, key: string, fallback: string): string
export function textIn(config: Config, key: string, fallback?: string): string | undefined {
  const value = config[key]
  return typeof value === 'string' ? value : fallback
}

export function flagIn(config: Config, key: string, fallback: boolean): boolean {
  const value = config[key]
  return typeof value === 'boolean' ? value : fallback
}

export function numberIn(config: Config, key: string): number | null {
  const value = config[key]
  return typeof value === 'number' ? value : null
}

export function textsIn(config: Config, key: string): readonly string[] {
  const value = config[key]
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

export function mapIn(config: Config, key: string): Config {
  const value = config[key]
  return isObject(value) ? { ...value } : {}
}
