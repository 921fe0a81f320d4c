// npm run graph [-- PACKAGE] [--files]: which folder imports which, how many come in and go out, and every cycle among them; in brackets where
// only types are imported. Ends with 1 where folders import each other in a circle (by value; in core and dashboard by type too), where files
// do (by value), where a folder imports one that does not stand before it, or where ARCHITECTURE.md does not say what a folder decides.
// `-- --write` writes the order into biome.json.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { listFiles, root } from './lib/ensure.mjs'
import { forbiddenFor, LAYERS } from './lib/layers.mjs'
import { hasLintRules, writeLintRules } from './lib/lint-layers.mjs'

const args = process.argv.slice(2)
const wanted = args.filter(arg => !arg.startsWith('--'))
const showsFiles = args.includes('--files')
if (args.includes('--write')) writeLintRules()

/** Imports of one file: where they lead, and whether only types come from there. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8')
  const found = []
  for (const [, words, from] of text.matchAll(/^(?:import|export)\s+((?:type\s+)?(?:[\w*$\s{},]|as)+?)\s+from\s+'([^']+)'/gm))
    found.push({ from, isType: onlyTypes(words) })
  for (const [, from] of text.matchAll(/^import\s+'([^']+)'/gm)) found.push({ from, isType: false })
  for (const [, from] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) found.push({ from, isType: false, isLate: true })
  return found.filter(({ from }) => from.startsWith('.'))
}

function onlyTypes(words) {
  if (/^type\s/.test(words)) return true
  const inside = /^\{([^}]*)\}$/.exec(words.trim())?.[1]
  return inside?.split(',').every(word => word.trim() === '' || /^type\s/.test(word.trim())) === true
}

/** The first folder below `src`; a file of `src` itself is a folder of its own, called by its name. */
function folderOf(source, file) {
  const path = relative(source, file)
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : path
}

function readEdges(source) {
  const edges = new Map()
  const files = listFiles(source, path => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path) && !path.includes('/fixtures/'))
  for (const file of files) {
    for (const { from, isType } of importsOf(file)) {
      const [one, other] = [folderOf(source, file), folderOf(source, join(dirname(file), from))]
      if (one === other) continue
      const key = `${one} ${other}`
      const edge = edges.get(key) ?? { one, other, values: 0, types: 0, files: [] }
      edge[isType ? 'types' : 'values']++
      edge.files.push(`${relative(source, file)} -> ${relative(source, join(dirname(file), from))}${isType ? ' (type)' : ''}`)
      edges.set(key, edge)
    }
  }
  return [...edges.values()]
}

/** Between all files, tests and scripts too. What is loaded only when it is needed makes no circle. */
function readFileEdges() {
  const isCode = path => /\.(?:tsx?|mjs|cjs)$/.test(path)
  const files = ['packages', 'e2e', 'examples', 'scripts', 'bench'].flatMap(folder => listFiles(join(root, folder), isCode))
  return files.flatMap(file =>
    importsOf(file)
      .filter(({ isType, isLate }) => !isType && !isLate)
      .map(({ from }) => ({ one: relative(root, file), other: relative(root, join(dirname(file), from)) })),
  )
}

/** Groups of folders, or of files, that reach each other (Tarjan). */
function findCycles(edges) {
  const next = new Map()
  for (const { one, other } of edges) next.set(one, [...(next.get(one) ?? []), other])
  const state = new Map()
  const stack = []
  const cycles = []
  let count = 0
  const visit = at => {
    const own = { index: count, low: count++, isOpen: true }
    state.set(at, own)
    stack.push(at)
    for (const to of next.get(at) ?? []) {
      if (!state.has(to)) visit(to)
      const there = state.get(to)
      if (there.isOpen) own.low = Math.min(own.low, there.low)
    }
    if (own.low !== own.index) return
    const group = stack.splice(stack.indexOf(at))
    for (const each of group) state.get(each).isOpen = false
    if (group.length > 1) cycles.push(group.sort())
  }
  for (const at of next.keys()) if (!state.has(at)) visit(at)
  return cycles
}

let faults = 0
function fault(text) {
  faults++
  console.log(`  FAULT ${text}`)
}

for (const [name, { order, typesToo }] of Object.entries(LAYERS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const edges = readEdges(join(root, 'packages', name, 'src'))
  const folders = [...new Set(edges.flatMap(({ one, other }) => [one, other]))].sort()
  console.log(`\n${name}`)
  for (const folder of folders) {
    const into = edges.filter(({ other }) => other === folder).length
    const out = edges.filter(({ one }) => one === folder).map(({ other, values }) => (values > 0 ? other : `(${other})`))
    console.log(`  ${folder.padEnd(18)} in ${String(into).padStart(2)}  out ${String(out.length).padStart(2)}  ${out.sort().join(' ')}`)
  }
  for (const cycle of findCycles(edges.filter(({ values }) => values > 0))) fault(`cycle: ${cycle.join(' ')}`)
  if (typesToo) for (const cycle of findCycles(edges)) fault(`cycle, types included: ${cycle.join(' ')}`)
  for (const folder of folders) if (!order.flat().includes(folder)) fault(`${folder} has no place in scripts/lib/layers.mjs`)
  for (const { one, other, values, files } of edges) {
    if ((values === 0 && !typesToo) || !forbiddenFor(order, one).includes(other)) continue
    fault(`${one} imports ${other}, which does not stand before it`)
    if (showsFiles) for (const file of files) console.log(`        ${file}`)
  }
}
if (wanted.length === 0) for (const cycle of findCycles(readFileEdges())) fault(`files import each other: ${cycle.join(' ')}`)
const described = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
for (const [name, { order }] of Object.entries(LAYERS)) {
  for (const folder of order.flat().filter(each => !each.includes('.'))) {
    if (!described.includes(`](packages/${name}/src/${folder})`))
      fault(`ARCHITECTURE.md does not say what packages/${name}/src/${folder} decides`)
  }
}
for (const [, name, folder] of described.matchAll(/\]\(packages\/(\w+)\/src\/([\w-]+)\)/g)) {
  if (LAYERS[name] !== undefined && !LAYERS[name].order.flat().includes(folder))
    fault(`ARCHITECTURE.md names packages/${name}/src/${folder}, which has no place in the order`)
}
if (!hasLintRules()) fault('biome.json has other rules than scripts/lib/layers.mjs: npm run graph -- --write')
console.log(faults === 0 ? '\nNo cycles; every folder imports only what stands before it.' : `\n${faults} faults`)
process.exit(faults === 0 ? 0 : 1)
