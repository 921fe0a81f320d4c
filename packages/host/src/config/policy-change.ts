// A file that is no longer what a person accepted: what became of it, what holds instead, and how the new state is accepted.

export interface PolicyChange {
  readonly file: string
  /** removed: it is gone; edited: it says something else; broken: it cannot be read, or it is empty. */
  readonly kind: 'removed' | 'edited' | 'broken'
  /** Of the version that holds. */
  readonly hash: string
  /** Of what is there now; null: nothing that can be read. */
  readonly found: string | null
  /** When the version that holds was accepted; empty: before that was noted. */
  readonly trustedAt: string
}

export function describeChange({ file, kind, hash }: PolicyChange): string {
  const held = `the last trusted version (${hash.slice(0, 12)}) holds`
  switch (kind) {
    case 'removed':
      return `${file} was removed: ${held}`
    case 'edited':
      return `${file} was changed and nobody has accepted that: ${held}, and so does what is stricter in the new text`
    case 'broken':
      return `${file} is broken or empty: ${held}`
  }
}

export function acceptChange({ kind, file }: PolicyChange): string {
  switch (kind) {
    case 'removed':
      return 'put it back with `belay policy trust --restore`, or accept that it is gone with `belay policy trust --none`'
    case 'edited':
      return `look at it, then accept it with \`belay policy trust ${file}\`, or undo the change with \`belay policy trust --restore\``
    case 'broken':
      return 'fix it, or put the trusted version back with `belay policy trust --restore`'
  }
}
