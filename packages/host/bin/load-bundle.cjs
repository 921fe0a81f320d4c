// Loads the bundle's files with the code cache that the build left, which spares V8 reading and compiling the source. What is loaded together
// lies together in a pack, source and compiled code: opening a hundred files takes longer than reading them.
// A pack of another V8 is not looked for, one that is not whole is not used, code that V8 refuses is ignored: the source is always there.
// V8 compares no more than the length of a source with its code: only files whose name has a hash of their content are packed. It runs code
// with wrong bytes as it is: what judges is compared with its sum first.
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')

const HEAD = '(function (exports, require, module, __filename, __dirname) {'
const TAIL = '\n})'

/** The exports of the bundle's entry. `onScript` learns of every file, its text and its compiled script: so the build makes the packs. */
function loadBundle(entry, onScript) {
  const folder = cacheFolder(entry)
  const packed = readIndex(folder)
  if (packed === null && onScript === undefined && keepCompiled()) return require(entry)
  const findPacked = packed === null ? () => null : openPacks(folder, packed)
  const modules = new Map()
  const load = file => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const { source, cachedData } = findPacked(basename(file)) ?? { source: HEAD + readFileSync(file, 'utf8') + TAIL }
    const script = new Script(source, { filename: file, cachedData })
    onScript?.(file, source, script)
    const folder = dirname(file)
    const requireFrom = id => (id.startsWith('.') ? load(join(folder, id)) : require(id))
    script.runInThisContext()(module.exports, requireFrom, module, file, folder)
    return module.exports
  }
  return load(entry)
}

/** Which pack a file is in, and where its source and its code begin and end there. Null: the build left nothing for this V8. */
function readIndex(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'index.json'), 'latin1'))
  } catch {
    return null
  }
}

/** Sources first, all of them ASCII, then code. A pack is held weakly: whoever goes on running does not need it any more. */
function openPacks(folder, { packs, files }) {
  const open = new Map()
  const read = name => {
    const before = open.get(name)?.deref()
    if (before !== undefined) return before
    const { sourceSize, size, sum } = packs[name] ?? {}
    const bytes = readBytes(join(folder, name))
    const isWhole = bytes !== null && bytes.length === size && (sum === null || sumOf(bytes) === sum)
    const pack = isWhole ? { bytes, text: bytes.latin1Slice(0, sourceSize) } : NO_PACK
    open.set(name, new WeakRef(pack))
    return pack
  }
  return file => {
    if (!Object.hasOwn(files, file)) return null
    const [name, sourceAt, sourceEnd, codeAt, codeEnd] = files[file]
    const { bytes, text } = read(name)
    const source = text.slice(sourceAt, sourceEnd)
    return source.startsWith(HEAD) && source.endsWith(TAIL) ? { source, cachedData: bytes.subarray(codeAt, codeEnd) } : null
  }
}

const NO_PACK = { bytes: null, text: '' }

/** Null: it is not there. */
function readBytes(file) {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

/** Null: this Node cannot tell. Loaded only here: a client that finds its daemon judges nothing. */
function sumOf(bytes) {
  return require('node:zlib').crc32?.(bytes) ?? null
}

function cacheFolder(entry) {
  return join(dirname(entry), `code-v8-${process.versions.v8}-${process.arch}`)
}

/** Newer Nodes keep what they compiled themselves: in Belay's own folder, once there is one. */
function keepCompiled() {
  const nodeModule = require('node:module')
  if (nodeModule.enableCompileCache === undefined) return false
  const home = process.env.BELAY_HOME || join(process.env.HOME || require('node:os').homedir(), '.belay')
  if (existsSync(home)) nodeModule.enableCompileCache(join(home, 'cache'))
  return true
}

module.exports = { cacheFolder, loadBundle, sumOf }
