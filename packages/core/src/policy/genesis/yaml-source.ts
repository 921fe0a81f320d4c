// Reads YAML nodes as what a policy expects and collects every problem with its place, so that one run lists them all.
// Invariant: a reader that returns null has reported why.
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, visit, type YAMLError } from 'yaml'
import type { Diagnostic, Place, Severity } from '../../verdict/place.ts'
import { suggestRemedy } from './suggest.ts'

/** A node of the parsed text; null where the text has nothing. */
export type Node = unknown

export interface Field {
  readonly key: string
  readonly keyNode: Node
  readonly value: Node
}

export type Fields = ReadonlyMap<string, Field>

export interface YamlSource {
  readonly file: string
  readonly document: Document
  readonly problems: Diagnostic[]
  readonly lines: LineCounter
  /** How many more nodes may be reached through aliases: a few lines of YAML can stand for billions of nodes. */
  aliasBudget: number
}

const MAX_TEXT_LENGTH = 16 * 1024 * 1024
const MAX_ALIASED_NODES = 10_000
const MAX_DEPTH = 32

/** Parses the text; problems of the YAML itself are in `problems`, and the tree may then be partial. */
export function openYaml(text: string, file: string): YamlSource {
  const lines = new LineCounter()
  const problems: Diagnostic[] = []
  const document = parseGuarded(text, lines, problem => problems.push({ ...problem, place: { file, line: 1, column: 1 } }))
  const source: YamlSource = { file, document, problems, lines, aliasBudget: MAX_ALIASED_NODES }
  for (const error of document.errors) problems.push(describeYamlError(source, error, 'error'))
  for (const warning of document.warnings) problems.push(describeYamlError(source, warning, 'warning'))
  reportUnresolvedAliases(source)
  return source
}

export function report(source: YamlSource, node: Node, message: string, remedy?: string): null {
  source.problems.push(diagnostic(source, node, 'error', message, remedy))
  return null
}

export function warn(source: YamlSource, node: Node, message: string, remedy?: string): void {
  source.problems.push(diagnostic(source, node, 'warning', message, remedy))
}

export function placeOf(source: YamlSource, node: Node): Place {
  return placeAt(source, startOf(node))
}

/** A character inside a scalar's text. Block scalars and escapes move their characters about: those give the scalar's own place. */
export function placeInText(source: YamlSource, node: Node, offset: number): Place {
  const place = placeOf(source, node)
  if (!isScalar(node) || typeof node.value !== 'string' || node.source?.includes('\n')) return place
  const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE'
  if (!isQuoted && node.type !== 'PLAIN') return place
  return { ...place, column: place.column + offset + (isQuoted ? 1 : 0) }
}

export function reportInText(source: YamlSource, node: Node, offset: number, message: string, remedy?: string): null {
  const place = placeInText(source, node, offset)
  source.problems.push(remedy === undefined ? { severity: 'error', message, place } : { severity: 'error', message, place, remedy })
  return null
}

/** A mapping whose keys are free. */
export function readFields(source: YamlSource, node: Node, what: string): Fields | null {
  const map = resolve(source, node)
  if (!isMap(map)) return report(source, node, `${what} must be a mapping, found ${describeNode(map)}`)
  const fields = new Map<string, Field>()
  for (const pair of map.items) {
    const key = keyText(pair.key)
    if (key === null) {
      report(source, pair.key ?? node, `a key of ${what} must be text, found ${describeNode(pair.key)}`)
      continue
    }
    if (key === '<<') report(source, pair.key, `${what} uses the merge key \`<<\`, which policies do not support`, 'write the keys out')
    fields.set(key, { key, keyNode: pair.key, value: pair.value })
  }
  return fields
}

/** A mapping whose keys are fixed: any other key is an error. */
export function readKnownFields(source: YamlSource, node: Node, what: string, known: readonly string[]): Fields | null {
  const fields = readFields(source, node, what)
  if (fields === null) return null
  for (const field of fields.values()) {
    if (!known.includes(field.key) && field.key !== '<<') {
      report(source, field.keyNode, `${what} has no key \`${field.key}\``, suggestRemedy(field.key, known))
    }
  }
  return fields
}

export function readItems(source: YamlSource, node: Node, what: string): readonly Node[] | null {
  const list = resolve(source, node)
  if (!isSeq(list))
    return report(source, node, `${what} must be a list, found ${describeNode(list)}`, 'write one item a line, each with `- ` before it')
  return list.items
}

export function readText(source: YamlSource, node: Node, what: string): string | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'string') return scalar.value
  return report(source, node, `${what} must be text, found ${describeNode(scalar)}`, 'put it in quotes')
}

export function readFlag(source: YamlSource, node: Node, what: string): boolean | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'boolean') return scalar.value
  return report(source, node, `${what} must be true or false, found ${describeNode(scalar)}`)
}

export function readNumber(source: YamlSource, node: Node, what: string): number | null {
  const scalar = resolve(source, node)
  if (isScalar(scalar) && typeof scalar.value === 'number' && Number.isFinite(scalar.value)) return scalar.value
  return report(source, node, `${what} must be a number, found ${describeNode(scalar)}`)
}

export function readChoice<const T extends string>(source: YamlSource, node: Node, what: string, choices: readonly T[]): T | null {
  const text = readText(source, node, what)
  if (text === null) return null
  const choice = choices.find(each => each === text)
  return choice ?? report(source, node, `${what} is \`${text}\`, expected ${listChoices(choices)}`, suggestRemedy(text, choices))
}

export function readTexts(source: YamlSource, node: Node, what: string): readonly string[] | null {
  const items = readItems(source, node, what)
  if (items === null) return null
  const texts = items.map(item => readText(source, item, `an item of ${what}`))
  return texts.every(text => text !== null) ? texts : null
}

/** Any value as plain data (mapping keys become text). */
export function readData(source: YamlSource, node: Node, what: string, depth = 0): unknown {
  if (depth > MAX_DEPTH) return report(source, node, `${what} is nested more than ${MAX_DEPTH} levels deep`)
  const value = resolve(source, node)
  if (isScalar(value)) return value.value
  if (isSeq(value)) return value.items.map(item => readData(source, item, what, depth + 1))
  if (!isMap(value)) return null
  const entries = value.items.map(pair => [keyText(pair.key) ?? '', readData(source, pair.value, what, depth + 1)] as const)
  return Object.fromEntries(entries)
}

export function readRecord(source: YamlSource, node: Node, what: string): Readonly<Record<string, unknown>> | null {
  const map = resolve(source, node)
  if (!isMap(map)) return report(source, node, `${what} must be a mapping, found ${describeNode(map)}`)
  const data = readData(source, map, what)
  return isRecord(data) ? data : null
}

/** `key:` with nothing after it. */
export function isNothing(node: Node): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null)
}

export function isTextNode(source: YamlSource, node: Node): boolean {
  const scalar = resolve(source, node)
  return isScalar(scalar) && typeof scalar.value === 'string'
}

export function isMapNode(source: YamlSource, node: Node): boolean {
  return isMap(resolve(source, node))
}

export function describeNode(node: Node): string {
  if (isMap(node)) return 'a mapping'
  if (isSeq(node)) return 'a list'
  if (isAlias(node)) return 'an alias'
  if (!isScalar(node) || node.value === null) return 'nothing'
  const value = node.value
  if (typeof value === 'string') return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}...` : value)}`
  if (typeof value === 'number' || typeof value === 'bigint') return `the number ${node.source ?? String(value)}`
  return typeof value === 'boolean' ? String(value) : 'a tagged value'
}

function parseGuarded(text: string, lines: LineCounter, fail: (problem: { severity: 'error'; message: string }) => void): Document {
  const options = { lineCounter: lines, prettyErrors: false, merge: false } as const
  if (text.length > MAX_TEXT_LENGTH) {
    fail({ severity: 'error', message: `the file has ${text.length} characters, more than the limit of ${MAX_TEXT_LENGTH}` })
    return parseDocument('', options)
  }
  try {
    return parseDocument(text, options)
  } catch (error) {
    // The parser is recursive: only nesting that no person writes gets here.
    fail({ severity: 'error', message: `the file cannot be read as YAML: ${error instanceof Error ? error.message : String(error)}` })
    return parseDocument('', options)
  }
}

function describeYamlError(source: YamlSource, error: YAMLError, severity: Severity): Diagnostic {
  const place = placeAt(source, error.pos[0])
  const message = `not valid YAML: ${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`
  const remedy = yamlRemedy(error)
  return remedy === null ? { severity, message, place } : { severity, message, place, remedy }
}

function reportUnresolvedAliases(source: YamlSource): void {
  visit(source.document, {
    Alias(_key, node) {
      if (node.resolve(source.document) !== undefined) return
      report(source, node, `nothing has the anchor \`&${node.source}\``, ALIAS_REMEDY)
    },
  })
}

const ALIAS_REMEDY = 'put text that begins with `*` in quotes'

function yamlRemedy(error: YAMLError): string | null {
  if (error.code === 'BAD_ALIAS') return ALIAS_REMEDY
  if (error.code === 'TAB_AS_INDENT') return 'indent with spaces'
  if (error.code === 'DUPLICATE_KEY') return 'join the two, or remove one'
  if (error.code === 'MULTIPLE_DOCS') return 'keep one document in the file, without `---` in the middle'
  return null
}

function diagnostic(source: YamlSource, node: Node, severity: Severity, message: string, remedy?: string): Diagnostic {
  const place = placeOf(source, node)
  return remedy === undefined ? { severity, message, place } : { severity, message, place, remedy }
}

function placeAt(source: YamlSource, offset: number): Place {
  const position = source.lines.linePos(offset)
  return { file: source.file, line: Math.max(1, position.line), column: Math.max(1, position.col) }
}

function startOf(node: Node): number {
  if ((isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)) && node.range) return node.range[0]
  return 0
}

function resolve(source: YamlSource, node: Node): Node {
  if (!isAlias(node)) return node
  const target = node.resolve(source.document)
  if (target === undefined) return node
  source.aliasBudget -= countNodes(target, source.aliasBudget)
  if (source.aliasBudget >= 0) return target
  report(source, node, `aliases inside aliases, or for more than ${MAX_ALIASED_NODES} values, are refused`, 'write the values out')
  return undefined
}

/** Stops counting when `limit` is passed, so that a bomb costs no more than the limit. */
function countNodes(node: Node, limit: number): number {
  let count = 1
  if (isAlias(node)) return limit + 1
  const children = isSeq(node) ? node.items : isMap(node) ? node.items.map(pair => pair.value) : []
  for (const child of children) {
    if (count > limit) return count
    count += countNodes(child, limit - count)
  }
  return count
}

function keyText(key: Node): string | null {
  if (!isScalar(key)) return null
  if (typeof key.value === 'string') return key.value
  return key.value === null || typeof key.value === 'object' ? null : (key.source ?? String(key.value))
}

function listChoices(choices: readonly string[]): string {
  return choices.length === 1 ? `\`${choices[0]}\`` : `one of ${choices.join(', ')}`
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
