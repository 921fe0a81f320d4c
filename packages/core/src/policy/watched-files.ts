// The file system as one judgement sees it: a path that several checks ask about is looked up once, and is the same for all of them.
import type { FileView, RealPath } from '../match/path/file-view.ts'

export interface WatchedFiles extends FileView {
  /** Whether a path was asked about. */
  used: boolean
  /** The next judgement begins: links may have been turned since the last. */
  renew(): void
}

export function watchFiles(files: FileView): WatchedFiles {
  const found = new Map<string, RealPath>()
  const watched: WatchedFiles = {
    used: false,
    renew() {
      watched.used = false
      if (found.size > 0) found.clear()
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
    isCaseInsensitive: root => files.isCaseInsensitive(root),
  }
  return watched
}
