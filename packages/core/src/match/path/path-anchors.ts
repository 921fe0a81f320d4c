// The directories that path rules hang on, each in the spelling people use and where it really is. Made once for a root
// and home; real paths of calls change, these do not.
import type { FileView } from './file-view.ts'
import { foldCase } from './fold-case.ts'

export interface PathAnchors {
  readonly root: string
  readonly realRoot: string
  readonly home: string
  readonly realHome: string
  readonly caseInsensitive: boolean
  /** `/tmp` is itself a link on some systems. Only root can change names in `/`, so only these are looked through. */
  readonly realTop: (top: string) => string
}

export function createPathAnchors(given: { readonly root: string; readonly home: string; readonly files: FileView }): PathAnchors {
  const { files } = given
  const caseInsensitive = files.isCaseInsensitive(given.root)
  const spell = (path: string): string => spellPath(path, caseInsensitive)
  const follow = (path: string): string => {
    const real = files.realPath(path)
    return spell(real.ok ? real.path : path)
  }
  const tops = new Map<string, string>()
  return {
    root: spell(given.root),
    realRoot: follow(given.root),
    home: spell(given.home),
    realHome: follow(given.home),
    caseInsensitive,
    realTop(top) {
      const known = tops.get(top)
      if (known !== undefined) return known
      const real = follow(top)
      tops.set(top, real)
      return real
    },
  }
}

/** The spelling that paths and patterns are compared in. */
export function spellPath(path: string, caseInsensitive: boolean): string {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return caseInsensitive ? foldCase(plain) : plain.normalize('NFC')
}

/** The part of `path` below `directory` (`''` for the directory itself), or null when it is elsewhere. By segment. */
export function below(path: string, directory: string): string | null {
  if (path === directory) return ''
  const prefix = directory === '/' ? '/' : `${directory}/`
  return path.startsWith(prefix) ? path.slice(prefix.length) : null
}
