// Instruments our sources while they are bundled: every function says that it was entered. What the way of one call really is can then be read
// off, in order. V8's own coverage tells which functions ran, but not who called them.
import { relative } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])
const NAMING = new Set(['Property', 'MethodDefinition', 'PropertyDefinition'])

/** Names are `core/src/policy/judge.ts#judge`, from the folder `packages`. Each entry calls `globalThis.traceEntry` where there is one. */
export function tracePlugin(packages) {
  return {
    name: 'trace',
    transform(code, id) {
      if (!id.startsWith(packages) || !id.endsWith('.ts')) return null
      const inserts = []
      const ast = parseAst(code, { lang: 'ts' })
      visit(ast, { parent: null, around: 'module' }, (node, name) => inserts.push(...entryOf(node, `${relative(packages, id)}#${name}`)))
      return { code: insertAll(code, inserts), map: null }
    },
  }
}

/** Calls `found` for every function with its name: its own, that of its variable, key or method, else that of the function around it. */
function visit(node, { parent, around }, found) {
  if (Array.isArray(node)) {
    for (const each of node) visit(each, { parent, around }, found)
    return
  }
  if (node === null || typeof node !== 'object' || typeof node.type !== 'string') return
  const isFunction = FUNCTIONS.has(node.type) && node.body
  const name = isFunction ? nameOf(node, parent) : null
  if (isFunction) found(node, name ?? around)
  for (const value of Object.values(node)) visit(value, { parent: node, around: name ?? around }, found)
}

function nameOf(node, parent) {
  if (node.id?.name) return node.id.name
  if (parent?.type === 'VariableDeclarator' && parent.id.name) return parent.id.name
  return NAMING.has(parent?.type) && parent.key.name ? parent.key.name : null
}

function entryOf({ body }, name) {
  const call = `globalThis.traceEntry?.(${JSON.stringify(name)})`
  if (body.type === 'BlockStatement') return [{ at: body.start + 1, text: `${call};` }]
  return [
    { at: body.start, text: `(${call},` },
    { at: body.end, text: ')' },
  ]
}

function insertAll(code, inserts) {
  let traced = ''
  let at = 0
  // In a stable order: where two stand at one place, the outer function was found first.
  for (const insert of [...inserts].sort((a, b) => a.at - b.at)) {
    traced += code.slice(at, insert.at) + insert.text
    at = insert.at
  }
  return traced + code.slice(at)
}
