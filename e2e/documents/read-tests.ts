// The tests in a file by their titles, as they are written there: those of `describe` around a test, then its own. A title that is put together
// keeps its placeholders (`%s`, `$name`, `${x}`): which case of the table is meant has to be said beside it, and must stand in that very table.
import { parseAst } from 'rolldown/parseAst'

const CALLS = new Set(['describe', 'it', 'test'])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

interface Around {
  readonly titles: readonly string[]
  /** Tables of `describe.each` and of loops that the test stands in. */
  readonly tables: readonly Node[]
}

/** By title: the texts that a case of the test may stand in. */
export function readTests(source: string): ReadonlyMap<string, string> {
  const program = parseAst(source, { lang: 'ts' })
  const constants = readConstants(program)
  const tests = new Map<string, string>()
  walk(program, { titles: [], tables: [] })
  return tests

  function walk(node: unknown, around: Around): void {
    if (Array.isArray(node)) for (const each of node) walk(each, around)
    if (!isNode(node)) return
    const call = readCall(node)
    if (call === null) {
      const inside = isLoop(node) ? { ...around, tables: [...around.tables, node.right] } : around
      for (const each of Object.values(node)) walk(each, inside)
      return
    }
    const inside = { titles: [...around.titles, titleOf(call.title)], tables: [...around.tables, call.callee] }
    if (!call.isGroup) keep(inside, node)
    for (const each of call.rest) walk(each, call.isGroup ? inside : around)
  }

  function keep({ titles, tables }: Around, test: Node): void {
    const title = titles.join(' > ')
    tests.set(title, [tests.get(title) ?? '', textOf([...tables, test])].join('\n'))
  }

  /** With what is defined elsewhere in the file and named there, however often that is named in turn. */
  function textOf(nodes: readonly Node[]): string {
    const seen = new Set<Node>(nodes)
    for (const node of seen) for (const name of namesIn(node)) for (const each of constants.get(name) ?? []) seen.add(each)
    return [...seen].map(({ start, end }) => source.slice(start, end)).join('\n')
  }

  function titleOf(node: Node): string {
    if (typeof node.value === 'string') return node.value
    if (node.type === 'TemplateLiteral') return source.slice(node.start + 1, node.end - 1)
    return `\${${source.slice(node.start, node.end)}}`
  }
}

/** A call of `test` or of its kind that has a title. */
function readCall(node: Node) {
  const name = node.type === 'CallExpression' ? calledName(node.callee) : null
  if (name === null || !CALLS.has(name) || !isNode(node.callee)) return null
  const [title, ...rest] = node.arguments as readonly unknown[]
  return isNode(title) && rest.length > 0 ? { title, rest, callee: node.callee, isGroup: name === 'describe' } : null
}

function isLoop(node: Node): node is Node & { readonly right: Node } {
  return node.type === 'ForOfStatement' && isNode(node.right)
}

/** `test` of `test('x')`, `test.each(rows)('x')` and `` test.each`...`('x') ``. */
function calledName(node: unknown): string | null {
  if (!isNode(node)) return null
  if (node.type === 'Identifier') return String(node.name)
  return calledName(node.object ?? node.callee ?? node.tag)
}

/** By name: what the variables of that name begin with. */
function readConstants(program: unknown): ReadonlyMap<string, readonly Node[]> {
  const constants = new Map<string, readonly Node[]>()
  for (const node of nodesIn(program)) {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || !isNode(node.init) || node.id.type !== 'Identifier') continue
    const name = String(node.id.name)
    constants.set(name, [...(constants.get(name) ?? []), node.init])
  }
  return constants
}

function namesIn(node: Node): ReadonlySet<string> {
  return new Set([...nodesIn(node)].filter(({ type }) => type === 'Identifier').map(({ name }) => String(name)))
}

function* nodesIn(value: unknown): Generator<Node> {
  if (isNode(value)) yield value
  if (typeof value !== 'object' || value === null) return
  for (const each of Object.values(value)) yield* nodesIn(each)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}
