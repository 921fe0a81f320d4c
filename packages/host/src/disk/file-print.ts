// Whether a file is still the one that was read, or that is held open.
import { statSync } from 'node:fs'

/** Changes when the file is written, replaced, removed or made. */
export function fingerprint(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? 'absent' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}

/** Which file it is, whatever is written to it: another one in its place has another, as long as somebody holds the first one open. */
export function fileIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? 'absent' : `${stat.dev}:${stat.ino}`
}
