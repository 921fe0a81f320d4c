// Loads the bundle's files with the code cache that the build left, which spares V8 reading and compiling the source.
// A cache of another V8 is not looked for, one that V8 refuses is ignored: the source is always there.
// V8 compares no more than the length of a source with its cache: only files whose name has a hash of their content have one.
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const nodeModule = require('node:module')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** The exports of the bundle's entry. `onScript` learns of every file and its compiled script: so the build makes the cache. */
function loadBundle(entry, onScript) {
  const cache = cacheFolder(entry)
  if (!existsSync(cache) && onScript === undefined && keepCompiled()) return require(entry)
  const modules = new Map()
  const load = file => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const script = compile(file, join(cache, basename(file)))
    onScript?.(file, script)
    const folder = dirname(file)
    const requireFrom = id => (id.startsWith('.') ? load(join(folder, id)) : require(id))
    script.runInThisContext()(module.exports, requireFrom, module, file, folder)
    return module.exports
  }
  return load(entry)
}

function compile(file, cacheFile) {
  const source = `(function (exports, require, module, __filename, __dirname) {${readFileSync(file, 'utf8')}\n})`
  const cachedData = readCache(cacheFile)
  return new Script(source, cachedData === null ? { filename: file } : { filename: file, cachedData })
}

function readCache(file) {
  try {
    return readFileSync(file)
  } catch {
    return null
  }
}

function cacheFolder(entry) {
  return join(dirname(entry), `code-v8-${process.versions.v8}-${process.arch}`)
}

/** Newer Nodes keep what they compiled themselves: in Belay's own folder, once there is one. */
function keepCompiled() {
  if (nodeModule.enableCompileCache === undefined) return false
  const home = process.env.BELAY_HOME || join(process.env.HOME || require('node:os').homedir(), '.belay')
  if (existsSync(home)) nodeModule.enableCompileCache(join(home, 'cache'))
  return true
}

module.exports = { cacheFolder, loadBundle }
