// Reads the config of a guardrail, key by key. What is wrong is collected with its path; a key that nobody asked for is an error.
import { type ConfigProblem, configProblem } from '../value/config-problem.ts'
import { COUNT, FILLED_TEXT, FILLED_TEXTS, FLAG, type Kind, LIST, MAPPING, oneOf } from '../value/kind.ts'
import { checkJsonSchema } from './json-schema.ts'

type Data = Readonly<Record<string, unknown>>

const JSON_SCHEMA: Kind<Data> = { ...MAPPING, words: 'a JSON Schema' }

export interface ConfigReader {
  readonly problems: ConfigProblem[]
  text(key: string): string | null
  texts(key: string): readonly string[]
  /** A whole number from 0. */
  count(key: string, fallback: number): number
  flag(key: string, fallback: boolean): boolean
  choice<const T extends string>(key: string, choices: readonly T[], fallback: T): T
  data(key: string): Data | null
  /** A JSON Schema that can be used. */
  schema(key: string): Data | null
  value(key: string): unknown
  /** A mapping with free keys, each a mapping itself. */
  map<T>(key: string, read: (reader: ConfigReader, name: string) => T): ReadonlyMap<string, T>
  items<T>(key: string, read: (reader: ConfigReader) => T): readonly T[]
  complain(key: string | null, message: string): void
  /** Call it last. */
  refuseOthers(): void
}

export function openConfig(config: Data, path: readonly string[] = [], problems: ConfigProblem[] = []): ConfigReader {
  const asked = new Set<string>()
  const complainAt = (keys: readonly string[], message: string) => {
    problems.push(configProblem([...path, ...keys], message))
  }
  const complain = (key: string | null, message: string) => complainAt(key === null ? [] : [key], message)
  const take = (key: string): unknown => {
    asked.add(key)
    return config[key] ?? undefined
  }
  function read<T, F>(key: string, fallback: F, kind: Kind<T>): T | F {
    const value = take(key)
    if (value === undefined) return fallback
    if (kind.is(value)) return value
    complain(key, `must be ${kind.words}`)
    return fallback
  }
  function readInner<T>(key: string, name: string, value: unknown, reading: (reader: ConfigReader, name: string) => T): T[] {
    if (value !== null && !MAPPING.is(value)) {
      complainAt([key, name], `must be ${MAPPING.words}`)
      return []
    }
    const reader = openConfig(value ?? {}, [...path, key, name], problems)
    const result = reading(reader, name)
    reader.refuseOthers()
    return [result]
  }
  return {
    problems,
    complain,
    value: take,
    text: key => read(key, null, FILLED_TEXT),
    texts: key => read(key, [], FILLED_TEXTS),
    count: (key, fallback) => read(key, fallback, COUNT),
    flag: (key, fallback) => read(key, fallback, FLAG),
    choice: (key, choices, fallback) => read(key, fallback, oneOf(choices)),
    data: key => read(key, null, MAPPING),
    schema(key) {
      const schema = read(key, null, JSON_SCHEMA)
      for (const problem of schema === null ? [] : checkJsonSchema(schema)) complainAt([key, ...problem.path], problem.message)
      return schema
    },
    map(key, reading) {
      const data = read(key, {}, MAPPING)
      return new Map(
        Object.entries(data).flatMap(([name, value]) => readInner(key, name, value, reading).map(each => [name, each] as const)),
      )
    },
    items(key, reading) {
      const list = read(key, [], LIST)
      return list.flatMap((value, at) => readInner(key, String(at), value, reading))
    },
    refuseOthers() {
      for (const key of Object.keys(config)) if (!asked.has(key)) complain(key, `is not known here; known are ${[...asked].join(', ')}`)
    },
  }
}
