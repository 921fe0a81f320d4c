// Loads the bundle's files with the code cache that the build left, which spares V8 reading and compiling the source. What is loaded together
// lies together in a pack, source and compiled code: opening a hundred files takes longer than reading them.
// A pack of another V8 is not looked for, a part that is not whole is not used, code that V8 refuses is ignored: the source is always there.
// V8 compares no more than the length of a source with its code: only files whose name has a hash of their content are packed. It runs code
// with wrong bytes as it is: what judges is compared with its sum first.
// Of a pack only the part of one file is held, and no longer than V8 reads it: whoever goes on running would hold megabytes.
'use strict'
const { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } = require('node:fs')
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
    const folder = dirname(file)
    const requireFrom = id => (id.startsWith('.') ? load(join(folder, id)) : require(id))
    compile(file).runInThisContext()(module.exports, requireFrom, module, file, folder)
    return module.exports
  }
  const compile = file => {
    const { source, cachedData } = findPacked(basename(file)) ?? { source: HEAD + readFileSync(file, 'utf8') + TAIL }
    const script = new Script(source, { filename: file, cachedData })
    onScript?.(file, source, script)
    return script
  }
  return load(entry)
}

/** Which pack a file is in, and where. Null: the build left nothing for this V8. */
function readIndex(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, 'index.json'), 'latin1'))
  } catch {
    return null
  }
}

/** A file is its source, which is ASCII, and its code behind it. Packs are open until everything is loaded that is loaded at once. */
function openPacks(folder, { packs, files }) {
  const open = new Map()
  const closeAll = () => {
    for (const descriptor of open.values()) if (descriptor !== null) closeSync(descriptor)
    open.clear()
  }
  const openPack = name => {
    if (open.has(name)) return open.get(name)
    if (open.size === 0) setImmediate(closeAll)
    const descriptor = openWhole(join(folder, name), packs[name])
    open.set(name, descriptor)
    return descriptor
  }
  return file => {
    if (!Object.hasOwn(files, file)) return null
    const [name, at, sourceSize, size, sum] = files[file]
    const descriptor = openPack(name)
    const bytes = descriptor === null || at + size > packs[name] ? null : readPart(descriptor, at, size)
    if (bytes === null || (sum !== null && sumOf(bytes) !== sum)) return null
    const source = bytes.latin1Slice(0, sourceSize)
    // V8 copies code that does not begin at a multiple of eight bytes.
    return source.startsWith(HEAD) && source.endsWith(TAIL) ? { source, cachedData: bytes.subarray((sourceSize + 7) & ~7) } : null
  }
}

/** Null: it is not there, or not whole. */
function openWhole(file, size) {
  try {
    const descriptor = openSync(file, 'r')
    if (fstatSync(descriptor).size === size) return descriptor
    closeSync(descriptor)
    return null
  } catch {
    return null
  }
}

function readPart(descriptor, at, size) {
  try {
    const bytes = Buffer.allocUnsafeSlow(size)
    return readSync(descriptor, bytes, 0, size, at) === size ? bytes : null
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
