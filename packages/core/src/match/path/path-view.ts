// A path as rules see it: from the root, from the home, by its name. Worked out once for a path, however many rules ask.
import { below, type PathAnchors, spellPath } from './path-anchors.ts'
import type { ResolvedPath } from './resolve-path.ts'

export interface PathPlace {
  readonly absolute: string
  /** Below the root or the home, `''` for that directory itself; null elsewhere. */
  readonly inRoot: string | null
  readonly inHome: string | null
  /** The names below the root; empty outside. */
  readonly segments: readonly string[]
  /** The last of them. */
  readonly name: string | null
}

export interface PathView {
  readonly lexical: PathPlace
  /** The same object where the path holds no link. */
  readonly real: PathPlace | null
  readonly anchors: PathAnchors
}

export function viewPath(path: ResolvedPath, anchors: PathAnchors): PathView {
  const lexical = placeOf(path.lexical, anchors)
  if (path.real === path.lexical) return { lexical, real: lexical, anchors }
  return { lexical, real: path.real === null ? null : placeOf(path.real, anchors), anchors }
}

function placeOf(path: string, anchors: PathAnchors): PathPlace {
  return new Place(spellPath(path, anchors.caseInsensitive), anchors)
}

/** Most paths are told by how they begin: their names are taken apart for the few rules that ask. */
class Place implements PathPlace {
  readonly absolute: string
  readonly inRoot: string | null
  readonly inHome: string | null
  #segments: readonly string[] | null = null

  constructor(absolute: string, { root, realRoot, home, realHome }: PathAnchors) {
    this.absolute = absolute
    this.inRoot = below(absolute, root) ?? below(absolute, realRoot)
    this.inHome = below(absolute, home) ?? below(absolute, realHome)
  }

  get segments(): readonly string[] {
    this.#segments ??= this.inRoot === null || this.inRoot === '' ? [] : this.inRoot.split('/')
    return this.#segments
  }

  get name(): string | null {
    return this.segments.at(-1) ?? null
  }
}
