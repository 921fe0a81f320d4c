// A plugin's manifest and every file of hooks it refers to. Paths are resolved against the plugin's root and never leave it; a file is read
// once, so that files that refer to each other end.
import { posix } from 'node:path'
import type { Diagnostic } from '../verdict/place.ts'
import type { DialectId } from './dialect.ts'
import { loadConfig } from './load-config.ts'
import type { LoadedConfig } from './loaded-config.ts'

export interface PluginOptions {
  readonly dialect?: DialectId
  /** Path of the manifest, relative to the plugin's root. */
  readonly manifest: string
  /** Reads a file by its path relative to the plugin's root; null: there is none. Links that leave the root are the reader's to refuse. */
  readonly read: (path: string) => string | Uint8Array | null
}

export interface LoadedPlugin {
  /** The manifest first, then each file that it leads to, by path from the root. */
  readonly files: ReadonlyMap<string, LoadedConfig>
  readonly diagnostics: readonly Diagnostic[]
}

/** Where a plugin's hooks are when its manifest names none. */
const DEFAULT_HOOKS = 'hooks/hooks.json'

export function loadPlugin({ manifest, read, dialect }: PluginOptions): LoadedPlugin {
  const files = new Map<string, LoadedConfig>()
  const diagnostics: Diagnostic[] = []
  const start = insideRoot(manifest)
  const queue = start === null ? [] : [start, DEFAULT_HOOKS]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (files.has(path)) continue
    const text = read(path)
    if (text === null) continue
    const config = loadConfig(text, { path, scope: 'plugin', ...(dialect === undefined ? {} : { dialect }) })
    files.set(path, config)
    diagnostics.push(...config.diagnostics)
    for (const reference of config.references) {
      const target = insideRoot(reference.path)
      const found =
        target === null ? null : ([target, posix.join(target, 'hooks.json')].find(candidate => read(candidate) !== null) ?? null)
      if (found !== null) queue.push(found)
      else diagnostics.push({ severity: 'warning', place: reference.place, message: problemOf(reference.path, target) })
    }
  }
  return { files, diagnostics }
}

/** Null where the path leads out of the plugin's root. */
function insideRoot(path: string): string | null {
  const slashed = path.replaceAll('\\', '/').replace(/^\$\{\w*PLUGIN_ROOT\}\//, './')
  if (slashed.startsWith('/') || slashed.startsWith('~') || /^[A-Za-z]:/.test(slashed)) return null
  const normal = posix.normalize(slashed)
  return normal === '..' || normal.startsWith('../') ? null : normal.replace(/\/$/, '')
}

function problemOf(path: string, target: string | null): string {
  return target === null ? `"${path}" leads out of the plugin and is not read` : `"${path}" is not in the plugin`
}
