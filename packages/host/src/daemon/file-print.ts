// Whether a file is still the one that was read.
import { statSync } from 'node:fs'

/** Changes when the file is written, replaced, removed or made. */
export function fingerprint(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? 'absent' : `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`
}
