// Typed reading of a parsed TOML table, with the place of every mistake. The parser gives plain values, so places are found in the text.

import { type Diagnostic, type Place, suggestRemedy } from '@belay/core/policy'
import { AMOUNT, FILLED_TEXT, FLAG, isObject, type Kind, oneOf, TEXTS, wholeNumber } from '@belay/core/value'
import { parse, TomlError } from 'smol-toml'
import { findTomlPlace } from './config-file-place.ts'

export interface TomlSource {
  readonly text: string
  readonly file: string
  readonly root: Readonly<Record<string, unknown>>
  readonly problems: Diagnostic[]
}

type Opened = { readonly ok: true; readonly source: TomlSource } | { readonly ok: false; readonly error: Diagnostic }

export function openToml(text: string, file: string): Opened {
  try {
    return { ok: true, source: { text, file, root: parse(text), problems: [] } }
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    const message = `not valid TOML: ${error.message.split('\n')[0]?.replace(/^Invalid TOML document: /, '') ?? ''}`
    return { ok: false, error: { severity: 'error', message, place: { file, line: error.line, column: error.column } } }
  }
}

interface Bounds {
  readonly least?: number
  readonly most?: number
}

/** Each method gives `{name: value}` when the key is there and reads well, else `{}`: ready to spread. */
export interface TomlReader {
  text<K extends string>(key: K): { readonly [P in K]?: string }
  text<K extends string>(key: string, as: K): { readonly [P in K]?: string }
  texts<K extends string>(key: K): { readonly [P in K]?: readonly string[] }
  texts<K extends string>(key: string, as: K): { readonly [P in K]?: readonly string[] }
  flag<K extends string>(key: string, as: K): { readonly [P in K]?: boolean }
  number<K extends string>(key: string, as: K): { readonly [P in K]?: number }
  integer<K extends string>(key: K, bounds: Bounds): { readonly [P in K]?: number }
  integer<K extends string>(key: string, bounds: Bounds, as: K): { readonly [P in K]?: number }
  choice<K extends string, const C extends string>(key: string, choices: readonly C[], as: K): { readonly [P in K]?: C }
  converted<K extends string, T>(key: string, as: K, convert: (value: unknown) => T | null, expected: string): { readonly [P in K]?: T }
  table<K extends string, T>(key: string, as: K, read: (table: TomlReader) => T): { readonly [P in K]?: T }
  /** A table of tables whose names are fixed. */
  tables<K extends string, T>(key: K, names: readonly string[], read: (table: TomlReader) => T): { readonly [P in K]?: Record<string, T> }
  refuse(key: string, why: string): void
  /** Reports every key that nobody has asked for. */
  reportUnknown(): void
}

export function tableReader(source: TomlSource, path: readonly string[] = [], values = source.root): TomlReader {
  const asked = new Set<string>()
  const report = (key: string, message: string, remedy?: string): void => {
    const place = findTomlPlace(source.text, source.file, [...path, key])
    source.problems.push(remedy === undefined ? { severity: 'error', message, place } : { severity: 'error', message, place, remedy })
  }
  const read = <T>(key: string, as: string, convert: (value: unknown) => T | null, expected: string): Record<string, T> => {
    asked.add(key)
    if (!(key in values)) return {}
    const value = convert(values[key])
    if (value !== null) return { [as]: value }
    report(key, `\`${[...path, key].join('.')}\` is ${JSON.stringify(values[key])}, expected ${expected}`)
    return {}
  }
  const readKind = <T>(key: string, as: string, kind: Kind<T>) => read(key, as, value => (kind.is(value) ? value : null), kind.words)
  const reader = {
    text: (key: string, as = key) => readKind(key, as, FILLED_TEXT),
    texts: (key: string, as = key) => readKind(key, as, TEXTS),
    flag: (key: string, as: string) => readKind(key, as, FLAG),
    number: (key: string, as: string) => readKind(key, as, AMOUNT),
    integer: (key: string, { least = 0, most }: Bounds, as = key) => readKind(key, as, wholeNumber(least, most)),
    choice: (key: string, choices: readonly string[], as: string) => readKind(key, as, oneOf(choices)),
    converted: (key: string, as: string, convert: (value: unknown) => unknown, expected: string) => read(key, as, convert, expected),
    table: (key: string, as: string, readTable: (table: TomlReader) => unknown) =>
      read(key, as, value => readInner(source, [...path, key], value, readTable), 'a table'),
    tables: (key: string, names: readonly string[], readTable: (table: TomlReader) => unknown) =>
      read(key, key, value => readNamed(source, [...path, key], value, { names, readTable }), 'a table of tables'),
    refuse: (key: string, why: string) => {
      asked.add(key)
      if (key in values) report(key, why, `remove \`${key}\``)
    },
    reportUnknown: () => {
      for (const key of Object.keys(values)) {
        const where = path.length === 0 ? 'config.toml' : `\`${path.join('.')}\``
        if (!asked.has(key)) report(key, `${where} has no key \`${key}\``, suggestRemedy(key, [...asked]))
      }
    },
  }
  return reader as TomlReader
}

function readInner<T>(source: TomlSource, path: readonly string[], value: unknown, read: (table: TomlReader) => T): T | null {
  if (!isTable(value)) return null
  const reader = tableReader(source, path, value)
  const result = read(reader)
  reader.reportUnknown()
  return result
}

function readNamed(
  source: TomlSource,
  path: readonly string[],
  value: unknown,
  { names, readTable }: { readonly names: readonly string[]; readonly readTable: (table: TomlReader) => unknown },
): Record<string, unknown> | null {
  if (!isTable(value)) return null
  const result: Record<string, unknown> = {}
  for (const name of Object.keys(value)) {
    const place: Place = findTomlPlace(source.text, source.file, [...path, name])
    if (!names.includes(name)) {
      source.problems.push({ severity: 'error', message: `there is no agent \`${name}\``, place, remedy: suggestRemedy(name, names) })
      continue
    }
    const inner = readInner(source, [...path, name], value[name], readTable)
    if (inner === null) source.problems.push({ severity: 'error', message: `\`${[...path, name].join('.')}\` must be a table`, place })
    result[name] = inner
  }
  return result
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value) && !(value instanceof Date)
}
