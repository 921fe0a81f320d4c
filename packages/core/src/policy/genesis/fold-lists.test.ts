import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Document, isNode, parseDocument, visit } from 'yaml'
import { foldLists, unfoldLists } from './fold-lists.ts'

const runs = { numRuns: Number(process.env.BELAY_FUZZ_RUNS ?? 60), seed: Number(process.env.BELAY_FUZZ_SEED ?? Date.now() % 2 ** 31) }

function list(count: number, indent: string, word = 'rule'): string {
  return Array.from({ length: count }, (_, index) => `${indent}- "${word} ${index}"`).join('\n')
}

/** Kind, value and start of every node. */
function describeTree(document: Document): unknown[] {
  const seen: unknown[] = []
  visit(document, (_key, node) => {
    if (isNode(node)) seen.push([node.constructor.name, 'value' in node ? node.value : null, node.range?.[0]])
  })
  return seen
}

function parseBoth(text: string): { folded: unknown[] | null; whole: unknown[] } {
  const whole = describeTree(parseDocument(text))
  const fold = foldLists(text)
  if (fold === null) return { folded: null, whole }
  const document = parseDocument(fold.text)
  return { folded: unfoldLists(document, fold.folds) ? describeTree(document) : null, whole }
}

describe('a folded text gives the tree of the whole text', () => {
  test.each<[string, string]>([
    ['one list', `a:\n  b:\n${list(300, '    ')}\nc: d\n`],
    ['at the end, without a line break', `a:\n${list(300, '  ')}`],
    ['several lists', `a:\n${list(250, '  ')}\nb:\n${list(400, '')}\nc: {d: "e"}\n`],
    ['a list cut in two by a comment', `a:\n${list(250, '  ')}\n  # more\n${list(250, '  ', 'x')}\n  - plain\n`],
    ['windows line ends', `a:\r\n${list(300, '  ').replaceAll('\n', '\r\n')}\r\nb: c\r\n`],
    ['a list at the top', list(300, '')],
  ])('%s', (_title, text) => {
    const { folded, whole } = parseBoth(text)
    expect(folded).toEqual(whole)
  })
})

test('what only looks like a list is not folded', () => {
  expect(parseBoth(`a: |\n${list(300, '  ')}\nb: c\n`).folded).toBe(null)
  expect(parseBoth(`a: "x\n${list(300, '  ').replaceAll('"', '')}"\n`).folded).toBe(null)
})

test('short lists are left to the parser', () => {
  expect(foldLists(`a:\n${list(199, '  ')}\n`)).toBe(null)
})

test(`any mixture, folded or given up, never differs (seed ${runs.seed})`, () => {
  const block = fc.oneof(
    fc.tuple(fc.constantFrom(200, 220, 3), fc.constantFrom('', '  ', '    ')).map(([count, indent]) => list(count, indent)),
    fc.constantFrom('a:', '  b:', '  c: |', '# note', 'd: "e"', '- f', '  - {g: h}', '', 'i: [', ']', '"'),
  )
  fc.assert(
    fc.property(fc.array(block, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (blocks, eol) => {
      const text = blocks.join('\n').replaceAll('\n', eol)
      const fold = foldLists(text)
      if (fold === null) return
      const document = parseDocument(fold.text)
      if (document.errors.length > 0 || document.warnings.length > 0 || !unfoldLists(document, fold.folds)) return
      const whole = parseDocument(text)
      expect(whole.errors).toEqual([])
      expect(describeTree(document)).toEqual(describeTree(whole))
    }),
    runs,
  )
})
