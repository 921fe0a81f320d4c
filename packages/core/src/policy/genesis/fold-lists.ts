// Long lists of plain quoted texts are what a policy with a hundred thousand rules consists of. They are taken out of the text before the
// YAML parser sees it and put back into its tree: the parser takes longer over them than everything else together.
// Invariant: the tree and the start of every node are those of the whole text, or nothing is folded.
import { type Document, isNode, isScalar, isSeq, Scalar, visit } from 'yaml'

export interface FoldedText {
  /** With each long list cut down to its first item. */
  readonly text: string
  readonly folds: readonly Fold[]
}

interface Fold {
  /** Of its first item, in the folded text. */
  readonly start: number
  /** Where the folded text goes on, and how many characters are missing there. */
  readonly end: number
  readonly missing: number
  readonly items: readonly FoldedItem[]
}

interface FoldedItem {
  readonly value: string
  /** In the whole text. */
  readonly offset: number
}

const LEAST_ITEMS = 200
/** `- "text"`, without escapes, comments or anything else. */
const PLAIN_ITEM = /^( *)- "([^"\\\r]*)"\r?$/

/** null: there is nothing to fold. */
export function foldLists(text: string): FoldedText | null {
  const lines = text.split('\n')
  const kept: string[] = []
  const folds: Fold[] = []
  let whole = 0
  let folded = 0
  for (let index = 0; index < lines.length; ) {
    const run = readRun(lines, index, whole)
    const [first] = run.items
    const isLong = first !== undefined && run.items.length >= LEAST_ITEMS
    const keptLines = isLong ? run.lines.slice(0, 1) : run.lines
    const end = folded + lengthOf(keptLines)
    const wholeEnd = whole + lengthOf(run.lines)
    if (isLong) folds.push({ start: folded + first.offset - whole, end, missing: wholeEnd - end, items: run.items })
    for (const line of keptLines) kept.push(line)
    index += run.lines.length
    whole = wholeEnd
    folded = end
  }
  return folds.length === 0 ? null : { text: kept.join('\n'), folds }
}

/** Puts the lists back. false: some text was no list after all (a block scalar may look like one), and the tree is of no use. */
export function unfoldLists(document: Document, folds: readonly Fold[]): boolean {
  const byStart = new Map(folds.map(fold => [fold.start, fold]))
  const lists: { readonly list: { items: unknown[] }; readonly own: ReadonlyMap<unknown, Fold> }[] = []
  visit(document, (_key, node) => {
    if (isSeq(node)) {
      const own = new Map(node.items.flatMap(item => foldAt(item, byStart)))
      if (own.size > 0) lists.push({ list: node, own })
    }
    if (isNode(node) && node.range)
      node.range = [toWhole(folds, node.range[0]), toWhole(folds, node.range[1]), toWhole(folds, node.range[2])]
  })
  if (lists.reduce((sum, list) => sum + list.own.size, 0) !== folds.length) return false
  for (const { list, own } of lists) list.items = list.items.flatMap(item => own.get(item)?.items.map(toScalar) ?? [item])
  return true
}

interface Run {
  readonly lines: readonly string[]
  readonly items: readonly FoldedItem[]
}

/** The items that begin here with one indentation, or one line of something else. */
function readRun(lines: readonly string[], from: number, offset: number): Run {
  const items: FoldedItem[] = []
  let indent: string | null = null
  let at = offset
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? ''
    const match = PLAIN_ITEM.exec(line)
    if (match === null || (indent !== null && match[1] !== indent)) break
    indent = match[1] ?? ''
    items.push({ value: match[2] ?? '', offset: at + indent.length + 2 })
    at += line.length + 1
  }
  return { items, lines: lines.slice(from, from + Math.max(1, items.length)) }
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0)
}

function foldAt(item: unknown, byStart: ReadonlyMap<number, Fold>): readonly (readonly [unknown, Fold])[] {
  const fold = byStart.get(startOf(item))
  const isFirst = fold !== undefined && isScalar(item) && item.type === 'QUOTE_DOUBLE' && item.value === fold.items[0]?.value
  return isFirst ? [[item, fold]] : []
}

function startOf(item: unknown): number {
  return isNode(item) && item.range ? item.range[0] : -1
}

function toWhole(folds: readonly Fold[], offset: number): number {
  let missing = 0
  for (const fold of folds) {
    if (fold.end > offset) break
    missing = fold.missing
  }
  return offset + missing
}

function toScalar({ value, offset }: FoldedItem): Scalar {
  const scalar = new Scalar(value)
  const end = offset + value.length + 2
  scalar.type = 'QUOTE_DOUBLE'
  scalar.source = value
  scalar.range = [offset, end, end]
  return scalar
}
