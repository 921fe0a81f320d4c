// Files among the arguments of a program that are more than one name: streams, directories that are filled, archives.
import { posix } from 'node:path'
import { type Call, notCovered, touchArgument } from './call.ts'
import { noteName } from './made-file.ts'
import type { ParsedArguments } from './parse-options.ts'
import type { Unit, Word, WordPart } from './shell-analysis.ts'
import { leadingText, makeWord, textWord } from './word.ts'

/** A pipe or a descriptor instead of a file. */
export function isStream(word: Word): boolean {
  return /^(?:-$|\/dev\/(?:stdin$|fd\/)|\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/.test(leadingText(word))
}

/** What comes out of an archive has names that nobody gave: the directory and any name in it stand for them. */
export function fillDirectory(call: Call, directory: Word): void {
  touchArgument(call, 'write', directory, 'deny-only')
  const isElsewhere = isOutside(call, directory)
  touchArgument(call, 'write', insideDirectory(directory, textWord('unpacked')), isElsewhere ? 'full' : 'deny-only')
  if (isElsewhere && call.walk.units.some(isPacking))
    noteName(call.walk, call.place, { path: directory, source: textWord(call.walk.context.root), kind: 'copy', isDirectory: false })
}

/** What this line packed may be what it unpacks: of the project, who knows what. */
function isPacking({ words }: Unit): boolean {
  return PACKERS.test(words[0]?.value ?? '') && words.slice(1, MAX_PACKING).some(({ value }) => MAKES.test(value ?? ''))
}

const MAX_PACKING = 8
const PACKERS = /(?:^|\/)(?:[gs]?tar|bsdtar|zip|7z\w*|cpio|pax|git|jar|rar)$/
const MAKES = /^(?:-?[a-zA-Z]*[cowr][a-zA-Z]*|--create|archive|a|.*\.(?:zip|tar|tgz|7z))$/

/** A path that is known to lead out of the project. */
export function isOutside({ walk: { context }, place }: Call, directory: Word): boolean {
  const path = directory.value ?? ''
  if (path === '') return false
  const bases = path.startsWith('/') ? ['/'] : (place.scope.bases ?? [])
  return bases.some(base => !`${posix.resolve('/', base, path)}/`.startsWith(`${context.root}/`))
}

/** What is run from elsewhere is not what the rule for this project meant. */
export function runProject(call: Call, by: string, project: Word): void {
  if (isOutside(call, project)) notCovered(call, `${by} runs what lies outside the project`)
}

export function isMakingArchive(parsed: ParsedArguments): boolean {
  return parsed.options.some(option => /^-[cruA]$|^--delete$/.test(option.name))
}

/** `dist/` and `src/a.ts` -> `dist/a.ts`. */
export function insideDirectory(directory: Word, file: Word): Word {
  const parts: WordPart[] = []
  for (const part of [...file.parts].reverse()) {
    if (part.kind === 'unknown') {
      parts.unshift(part)
      continue
    }
    const value = parts.length === 0 ? dropSlashes(part.value) : part.value
    const slash = value.lastIndexOf('/')
    parts.unshift({ kind: part.kind, value: value.slice(slash + 1) })
    if (slash >= 0) break
  }
  return makeWord([...directory.parts, { kind: 'text', value: '/' }, ...parts], file.source)
}

function dropSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
