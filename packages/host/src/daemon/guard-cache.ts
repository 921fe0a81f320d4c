// One guard per project, made anew when a file it was built from changes. A check costs a few `stat` calls, at most once in a while per
// project; a watcher may invalidate sooner. A policy that breaks is reported and the last good one stays (config/genesis.ts).
import type { LoadedPolicies } from '../config/genesis.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import { fingerprint } from './file-print.ts'

export interface GuardCache {
  /** The guard of the project that `directory` belongs to. */
  get(directory: string): ProjectEntry
  /** There is no policy and no hook of a person: whatever comes is recorded, and nothing is decided. */
  observesOnly(directory: string): boolean
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
  observesOnly(loaded: LoadedPolicies): boolean
  /** The project that a directory belongs to, as it is now. */
  rootOf(directory: string): string
  /** Every file that the guard of a root is built from, whether it is there or not. */
  watched(root: string): readonly string[]
  onLoaded(loaded: LoadedPolicies): void
  now: () => number
  /** How long files are taken to be unchanged without looking. */
  readonly freshMs: number
}

interface Kept extends ProjectEntry {
  readonly root: string
  readonly prints: ReadonlyMap<string, string>
  checkedAt: number
}

const MOST_PROJECTS = 500

export function createGuardCache(options: GuardCacheOptions): GuardCache {
  const kept = new Map<string, Kept>()

  function make(directory: string): Kept {
    // Looked at before anything is read: what is written while we read must not pass for what we have read.
    const checkedAt = options.now()
    const root = options.rootOf(directory)
    const prints = new Map(options.watched(root).map(file => [file, fingerprint(file)]))
    const loaded = options.load(directory)
    options.onLoaded(loaded)
    const made = { root, loaded, guard: options.build(loaded), prints, checkedAt }
    if (kept.size >= MOST_PROJECTS) kept.clear()
    kept.set(directory, made)
    return made
  }

  function hasChanged({ root, prints }: Kept, directory: string): boolean {
    return options.rootOf(directory) !== root || [...prints].some(([file, print]) => fingerprint(file) !== print)
  }

  function get(directory: string): Kept {
    const known = kept.get(directory)
    if (known === undefined) return make(directory)
    const now = options.now()
    if (now - known.checkedAt < options.freshMs) return known
    if (hasChanged(known, directory)) return make(directory)
    known.checkedAt = now
    return known
  }

  return {
    get,
    observesOnly: directory => options.observesOnly(get(directory).loaded),
    invalidate() {
      for (const entry of kept.values()) entry.checkedAt = 0
    },
    build: options.build,
    get size() {
      return kept.size
    },
  }
}
