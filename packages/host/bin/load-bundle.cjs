// Loads the bundle's files with the code cache that the build left beside them, which spares V8 reading and compiling the source.
// A cache of another V8 is not looked for, one that V8 refuses is ignored: the source is always there.
'use strict'
const { existsSync, readFileSync } = require('node:fs')
const nodeModule = require('node:module')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

/** The exports of a file of the bundle. `onScript` learns of every file and its compiled script; the build writes the caches so. */
function loadBundle(entry, onScript) {
  if (onScript === undefined && !existsSync(cacheFile(entry)) && keepCompiled()) return require(entry)
  const modules = new Map()
  const load = file => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const script = compile(file)
    onScript?.(file, script)
    const folder = dirname(file)
    const requireFrom = id => (id.startsWith('.') ? load(join(folder, id)) : require(id))
    script.runInThisContext()(module.exports, requireFrom, module, file, folder)
    return module.exports
  }
  return load(entry)
}

function compile(file) {
  const source = readFileSync(file, 'utf8')
  const cachedData = readCache(file)
  return new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    ...(cachedData !== null && { cachedData }),
  })
}

function readCache(file) {
  try {
    return readFileSync(cacheFile(file))
  } catch {
    return null
  }
}

function cacheFile(file) {
  return `${file}.v8-${process.versions.v8}-${process.arch}`
}

/** Newer Nodes keep what they compiled themselves: in Belay's own folder, once there is one. */
function keepCompiled() {
  if (nodeModule.enableCompileCache === undefined) return false
  const home = process.env.BELAY_HOME || join(process.env.HOME || require('node:os').homedir(), '.belay')
  if (existsSync(home)) nodeModule.enableCompileCache(join(home, 'cache'))
  return true
}

module.exports = { cacheFile, loadBundle }
