// YAML text with the place of everything in it. Problems are collected, so that one run lists them all.

import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, parseDocument, visit, type YAMLError } from 'yaml'
import { errorText } from '../../value/error-text.ts'
import type { Diagnostic, Place, Severity } from '../../verdict/place.ts'
import { foldLists, unfoldLists } from './fold-lists.ts'

/** A node of the parsed text; null where the text has nothing. */
export type Node = unknown

export interface YamlSource {
  readonly file: string
  readonly document: Document
  readonly problems: Diagnostic[]
  /** Where each line starts. */
  readonly lineStarts: readonly number[]
  /** What each alias stands for. */
  readonly targets: ReadonlyMap<Node, Node>
  /** The first line that is no YAML; the tree below it is a guess. null: there is none. */
  readonly brokenFrom: number | null
  /** How many more nodes may be reached through aliases: a few lines of YAML can stand for billions of nodes. */
  aliasBudget: number
}

/** A hundred thousand rules fit; a larger file would hold up whoever loads it. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024
const MAX_ALIASED_NODES = 10_000

/** Parses the text; problems of the YAML itself are in `problems`, and the tree may then be partial. */
export function openYaml(text: string, file: string): YamlSource {
  const problems: Diagnostic[] = []
  const document = parseGuarded(text, message => problems.push({ severity: 'error', message, place: { file, line: 1, column: 1 } }))
  const { targets, unresolved } = resolveAliases(document)
  const lineStarts = findLineStarts(text)
  const lineOf = (offset: number) => placeAt({ file, lineStarts }, offset).line
  const broken = document.errors.filter(({ code }) => code !== 'DUPLICATE_KEY').map(({ pos }) => lineOf(pos[0]))
  const brokenFrom = broken.length === 0 ? null : Math.min(...broken)
  const source: YamlSource = { file, document, problems, lineStarts, targets, brokenFrom, aliasBudget: MAX_ALIASED_NODES }
  for (const alias of unresolved) report(source, alias, describeAlias(alias.source), ALIAS_REMEDY)
  const mark = /^(?:<{7}|>{7}) /m.exec(text)
  if (mark !== null && brokenFrom !== null) reportMerge(source, mark.index)
  else reportYaml(source)
  return source
}

function describeAlias(name: string): string {
  return /^[\w-]+$/.test(name) ? `nothing has the anchor \`&${name}\`` : `\`*${name}\` without quotes is a reference, not text`
}

const MERGED = 'keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>'

function reportMerge(source: YamlSource, offset: number): void {
  const place = placeAt(source, offset)
  source.problems.push({
    severity: 'error',
    message: 'not valid YAML: two versions were merged, and not all is decided',
    place,
    remedy: MERGED,
  })
}

/** One for each line: what follows on it follows from the first. */
function reportYaml(source: YamlSource): void {
  const { document, problems } = source
  const said = new Set(problems.map(({ place }) => place.line))
  const describe = (error: YAMLError, severity: Severity) => {
    const made = describeYamlError(source, error, severity)
    if (said.has(made.place.line)) return
    said.add(made.place.line)
    problems.push(made)
  }
  for (const error of document.errors) describe(error, 'error')
  for (const warning of document.warnings) describe(warning, 'warning')
}

export function report(source: YamlSource, node: Node, message: string, remedy?: string): null {
  source.problems.push(diagnostic('error', placeOf(source, node), message, remedy))
  return null
}

export function warn(source: YamlSource, node: Node, message: string, remedy?: string): void {
  source.problems.push(diagnostic('warning', placeOf(source, node), message, remedy))
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

export function reportInText(
  source: YamlSource,
  node: Node,
  { offset, message, remedy }: { readonly offset: number; readonly message: string; readonly remedy?: string | undefined },
): null {
  const place = placeInText(source, node, offset)
  source.problems.push(remedy === undefined ? { severity: 'error', message, place } : { severity: 'error', message, place, remedy })
  return null
}

/** What stands behind an alias; undefined where aliases have been used up. */
export function resolve(source: YamlSource, node: Node): Node {
  if (!isAlias(node)) return node
  const target = source.targets.get(node)
  if (target === undefined) return node
  if (source.aliasBudget < 0) return undefined
  source.aliasBudget -= countNodes(target, source.aliasBudget)
  if (source.aliasBudget >= 0) return target
  report(source, node, `aliases inside aliases, or for more than ${MAX_ALIASED_NODES} values, are refused`, 'write the values out')
  return undefined
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

function parseGuarded(text: string, fail: (message: string) => void): Document {
  if (text.length > MAX_TEXT_LENGTH) {
    fail(`the file has ${text.length} characters, more than the limit of ${MAX_TEXT_LENGTH}`)
    return parseDocument('', YAML_OPTIONS)
  }
  try {
    return parseFolded(text) ?? parseDocument(text, YAML_OPTIONS)
  } catch (error) {
    // The parser is recursive: only nesting that no person writes gets here.
    fail(`the file cannot be read as YAML: ${errorText(error)}`)
    return parseDocument('', YAML_OPTIONS)
  }
}

const YAML_OPTIONS = { prettyErrors: false, merge: false } as const

/** The same tree in a fraction of the time; null where there is nothing to gain, or anything to say about the text. */
function parseFolded(text: string): Document | null {
  const folded = foldLists(text)
  if (folded === null) return null
  const document = parseDocument(folded.text, YAML_OPTIONS)
  const isClean = document.errors.length === 0 && document.warnings.length === 0
  return isClean && unfoldLists(document, folded.folds) ? document : null
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function describeYamlError(source: YamlSource, error: YAMLError, severity: Severity): Diagnostic {
  const place = placeAt(source, error.pos[0])
  const why = error.code === 'DUPLICATE_KEY' ? describeTwice(source, error.pos[0]) : null
  const message = why ?? `${error.message.charAt(0).toLowerCase()}${error.message.slice(1)}`
  return { severity, message: `not valid YAML: ${message}`, place, remedy: yamlRemedy(error) }
}

/** Which key, and where it stands first. */
function describeTwice(source: YamlSource, offset: number): string | null {
  let said: string | null = null
  visit(source.document, {
    Map(_key, { items }) {
      const keys = items.map(({ key }) => key).filter(key => isScalar(key))
      const second = keys.find(({ range }) => range?.[0] === offset)
      const first = keys.find(({ value }) => value === second?.value)
      if (second === undefined || first === undefined || first === second) return undefined
      said = `\`${String(second.value)}\` stands here and in line ${placeOf(source, first).line}`
      return visit.BREAK
    },
  })
  return said
}

/** In one pass: the library walks the whole document for each alias. */
function resolveAliases(document: Document): { readonly targets: ReadonlyMap<Node, Node>; readonly unresolved: readonly Alias[] } {
  const anchors = new Map<string, Node>()
  const targets = new Map<Node, Node>()
  const unresolved: Alias[] = []
  visit(document, {
    Node(_key, node) {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node)
      } else if (anchors.has(node.source)) targets.set(node, anchors.get(node.source))
      else unresolved.push(node)
    },
  })
  return { targets, unresolved }
}

const ALIAS_REMEDY = 'put text that begins with `*` in quotes'

function yamlRemedy(error: YAMLError): string {
  if (error.code === 'BAD_ALIAS') return ALIAS_REMEDY
  if (error.code === 'TAB_AS_INDENT') return 'indent with spaces'
  if (error.code === 'DUPLICATE_KEY') return 'join the two, or remove one'
  if (error.code === 'MULTIPLE_DOCS') return 'keep one document in the file, without `---` in the middle'
  if (error.message.includes('closing')) return 'close what was opened: a quote, a bracket or a brace'
  if (error.code === 'BAD_INDENT' || error.message.includes('same column')) return 'begin it in the column of its neighbours'
  if (error.code === 'UNEXPECTED_TOKEN') return 'remove it, or put the text that it belongs to in quotes'
  return 'put text that holds one of : # { } [ ] , & * ! | > % @ in quotes'
}

function diagnostic(severity: Severity, place: Place, message: string, remedy?: string): Diagnostic {
  return remedy === undefined ? { severity, message, place } : { severity, message, place, remedy }
}

function placeAt({ file, lineStarts }: Pick<YamlSource, 'file' | 'lineStarts'>, offset: number): Place {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return { file, line: low + 1, column: offset - (lineStarts[low] ?? 0) + 1 }
}

function startOf(node: Node): number {
  if ((isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)) && node.range) return node.range[0]
  return 0
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
