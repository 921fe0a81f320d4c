// The file system as one judgement sees it: a path that several checks ask about is looked up once, and is the same for all of them.
import type { FileName, FileView, RealPath } from '../match/path/file-view.ts'

export interface WatchedFiles extends FileView {
  /** Whether a path was asked about. */
  used: boolean
  /** The next judgement begins: links may have been turned since the last. */
  renew(): void
}

export function watchFiles(files: FileView): WatchedFiles {
  const found = new Map<string, RealPath>()
  const listed = new Map<string, readonly FileName[] | null>()
  const watched: WatchedFiles = {
    used: false,
    renew() {
      watched.used = false
      if (found.size > 0) found.clear()
      if (listed.size > 0) listed.clear()
    },
    realPath(absolute) {
      watched.used = true
      const known = found.get(absolute)
      if (known !== undefined) return known
      const real = files.realPath(absolute)
      found.set(absolute, real)
      return real
    },
    linkCount(absolute) {
      watched.used = true
      return files.linkCount(absolute)
    },
    names(absolute) {
      watched.used = true
      const known = listed.get(absolute)
      if (known !== undefined) return known
      const names = files.names(absolute)
      listed.set(absolute, names)
      return names
    },
    knownNames(absolute) {
      watched.used = true
      return files.knownNames(absolute)
    },
    knowsLinks: files.knowsLinks,
    hasNameBelow(absolute, directories) {
      watched.used = true
      return files.hasNameBelow(absolute, directories)
    },
    linkTargetsBelow(absolute) {
      watched.used = true
      return files.linkTargetsBelow(absolute)
    },
    text(absolute) {
      watched.used = true
      return files.text(absolute)
    },
    isCaseInsensitive: root => files.isCaseInsensitive(root),
  }
  return watched
}
