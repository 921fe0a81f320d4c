// The view of the file system that path rules are judged on. It comes in as an argument so that core stays pure.

export interface FileView {
  /** Follows symlinks of the deepest existing ancestor; dangling link targets are followed too. */
  realPath(absolute: string): RealPath
  /** How many names a regular file has; 0 where there is no such file. */
  linkCount(absolute: string): number
  /** The names in a directory, at most a few thousand; null where they are not known. */
  names(absolute: string): readonly FileName[] | null
  /** Names that are known to be in a directory, those of links before all; there may be others. */
  knownNames(absolute: string): readonly FileName[]
  /** False: which names are links, nobody says. */
  readonly knowsLinks: boolean
  /** Whether this file, which has several names (hard links), has one of them below one of these directories. */
  hasNameBelow(absolute: string, directories: readonly string[]): boolean
  /** Where the links in a directory and below it lead, as far as it is known; null: more stands there than anybody waits for. */
  linkTargetsBelow(absolute: string): readonly string[] | null
  /** The text of a regular file; null where there is none, or where it is too long to be read. */
  text(absolute: string): string | null
  /** Probed once per root, never by platform name. */
  isCaseInsensitive(root: string): boolean
}

export type RealPath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: 'loop' | 'denied' | 'invalid' }

export interface FileName {
  readonly name: string
  readonly isLink: boolean
}
