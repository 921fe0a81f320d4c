// Reads the config of a guardrail, key by key. What is wrong is collected with its path; a key that nobody asked for is an error.
import { checkJsonSchema } from './json-schema.ts'

export interface ConfigProblem {
  /** The top-level key it is about; null: the config as a whole. */
  readonly key: string | null
  /** Keys and positions down to what is wrong. */
  readonly path: readonly string[]
  readonly message: string
}

type Data = Readonly<Record<string, unknown>>

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
    const place = [...path, ...keys]
    problems.push({ key: place[0] ?? null, path: place, message: place.length === 0 ? message : `\`${place.join('.')}\` ${message}` })
  }
  const complain = (key: string | null, message: string) => complainAt(key === null ? [] : [key], message)
  const take = (key: string): unknown => {
    asked.add(key)
    return config[key] ?? undefined
  }
  function read<T>(key: string, fallback: T, accepts: (value: unknown) => value is T, expected: string): T {
    const value = take(key)
    if (value === undefined) return fallback
    if (accepts(value)) return value
    complain(key, `must be ${expected}`)
    return fallback
  }
  function readInner<T>(key: string, name: string, value: unknown, reading: (reader: ConfigReader, name: string) => T): T[] {
    if (value !== null && !isData(value)) {
      complainAt([key, name], 'must be a mapping')
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
    text: key => read<string | null>(key, null, isText, 'text'),
    texts: key => read<readonly string[]>(key, [], isTexts, 'a list of texts'),
    count: (key, fallback) => read(key, fallback, isCount, 'a whole number, 0 or more'),
    flag: (key, fallback) => read(key, fallback, isFlag, 'true or false'),
    choice: (key, choices, fallback) =>
      read(key, fallback, (value): value is typeof fallback => choices.includes(value as never), `one of ${choices.join(', ')}`),
    data: key => read<Data | null>(key, null, isData, 'a mapping'),
    schema(key) {
      const schema = read<Data | null>(key, null, isData, 'a JSON Schema')
      for (const problem of schema === null ? [] : checkJsonSchema(schema)) complainAt([key, ...problem.path], problem.message)
      return schema
    },
    map(key, reading) {
      const data = read<Data>(key, {}, isData, 'a mapping')
      return new Map(
        Object.entries(data).flatMap(([name, value]) => readInner(key, name, value, reading).map(each => [name, each] as const)),
      )
    },
    items(key, reading) {
      const list = read<readonly unknown[]>(key, [], Array.isArray, 'a list')
      return list.flatMap((value, at) => readInner(key, String(at), value, reading))
    },
    refuseOthers() {
      for (const key of Object.keys(config)) if (!asked.has(key)) complain(key, `is not known here; known are ${[...asked].join(', ')}`)
    },
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText)
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isData(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
