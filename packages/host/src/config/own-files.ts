// Where this very Belay lies: agents may read it, never change it. Beside it what runs it and what it loads: a change of those asks.
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The package that this code belongs to, from the sources or from the bundle. */
export function findPackage(): string {
  const folder = ownPackage()
  if (folder === null) throw new Error(`the hook clients' sources are missing beside ${import.meta.dirname}: install Belay again`)
  return folder
}

let own: string | null = null

/** It stays where it is while it runs. */
function ownPackage(): string | null {
  own ??= packageAbove(import.meta.dirname)
  return own
}

function packageAbove(from: string): string | null {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'bin', 'belay.cjs')) && existsSync(join(folder, 'native', 'shim.c'))) return folder
    if (dirname(folder) === folder) return null
  }
}

let found: readonly string[] | null = null

/**
 * An installed package whole, with the links that start it. Of a checkout only what runs: whoever works on Belay changes its sources, and
 * those do nothing before they are built.
 */
export function ownFiles(): readonly string[] {
  found ??= listOwnFiles(ownPackage())
  return found
}

export function listOwnFiles(folder: string | null): readonly string[] {
  if (folder === null) return []
  const at = folder.lastIndexOf('/node_modules/')
  if (at < 0) return ['bin', 'dist', 'native'].map(name => join(folder, name))
  const links = join(folder.slice(0, at), 'node_modules', '.bin')
  return [folder, join(links, 'belay'), join(links, 'mentu')]
}

let needed: readonly string[] | null = null

/** What the hook line and the clients start with. */
const SYSTEM_FILES = ['/bin/sh', '/usr/bin/perl', '/etc/ld.so.preload']

/** The interpreter, and the libraries that Node finds for this package, with every nearer place where it would take another of that name. */
export function neededFiles(): readonly string[] {
  const folder = ownPackage()
  needed ??= [process.execPath, ...SYSTEM_FILES, ...(folder === null ? [] : listLibraries(folder))]
  return needed
}

export function listLibraries(folder: string): readonly string[] {
  const places = new Set<string>()
  const seen = new Set<string>()
  const waiting = [folder]
  for (let from = waiting.shift(); from !== undefined; from = waiting.shift()) {
    if (seen.has(from)) continue
    seen.add(from)
    for (const name of readDependencies(from)) {
      const tried = searchPlaces(from, name)
      const at = tried.findIndex(place => existsSync(place))
      if (at < 0) continue
      for (const place of tried.slice(0, at + 1)) places.add(place)
      waiting.push(realpathSync(tried[at] as string))
    }
  }
  return [...places]
}

/** Also those that one machine has and another has not. */
function readDependencies(folder: string): readonly string[] {
  try {
    const { dependencies = {}, optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return Object.keys({ ...dependencies, ...optionalDependencies })
  } catch {
    // A library without a description has none.
    return []
  }
}

/** Where Node looks, one after the other. */
function searchPlaces(from: string, name: string): readonly string[] {
  const places: string[] = []
  for (let folder = from; ; folder = dirname(folder)) {
    if (basename(folder) !== 'node_modules') places.push(join(folder, 'node_modules', name))
    if (dirname(folder) === folder) return places
  }
}
