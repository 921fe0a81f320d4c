// The view of the file system that path rules are judged on. It comes in as an argument so that core stays pure.

export interface FileView {
  /** Follows symlinks of the deepest existing ancestor; dangling link targets are followed too. */
  realPath(absolute: string): RealPath
  /** How many names a regular file has; 0 where there is no such file. */
  linkCount(absolute: string): number
  /** Probed once per root, never by platform name. */
  isCaseInsensitive(root: string): boolean
}

export type RealPath = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly why: 'loop' | 'denied' | 'invalid' }
