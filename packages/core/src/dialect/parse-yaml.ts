// YAML text (genesis.key, frontmatter) -> tree. Aliases are followed, but a file that multiplies itself by them stays small.
import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument } from 'yaml'
import { type ConfigEntry, type ConfigNode, DEEPEST, makeObject, makeScalar, type Scalar, type TextProblem } from './config-node.ts'

export interface YamlTree {
  readonly root: ConfigNode | null
  readonly problems: readonly TextProblem[]
}

/** `base` is where the text begins in the file. */
export function parseYaml(text: string, base: number): YamlTree {
  const problems: TextProblem[] = []
  try {
    const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, strict: false, logLevel: 'silent' })
    const [error] = document.errors
    if (error !== undefined) return broken(base + error.pos[0], `not YAML: ${error.message}`)
    return { root: convert(document.contents, 0, { document, base, problems, nodesLeft: MAX_NODES, aliasesLeft: MAX_ALIASES }), problems }
  } catch (error) {
    // The parser recurses: nesting of tens of thousands of levels ends its stack.
    return broken(base, error instanceof RangeError ? 'nested too deeply to be read' : `not YAML: ${String(error)}`)
  }
}

const MAX_NODES = 200_000
/** Finding an alias' anchor costs a walk over the document. */
const MAX_ALIASES = 1000

interface Walk {
  readonly document: Document
  readonly base: number
  readonly problems: TextProblem[]
  nodesLeft: number
  aliasesLeft: number
}

function convert(node: unknown, depth: number, walk: Walk): ConfigNode {
  const at = offsetOf(node, walk) ?? walk.base
  walk.nodesLeft -= 1
  if (depth > DEEPEST || walk.nodesLeft < 0) return makeScalar(at, null)
  if (isAlias(node)) return convertAlias(node, at, depth, walk)
  if (isMap(node)) {
    const entries = node.items.map(pair => convertPair(pair, at, depth, walk))
    return makeObject(at, entries, walk.problems)
  }
  if (isSeq(node)) return { kind: 'array', at, items: node.items.map(item => convert(item, depth + 1, walk)) }
  return makeScalar(at, isScalar(node) ? plainScalar(node.value) : null)
}

function convertAlias(alias: Alias, at: number, depth: number, walk: Walk): ConfigNode {
  walk.aliasesLeft -= 1
  if (walk.aliasesLeft >= 0) return convert(alias.resolve(walk.document) ?? null, depth + 1, walk)
  if (walk.aliasesLeft === -1)
    walk.problems.push({ severity: 'warning', at, message: `more than ${MAX_ALIASES} aliases; the rest is not read` })
  return makeScalar(at, null)
}

function convertPair(pair: Pair, parentAt: number, depth: number, walk: Walk): ConfigEntry {
  const key = isScalar(pair.key) ? String(pair.key.value) : String(pair.key)
  return { key, at: offsetOf(pair.key, walk) ?? parentAt, value: convert(pair.value, depth + 1, walk) }
}

function offsetOf(node: unknown, walk: Walk): number | undefined {
  const range = (node as Node | null)?.range
  return range ? walk.base + range[0] : undefined
}

function plainScalar(value: unknown): Scalar {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return value === undefined ? null : String(value)
}

function broken(at: number, message: string): YamlTree {
  return { root: null, problems: [{ severity: 'error', at, message }] }
}
