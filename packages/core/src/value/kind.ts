// What a value may have to be, wherever it comes from: a policy, config.toml, a call, a program. One test and one wording for each.
import { isObject } from './is-object.ts'

export interface Kind<T> {
  /** After "must be" and "expected". */
  readonly words: string
  is(value: unknown): value is T
}

export const TEXT: Kind<string> = { words: 'a text', is: (value): value is string => typeof value === 'string' }
export const FILLED_TEXT: Kind<string> = {
  words: 'a text that is not empty',
  is: (value): value is string => TEXT.is(value) && value !== '',
}
export const TEXTS: Kind<readonly string[]> = listOf('texts', TEXT)
export const FILLED_TEXTS: Kind<readonly string[]> = listOf('texts that are not empty', FILLED_TEXT)
export const FLAG: Kind<boolean> = { words: 'true or false', is: (value): value is boolean => typeof value === 'boolean' }
export const NUMBER: Kind<number> = { words: 'a number', is: (value): value is number => Number.isFinite(value) }
export const AMOUNT: Kind<number> = { words: 'a number, 0 or more', is: (value): value is number => NUMBER.is(value) && value >= 0 }
export const COUNT: Kind<number> = { words: 'a whole number, 0 or more', is: (value): value is number => isWhole(value, 0) }
export const MAPPING: Kind<Readonly<Record<string, unknown>>> = { words: 'a mapping', is: isObject }
export const LIST: Kind<readonly unknown[]> = { words: 'a list', is: (value): value is readonly unknown[] => Array.isArray(value) }

export function wholeNumber(least: number, most = Number.POSITIVE_INFINITY): Kind<number> {
  const words = most === Number.POSITIVE_INFINITY ? `a whole number from ${least}` : `a whole number from ${least} to ${most}`
  return { words, is: (value): value is number => isWhole(value, least, most) }
}

export function oneOf<const T extends string>(choices: readonly T[]): Kind<T> {
  return { words: `one of ${choices.join(', ')}`, is: (value): value is T => choices.some(choice => choice === value) }
}

function listOf<T>(words: string, kind: Kind<T>): Kind<readonly T[]> {
  return { words: `a list of ${words}`, is: (value): value is readonly T[] => Array.isArray(value) && value.every(kind.is) }
}

function isWhole(value: unknown, least: number, most = Number.POSITIVE_INFINITY): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
