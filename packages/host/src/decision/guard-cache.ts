// One guard per project, made anew by the first call after a file it was built from has changed: each call looks at these files, a `stat`
// for each; calls that begin together look once. A policy that breaks is reported and the last good one stays (config/genesis.ts).

import type { HookEvent } from '@belay/core'
import { BoundedMap } from '@belay/core/value'
import type { LoadedPolicies } from '../config/genesis.ts'
import type { Project } from '../config/project.ts'
import { type FilePrints, takePrints } from '../disk/file-prints.ts'
import { countWants } from '../disk/read-want.ts'
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
  /** Folders that change when a directory may belong to another project, beside what the guard of this one is built from. */
  signsOf(directory: string, project: Project): readonly string[]
  /** Calls that begin in the same turn were all sent before it: one look holds for all of them. Null: each looks for itself. */
  readonly turn: { readonly current: number | null }
  now: () => number
  /** How long a directory is taken to belong to the same project while its signs are as they were. */
  readonly freshMs: number
}

interface Looked {
  readonly prints: FilePrints
  /** The turn in which somebody last saw that nothing has changed. */
  seenIn: number | null
}

interface Kept extends ProjectEntry, Looked {}

interface Place extends Looked {
  readonly project: Project
  readonly checkedAt: number
}

const MAX_PROJECTS = 500
const MAX_PLACES = 5000
const NONE: readonly ProjectGuard[] = []

export function createGuardCache(options: GuardCacheOptions): GuardCache {
  const kept = new BoundedMap<string, Kept>(MAX_PROJECTS)
  const places = new BoundedMap<string, Place>(MAX_PLACES)
  const { turn } = options
  let loads = 0

  function isSame(looked: Looked): boolean {
    const { current } = turn
    if (current !== null && looked.seenIn === current) return true
    if (!looked.prints.areSame()) return false
    looked.seenIn = current
    return true
  }

  function make(root: string): Kept {
    // Looked at before anything is read: what is written while we read must not pass for what we have read.
    const wants = countWants()
    let prints = takePrints(options.watched(root, []))
    let sources = options.load(root)
    const watched = options.watched(root, sources.loaded.policies)
    if (watched.some(file => !prints.has(file))) {
      prints = takePrints(watched)
      sources = options.load(root)
    }
    loads++
    places.clear()
    const made = { loaded: sources.loaded, sources, guard: options.build(sources), prints, seenIn: null }
    // What could not be read for want of descriptors is not known to have changed: what held holds, and the next call reads again.
    if (countWants() !== wants) return kept.get(root) ?? made
    options.onLoaded(sources)
    kept.set(root, made)
    return made
  }

  function placeOf(directory: string): Project {
    const known = places.get(directory)
    const now = options.now()
    if (known !== undefined && now - known.checkedAt < options.freshMs && isSame(known)) return known.project
    const project = options.projectOf(directory)
    // What appears before these are taken counts from the next look on, which is this one.
    const prints = takePrints(options.signsOf(directory, project))
    const again = options.projectOf(directory)
    if (again.root === project.root && again.inner === project.inner)
      places.set(directory, { project, prints, checkedAt: now, seenIn: null })
    return again
  }

  function at(root: string): Kept {
    const known = kept.get(root)
    return known !== undefined && isSame(known) ? known : make(root)
  }

  function get(directory: string): Kept {
    const before = loads
    const found = at(placeOf(directory).root)
    if (loads === before) return found
    // What is trusted may have changed, and with it what belongs to which project.
    const again = at(placeOf(directory).root)
    // Read after every call of this turn was sent.
    again.seenIn = turn.current
    return again
  }

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
    build: loaded => options.build(options.complete(loaded)),
    simulate: (directory, event) => options.simulate(get(directory).sources, event),
    get size() {
      return kept.size
    },
  }
}
