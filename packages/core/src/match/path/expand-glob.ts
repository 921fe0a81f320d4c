// What a pathname glob becomes on this disk: the names that exist, as the shell would find them.
import type { FileView } from './file-view.ts'
import type { WordSegment } from './word-segments.ts'

export interface FoundPath {
  readonly path: string
  /** A name that a glob yielded is a link, or one behind it may be: where it leads, the text does not say. */
  readonly throughLink: boolean
}

/** More than this is not looked at. */
const MAX_PATHS = 4096
const MAX_DIRECTORIES = 128

/** null: the disk does not say, or there is too much of it. The last names may not exist: a glob before them still yields directories. */
export function expandGlob(segments: readonly WordSegment[], names: FileView['names']): readonly FoundPath[] | null {
  let found: FoundPath[] = [{ path: '', throughLink: false }]
  let directories = 0
  for (const segment of segments) {
    if (segment.literal !== null) {
      const isOpen = directories > 0 && found.length <= MAX_DIRECTORIES
      found = found.map(({ path, throughLink }) => ({ path: `${path}/${segment.literal}`, throughLink: throughLink || isOpen }))
      continue
    }
    directories += found.length
    if (directories > MAX_DIRECTORIES) return null
    const next: FoundPath[] = []
    for (const { path, throughLink } of found) {
      const listed = names(path === '' ? '/' : path)
      if (listed === null) {
        if (found.length === 1) return null
        continue
      }
      for (const { name, isLink } of listed) {
        if (segment.matches(name)) next.push({ path: `${path}/${name}`, throughLink: throughLink || isLink })
      }
    }
    if (next.length > MAX_PATHS) return null
    found = next
  }
  return found
}
