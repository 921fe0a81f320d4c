// One guard per project, made anew when a file it was built from changes. A check costs a few `stat` calls, at most once in a while per
// project; a watcher may invalidate sooner. A policy that breaks is reported and the last good one stays (config/genesis.ts).

import type { HookEvent } from '@belay/core'
import { BoundedMap } from '@belay/core/value'
import type { LoadedPolicies } from '../config/genesis.ts'
import type { Project } from '../config/project.ts'
import { fingerprint } from '../disk/file-print.ts'
import type { GuardSources } from '../guard/load-guard.ts'
import type { ProjectGuard } from '../guard/project-guard.ts'
import type { Simulation } from '../guard/simulate.ts'

export interface GuardCache {
  /** The guard of the project that `directory` belongs to. */
  get(directory: string): ProjectEntry
  /** The guards that hold in `directory` beside that of the session's project: of projects entered since, and of folders nobody has trusted. */
  findEntered(directory: string, project: ProjectEntry): readonly ProjectGuard[]
  /** There is no policy and no hook of a person: whatever comes is recorded, and nothing is decided. */
  observesOnly(directory: string): boolean
  /** Something changed on disk: look again at the next call. */
  invalidate(): void
  readonly size: number
  /** A guard of policies that are not in force, for trying them; it is not kept. */
  build(loaded: LoadedPolicies): ProjectGuard
  /** The event through the hooks and rules in force, without anything happening. */
  simulate(directory: string, event: HookEvent): Promise<Simulation>
}

export interface ProjectEntry {
  readonly loaded: LoadedPolicies
  readonly sources: GuardSources
  readonly guard: ProjectGuard
}

export interface GuardCacheOptions {
  load(root: string): GuardSources
  build(sources: GuardSources): ProjectGuard
  /** The hooks that belong to policies that are only tried. */
  complete(loaded: LoadedPolicies): GuardSources
  simulate(sources: GuardSources, event: HookEvent): Promise<Simulation>
  /** The project that a directory belongs to, as it is now. */
  projectOf(directory: string): Project
  /** Every file that the guard of a root is built from, whether it is there or not; policies say which sources of hooks count. */
  watched(root: string, policies: LoadedPolicies['policies']): readonly string[]
  onLoaded(sources: GuardSources): void
  now: () => number
  /** How long files are taken to be unchanged without looking. */
  readonly freshMs: number
}

interface Kept extends ProjectEntry {
  readonly prints: ReadonlyMap<string, string>
  checkedAt: number
}

interface Place {
  readonly project: Project
  readonly checkedAt: number
}

const MAX_PROJECTS = 500
const MAX_PLACES = 5000
const NONE: readonly ProjectGuard[] = []

function printsOf(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(files.map(file => [file, fingerprint(file)]))
}

export function createGuardCache(options: GuardCacheOptions): GuardCache {
  const kept = new BoundedMap<string, Kept>(MAX_PROJECTS)
  const places = new BoundedMap<string, Place>(MAX_PLACES)

  function make(root: string): Kept {
    // Looked at before anything is read: what is written while we read must not pass for what we have read.
    const checkedAt = options.now()
    let prints = printsOf(options.watched(root, []))
    let sources = options.load(root)
    const watched = options.watched(root, sources.loaded.policies)
    if (watched.some(file => !prints.has(file))) {
      prints = printsOf(watched)
      sources = options.load(root)
    }
    options.onLoaded(sources)
    const made = { loaded: sources.loaded, sources, guard: options.build(sources), prints, checkedAt }
    kept.set(root, made)
    return made
  }

  function placeOf(directory: string): Project {
    const known = places.get(directory)
    const now = options.now()
    if (known !== undefined && now - known.checkedAt < options.freshMs) return known.project
    const project = options.projectOf(directory)
    places.set(directory, { project, checkedAt: now })
    return project
  }

  function at(root: string): Kept {
    const known = kept.get(root)
    if (known === undefined) return make(root)
    const now = options.now()
    if (now - known.checkedAt < options.freshMs) return known
    for (const [file, print] of known.prints) if (fingerprint(file) !== print) return make(root)
    known.checkedAt = now
    return known
  }

  const get = (directory: string): Kept => at(placeOf(directory).root)

  return {
    get,
    findEntered(directory, { loaded }) {
      if (directory === loaded.root) return NONE
      const { root, inner } = placeOf(directory)
      const isHome = root === loaded.root
      if (isHome && inner === null) return NONE
      return [...(isHome ? [] : [at(root).guard]), ...(inner === null ? [] : [at(inner).guard])]
    },
    observesOnly: directory => get(directory).sources.observesOnly,
    invalidate() {
      places.clear()
      for (const entry of kept.values()) entry.checkedAt = Number.NEGATIVE_INFINITY
    },
    build: loaded => options.build(options.complete(loaded)),
    simulate: (directory, event) => options.simulate(get(directory).sources, event),
    get size() {
      return kept.size
    },
  }
}
