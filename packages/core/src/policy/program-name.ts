// Which program a command word means. Deny looks at the base name wherever it stands; allow trusts a path only when it
// leads into a directory that the system owns, so `./git` and `/tmp/git` are not `git`.
import { baseName } from './flag-set.ts'

export type ProgramReading = { readonly for: 'deny' } | { readonly for: 'allow'; readonly trustedDirs: ReadonlySet<string> }

export const systemDirs: readonly string[] = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

export function commandProgram(word: string, reading: ProgramReading): string {
  if (reading.for === 'deny') return baseName(word)
  const slash = word.lastIndexOf('/')
  if (slash <= 0) return word
  return reading.trustedDirs.has(word.slice(0, slash)) ? word.slice(slash + 1) : word
}
