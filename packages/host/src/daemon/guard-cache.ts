// One guard per project, made anew when a file it was built from changes. A check costs a few `stat` calls, at most once in a while per
// project; a watcher may invalidate sooner. A policy that breaks is reported and the last good one stays (config/genesis.ts).
import type { LoadedPolicies } from '../config/genesis.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { fingerprint } from './file-print.ts'

export interface GuardCache {
  /** The guard of the project that `directory` belongs to. */
  get(directory: string): ProjectEntry
  /** Something changed on disk: look again at the next call. */
  invalidate(): void
  readonly size: number
  /** A guard of policies that are not in force, for trying them; it is not kept. */
  build(loaded: LoadedPolicies): ProjectGuard
}

export interface ProjectEntry {
  readonly loaded: LoadedPolicies
  readonly guard: ProjectGuard
}

export interface GuardCacheOptions {
  load(directory: string): LoadedPolicies
  build(loaded: LoadedPolicies): ProjectGuard
  /** Files besides the policies that the guard of a root is built from (hooks.toml, trust). */
  watched(loaded: LoadedPolicies): readonly string[]
  onLoaded(loaded: LoadedPolicies): void
  now: () => number
  /** How long files are taken to be unchanged without looking. */
  readonly freshMs: number
}

interface Kept extends ProjectEntry {
  readonly prints: ReadonlyMap<string, string>
  checkedAt: number
}

const MOST_PROJECTS = 500

export function createGuardCache(options: GuardCacheOptions): GuardCache {
  const kept = new Map<string, Kept>()

  function make(directory: string): Kept {
    const loaded = options.load(directory)
    options.onLoaded(loaded)
    const files = [...loaded.files.map(file => file.path), ...options.watched(loaded)]
    const made = {
      loaded,
      guard: options.build(loaded),
      prints: new Map(files.map(file => [file, fingerprint(file)])),
      checkedAt: options.now(),
    }
    if (kept.size >= MOST_PROJECTS) kept.clear()
    kept.set(directory, made)
    return made
  }

  return {
    get(directory) {
      const known = kept.get(directory)
      if (known === undefined) return make(directory)
      const now = options.now()
      if (now - known.checkedAt < options.freshMs) return known
      if ([...known.prints].some(([file, print]) => fingerprint(file) !== print)) return make(directory)
      known.checkedAt = now
      return known
    },
    invalidate() {
      for (const entry of kept.values()) entry.checkedAt = 0
    },
    build: options.build,
    get size() {
      return kept.size
    },
  }
}
