// Whether a word names Belay's own program, however it is written: a command, a path, a package with a version, a file of the package.
import { below } from './path-anchors.ts'
import { collapse } from './resolve-path.ts'

/** Names that Belay is installed under, without directory, version and file ending. */
const NAMES: ReadonlySet<string> = new Set(['belay', 'mentu', '@belay/host', '@belay/core', 'belayd'])

const MENTIONED = /belay|mentu/i

export function isOwnName(value: string | null): boolean {
  if (value === null || !MENTIONED.test(value)) return false
  const name = value
    .replace(/^.*=(?=[@\w./-]*$)/, '')
    .replace(/^npm:/, '')
    .replace(/(?<=.)@[\w.^~*-]+$/, '')
    .replace(/\.(?:(?:m|c)?[jt]s|exe|cmd)$/i, '')
    .toLowerCase()
  if (NAMES.has(name) || NAMES.has(name.slice(name.lastIndexOf('/') + 1))) return true
  return /(?:^|\/)@belay\/host\//.test(name) || (/\/(?:cli|index|main)$/.test(name) && /(?:^|\/)(?:belay|mentu)\//.test(name))
}

/** Whether it lies where Belay's own files do. `bases`: where a relative path may start. */
export function isOwnFile(path: string, bases: readonly string[] | null, ownFiles: readonly string[]): boolean {
  if (ownFiles.length === 0 || !path.includes('/')) return false
  const starts = path.startsWith('/') ? [''] : (bases ?? [])
  return starts.some(base => {
    const absolute = collapse(`${base}/${path}`)
    return ownFiles.some(own => below(absolute, own) !== null)
  })
}
