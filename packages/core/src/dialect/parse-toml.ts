// TOML text (hooks.toml, Codex config.toml) -> tree. The parser gives values without places, so a scan of headers and keys adds them.
import { parse, TomlError } from 'smol-toml'
import { type ConfigNode, DEEPEST, makeScalar, type Scalar, type TextProblem } from './config-node.ts'

export interface TomlTree {
  readonly root: ConfigNode | null
  readonly problems: readonly TextProblem[]
}

export function parseToml(text: string): TomlTree {
  try {
    const places = findTomlPlaces(text)
    return { root: convert(parse(text), [], 0, places), problems: [] }
  } catch (error) {
    const at = error instanceof TomlError ? offsetOf(text, error.line, error.column) : 0
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    return { root: null, problems: [{ severity: 'error', at, message: `not TOML: ${reason}` }] }
  }
}

type Path = readonly (string | number)[]
type Places = ReadonlyMap<string, number>

function convert(value: unknown, path: Path, at: number, places: Places): ConfigNode {
  const own = places.get(JSON.stringify(path)) ?? at
  if (path.length > DEEPEST) return makeScalar(own, null)
  if (Array.isArray(value))
    return { kind: 'array', at: own, items: value.map((item, index) => convert(item, [...path, index], own, places)) }
  if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    const entries = Object.entries(value).map(([key, inner]) => {
      const node = convert(inner, [...path, key], own, places)
      return { key, at: node.at, value: node }
    })
    return { kind: 'object', at: own, entries }
  }
  return makeScalar(own, plainScalar(value))
}

function plainScalar(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return value === null || value === undefined ? null : String(value)
}

const HEADER = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/
const KEY = /^(\s*)((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=\s*(.*)$/

/** Where each table and key begins. Lines inside a multi-line string are passed over. */
function findTomlPlaces(text: string): Places {
  const places = new Map<string, number>()
  const counts = new Map<string, number>()
  let table: Path = []
  let quote: string | null = null
  let offset = 0
  for (const line of text.split('\n')) {
    const start = offset
    offset += line.length + 1
    if (quote !== null) {
      if (line.includes(quote)) quote = null
      continue
    }
    const header = HEADER.exec(line)
    const key = KEY.exec(line)
    if (header !== null) {
      table = enterTable(splitKey(header[2] ?? ''), header[1] === '[[', counts)
      places.set(JSON.stringify(table), start)
    } else if (key !== null) {
      places.set(JSON.stringify([...table, ...splitKey(key[2] ?? '')]), start + (key[1] ?? '').length)
      quote = openQuote(key[3] ?? '')
    }
  }
  return places
}

/** The full path of a table, with the index of each list of tables it stands in. */
function enterTable(keys: readonly string[], isList: boolean, counts: Map<string, number>): Path {
  const path: (string | number)[] = []
  keys.forEach((key, position) => {
    path.push(key)
    const id = JSON.stringify(path)
    const isLast = position === keys.length - 1
    if (isLast && isList) counts.set(id, (counts.get(id) ?? -1) + 1)
    const index = counts.get(id)
    if (index !== undefined) path.push(index)
  })
  return path
}

function splitKey(text: string): string[] {
  return [...text.matchAll(/"([^"]*)"|'([^']*)'|[A-Za-z0-9_-]+/g)].map(part => part[1] ?? part[2] ?? part[0])
}

function openQuote(value: string): string | null {
  const quote = /^("""|''')/.exec(value)?.[1]
  return quote !== undefined && !value.slice(3).includes(quote) ? quote : null
}

function offsetOf(text: string, line: number, column: number): number {
  let at = 0
  for (let passed = 1; passed < line; passed += 1) at = text.indexOf('\n', at) + 1
  return Math.min(text.length, at + Math.max(0, column - 1))
}
