// What a command line puts into files, and which names it gives to others, while it is walked: later parts of the same line may run
// or read them (`printf 'rm -rf x' > a.sh; sh a.sh`, `ln -s /bin/rm f; ./f -rf x`).

import { posix } from 'node:path'
import { withoutEnd } from '../../value/without-end.ts'
import type { MadeName, Word } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { baseName, textWord } from './word.ts'

export interface MadeFiles {
  /** By absolute path; null: a text that only the run knows. */
  readonly texts: Map<string, (Word | null)[]>
  readonly names: MadeName[]
  /** What an alias stands for. */
  readonly aliases: Map<string, Word>
}

/** More of them nobody writes by hand. */
const MAX_FILES = 64

export function noteText(walk: Walk, place: Place, path: Word, text: Word | null): void {
  const { texts } = walk.made
  for (const file of placesOf(place, path)) {
    if (file === '/dev/null') continue
    const known = texts.get(file)
    if (known?.some(other => other?.value === text?.value)) continue
    if (known !== undefined && known.length < MAX_FILES) known.push(text)
    else if (known === undefined && texts.size < MAX_FILES) texts.set(file, [text])
  }
}

/** What nobody takes for code: the text only comes to stand in the file, with others, or is put together there. */
const PART = '#!part\n'

/** Text that a program puts into a file by rules of its own (`sed -i '1i rm -rf x' a.sh`): looked through with and without its signs. */
export function partOfFile(texts: readonly string[]): Word {
  const text = texts.join('\n')
  return textWord(`${PART}${text}\n${text.replace(/[/|,#+]/g, ' ')}`)
}

export function isPart(text: Word | null): boolean {
  return text?.value?.startsWith(PART) === true
}

export function noteAlias({ made: { aliases } }: Walk, name: string, code: Word): void {
  if (aliases.size < MAX_FILES) aliases.set(name, code)
}

export interface NewName {
  readonly path: Word
  readonly source: Word
  /** A relative source of a symbolic link starts in the folder of the link. */
  readonly kind: 'symbolic' | 'same' | 'copy'
  /** The path is a folder, and the name in it that of the source. */
  readonly isDirectory: boolean
}

/** `ln -s a b`, `cp a b`, `mount --bind a b`. Where `b` is a folder, what comes into being is `b/a`; only the disk knows. */
export function noteName(walk: Walk, place: Place, { path, source, kind, isDirectory }: NewName): void {
  const isSymbolic = kind === 'symbolic'
  const isCopy = kind === 'copy'
  const target = source.glob ? null : source.value
  // Of a copy whose source nobody knows there is nothing to say.
  if (target === null && !isSymbolic) return
  const name = baseName(withoutEnd(target ?? '', '/'))
  for (const made of placesOf(place, path)) {
    const from = (folder: string): string | null => (target === null ? null : resolve(isSymbolic ? folder : baseOf(place), target))
    const whole = from(posix.dirname(made))
    // What holds the source is a folder already (`cp a ..`); only a mount can lay a part of it over all of it.
    const isHolder = kind !== 'same' && whole?.startsWith(made === '/' ? made : `${made}/`) === true
    if (!isDirectory && !isHolder) addName(walk, { path: made, target: whole, isCopy })
    if (target !== null && name !== '') addName(walk, { path: posix.join(made, name), target: from(made), isCopy })
  }
}

function addName({ made: { names } }: Walk, name: MadeName): void {
  if (name.path === name.target || names.some(({ path, target }) => path === name.path && target === name.target)) return
  if (names.length < MAX_FILES) names.push(name)
}

/** Every absolute path that the word may be; none where nobody knows. */
export function placesOf({ scope: { bases } }: Pick<Place, 'scope'>, { value, glob }: Word): readonly string[] {
  if (value === null || value === '' || glob) return []
  return value.startsWith('/') ? [posix.normalize(value)] : (bases ?? []).map(base => resolve(base, value))
}

function baseOf({ scope }: Place): string {
  return scope.bases?.[0] ?? '/'
}

function resolve(base: string, path: string): string {
  return posix.resolve('/', base, path)
}
