// Which file is at a path, whatever is written to it.
import { statSync } from 'node:fs'

/** Another one in its place has another, as long as somebody holds the first one open. */
export function fileIdentity(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stat === undefined ? 'absent' : `${stat.dev}:${stat.ino}`
}
