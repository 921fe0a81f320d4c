// The shape of a built-in hook's config, as data: checked when a policy is loaded and once more before the hook runs.

import { suggestRemedy } from '../../policy/genesis/suggest.ts'
import { type ConfigProblem, configProblem } from '../../value/config-problem.ts'
import { isObject } from '../../value/is-object.ts'
import { AMOUNT, COUNT, FLAG, type Kind, TEXT, TEXTS } from '../../value/kind.ts'
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

export function checkConfig(config: unknown, schema: ConfigSchema, path: readonly string[] = []): ConfigProblem[] {
  if (!isObject(config)) return [problemAt(path, 'must be a mapping')]
  const known = Object.keys(schema)
  return Object.entries(config).flatMap(([key, value]) => {
    const field = Object.hasOwn(schema, key) ? schema[key] : undefined
    if (field !== undefined) return checkField(value, field, [...path, key])
    const remedy = known.length === 0 ? 'leave it out: there is nothing to set' : suggestRemedy(key, known)
    return [problemAt([...path, key], 'is not a known key', remedy)]
  })
}

export function problemAt(path: readonly string[], words: string, remedy?: string): ConfigProblem {
  return configProblem(path, words, { under: ['config'], remedy })
}

const SIZE: Kind<unknown> = {
  words: 'a size such as 500MB or a number of bytes',
  is: (value): value is unknown => parseSize(value) !== null,
}
const ANYTHING: Kind<unknown> = { words: 'anything', is: (_value): _value is unknown => true }

const SIMPLE: Readonly<Record<Exclude<ConfigField['type'], 'choice' | 'map' | 'object'>, Kind<unknown>>> = {
  text: TEXT,
  flag: FLAG,
  number: AMOUNT,
  count: COUNT,
  size: SIZE,
  texts: TEXTS,
  any: ANYTHING,
}

function checkField(value: unknown, field: ConfigField, path: readonly string[]): ConfigProblem[] {
  switch (field.type) {
    case 'choice':
      if (typeof value === 'string' && field.of.includes(value)) return []
      return [problemAt(path, `is ${JSON.stringify(value)}`, suggestRemedy(String(value), field.of))]
    case 'object':
      return checkConfig(value, field.fields, path)
    case 'map':
      if (!isObject(value)) return [problemAt(path, 'must be a mapping')]
      return Object.entries(value).flatMap(([key, item]) => checkField(item, field.values, [...path, key]))
    default: {
      const kind = SIMPLE[field.type]
      return kind.is(value) ? [] : [problemAt(path, `must be ${kind.words}`)]
    }
  }
}
