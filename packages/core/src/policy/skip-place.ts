// Options that only choose a part of the project (`npm -w app run build`): an allow rule for the verb holds there too.
// A folder is another matter: its scripts and its configuration are its own, so it counts only where packages are installed.
import type { Word } from '../match/shell/shell-analysis.ts'
import { leadingText } from '../match/shell/word.ts'

interface PlaceOptions {
  /** Their value is the name of a part. */
  readonly names?: readonly string[]
  /** Their value is a folder. */
  readonly folders?: readonly string[]
  readonly flags?: readonly string[]
}

/** A map: names of programs come from commands, and a name that is no key of an object is slow to look up in one. */
const PLACES: ReadonlyMap<string, PlaceOptions> = new Map(
  Object.entries<PlaceOptions>({
    git: { flags: ['--no-pager', '-P'] },
    npm: { names: ['-w', '--workspace'], folders: ['--prefix'], flags: ['--workspaces', '-ws', '-s', '--silent', '--if-present'] },
    pnpm: { names: ['--filter', '-F'], flags: ['-r', '--recursive', '-w', '--workspace-root', '-s', '--silent'] },
    bun: { names: ['--filter'] },
  }),
)

const INSTALLS = /^(?:ci|clean-install|i|install|ls|list)$/

/** The command without them; null where there are none, or where a folder may not be a part of the project. */
export function skipPlace(program: string, words: readonly Word[]): readonly Word[] | null {
  const known = PLACES.get(program)
  if (known === undefined) return null
  let at = 1
  let needsInstall = false
  while (at < words.length) {
    const text = leadingText(words[at] as Word)
    if (!text.startsWith('-')) break
    const [option = '', glued] = splitOption(text)
    const isFolder = known.folders?.includes(option) === true
    if (known.flags?.includes(text)) at++
    else if (isFolder || known.names?.includes(option)) {
      const value = glued ?? words[at + 1]?.value ?? null
      if (value === null || words[at]?.value === null || !isInside(value, isFolder)) return null
      needsInstall ||= isFolder
      at += glued === undefined ? 2 : 1
    } else return null
  }
  const [head] = words
  if (at === 1 || head === undefined || (needsInstall && !INSTALLS.test(words[at]?.value ?? ''))) return null
  return [head, ...words.slice(at)]
}

function splitOption(text: string): [string, string?] {
  const equals = text.startsWith('--') ? text.indexOf('=') : -1
  return equals < 0 ? [text] : [text.slice(0, equals), text.slice(equals + 1)]
}

function isInside(value: string, isFolder: boolean): boolean {
  return value !== '' && !value.startsWith('-') && (!isFolder || !(/^[/~]/.test(value) || value.split('/').includes('..')))
}
