// Which file is at a path, whatever is written to it.
import { statFile } from './stat-file.ts'

/** Another one in its place has another, as long as somebody holds the first one open. */
export function fileIdentity(file: string): string {
  const stat = statFile(file)
  return stat === null ? 'absent' : `${stat.dev}:${stat.ino}`
}
