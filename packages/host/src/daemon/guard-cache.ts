// One guard per project, made anew when a file it was built from changes. A look at its files is a dozen `stat` calls, which take longer than
// most decisions: while agents are at work in a project it is done between their calls. A policy that breaks is reported and the last good one
// stays (config/genesis.ts).
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
  /** Nobody looks at files between calls any more. */
  close(): void
}

export interface ProjectEntry {
  readonly loaded: LoadedPolicies
  readonly guard: ProjectGuard
}

export interface GuardCacheOptions {
  load(directory: string): LoadedPolicies
  build(loaded: LoadedPolicies): ProjectGuard
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
  usedAt: number
}

const MOST_PROJECTS = 500
/** So long after a call its agent is taken to be at work. */
const AT_WORK_MS = 30_000
/** Its files are looked at again when this much of their time is over. */
const SOON_STALE = 3 / 4

export function createGuardCache(options: GuardCacheOptions): GuardCache {
  const kept = new Map<string, Kept>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function make(directory: string): Kept {
    // Looked at before anything is read: what is written while we read must not pass for what we have read.
    const checkedAt = options.now()
    const root = options.rootOf(directory)
    const prints = new Map(options.watched(root).map(file => [file, fingerprint(file)]))
    const loaded = options.load(directory)
    options.onLoaded(loaded)
    const made = { root, loaded, guard: options.build(loaded), prints, checkedAt, usedAt: kept.get(directory)?.usedAt ?? checkedAt }
    if (kept.size >= MOST_PROJECTS) kept.clear()
    kept.set(directory, made)
    return made
  }

  function hasChanged({ root, prints }: Kept, directory: string): boolean {
    return options.rootOf(directory) !== root || [...prints].some(([file, print]) => fingerprint(file) !== print)
  }

  function look(known: Kept, directory: string, now: number): Kept {
    if (hasChanged(known, directory)) return make(directory)
    known.checkedAt = now
    return known
  }

  function lookBetweenCalls(): void {
    if (!isClosed) timer ??= setTimeout(lookAround, options.freshMs * SOON_STALE).unref()
  }

  function lookAround(): void {
    timer = undefined
    const now = options.now()
    for (const [directory, known] of kept) {
      if (now - known.usedAt > AT_WORK_MS) continue
      lookBetweenCalls()
      try {
        look(known, directory, now)
      } catch {
        // The next call looks again, and says what is wrong.
        known.checkedAt = Number.NEGATIVE_INFINITY
      }
    }
  }

  function find(directory: string, now: number): Kept {
    const known = kept.get(directory)
    if (known === undefined) return make(directory)
    return now - known.checkedAt < options.freshMs ? known : look(known, directory, now)
  }

  return {
    get(directory) {
      const now = options.now()
      const found = find(directory, now)
      found.usedAt = now
      lookBetweenCalls()
      return found
    },
    invalidate() {
      for (const entry of kept.values()) entry.checkedAt = Number.NEGATIVE_INFINITY
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
    build: options.build,
    get size() {
      return kept.size
    },
  }
}
