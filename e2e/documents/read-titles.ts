// The titles of the tests in a file, as they are written there: those of `describe` around a test, then its own. A title that is put together
// keeps its placeholders (`%s`, `$name`, `${x}`): which case of the table is meant has to be said beside it.
import { parseAst } from 'rolldown/parseAst'

const CALLS = new Set(['describe', 'it', 'test'])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export function readTitles(source: string): readonly string[] {
  const titles: string[] = []
  walk(parseAst(source, { lang: 'ts' }), [])
  return titles

  function walk(node: unknown, above: readonly string[]): void {
    if (Array.isArray(node)) for (const each of node) walk(each, above)
    if (!isNode(node)) return
    const name = node.type === 'CallExpression' ? calledName(node.callee) : null
    const [first, ...rest] = name !== null && CALLS.has(name) ? (node.arguments as readonly unknown[]) : []
    if (!isNode(first) || rest.length === 0) {
      for (const each of Object.values(node)) walk(each, above)
      return
    }
    const path = [...above, titleOf(first)]
    if (name !== 'describe') titles.push(path.join(' > '))
    for (const each of rest) walk(each, name === 'describe' ? path : above)
  }

  function titleOf(node: Node): string {
    if (typeof node.value === 'string') return node.value
    if (node.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1)
    return `\${${source.slice(node.start, node.end)}}`
  }
}

/** `test` of `test('x')`, `test.each(rows)('x')` and `` test.each`...`('x') ``. */
function calledName(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Identifier') return String(node.name)
  return calledName(node.object ?? node.callee ?? node.tag)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
