// The shape of a built-in hook's config, as data: checked when a policy is loaded and once more before the hook runs.

import { suggestRemedy } from '../../policy/genesis/suggest.ts'
import { isObject } from '../../value/is-object.ts'
import { parseSize } from './size.ts'

export type ConfigField =
  | { readonly type: 'text' | 'flag' | 'number' | 'count' | 'size' | 'texts' | 'any' }
  | { readonly type: 'choice'; readonly of: readonly string[] }
  /** Any keys, values of one kind. */
  | { readonly type: 'map'; readonly values: ConfigField }
  | { readonly type: 'object'; readonly fields: ConfigSchema }

export interface ConfigSchema {
  readonly [key: string]: ConfigField
}

export interface ConfigProblem {
  /** The key of the config it is about, for the loader to find its line; null: the config as a whole. */
  readonly key: string | null
  readonly message: string
  readonly remedy?: string
}

export function checkConfig(config: unknown, schema: ConfigSchema, path: readonly string[] = []): ConfigProblem[] {
  if (!isObject(config)) return [problemAt(path, 'must be a map of keys and values')]
  const known = Object.keys(schema)
  return Object.entries(config).flatMap(([key, value]) => {
    const field = Object.hasOwn(schema, key) ? schema[key] : undefined
    if (field !== undefined) return checkField(value, field, [...path, key])
    const remedy = known.length === 0 ? 'leave it out: there is nothing to set' : suggestRemedy(key, known)
    return [problemAt([...path, key], 'is not a known key', remedy)]
  })
}

export function problemAt(path: readonly string[], words: string, remedy?: string): ConfigProblem {
  const message = `\`${['config', ...path].join('.')}\` ${words}`
  const key = path[0] ?? null
  return remedy === undefined ? { key, message } : { key, message, remedy }
}

const SIMPLE: Readonly<Record<Exclude<ConfigField['type'], 'choice' | 'map' | 'object'>, readonly [string, (value: unknown) => boolean]>> =
  {
    text: ['a text', value => typeof value === 'string'],
    flag: ['true or false', value => typeof value === 'boolean'],
    number: ['a number, not negative', value => typeof value === 'number' && value >= 0],
    count: ['a whole number, not negative', value => Number.isInteger(value) && Number(value) >= 0],
    size: ['a size such as 500MB or a number of bytes', value => parseSize(value) !== null],
    texts: ['a list of texts', value => Array.isArray(value) && value.every(item => typeof item === 'string')],
    any: ['anything', () => true],
  }

function checkField(value: unknown, field: ConfigField, path: readonly string[]): ConfigProblem[] {
  switch (field.type) {
    case 'choice':
      if (typeof value === 'string' && field.of.includes(value)) return []
      return [problemAt(path, `is ${JSON.stringify(value)}`, suggestRemedy(String(value), field.of))]
    case 'object':
      return checkConfig(value, field.fields, path)
    case 'map':
      if (!isObject(value)) return [problemAt(path, 'must be a map of keys and values')]
      return Object.entries(value).flatMap(([key, item]) => checkField(item, field.values, [...path, key]))
    default: {
      const [expected, fits] = SIMPLE[field.type]
      return fits(value) ? [] : [problemAt(path, `must be ${expected}`)]
    }
  }
}
