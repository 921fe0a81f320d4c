// Files among the arguments of a program that are more than one name: streams, directories that are filled, archives.
import { posix } from 'node:path'
import { type Call, notCovered, touchArgument } from './call.ts'
import type { ParsedArguments } from './parse-options.ts'
import type { Word, WordPart } from './shell-analysis.ts'
import { leadingText, makeWord, textWord } from './word.ts'

/** A pipe or a descriptor instead of a file. */
export function isStream(word: Word): boolean {
  return /^(?:-$|\/dev\/(?:stdin$|fd\/)|\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd\/)/.test(leadingText(word))
}

/** What comes out of an archive has names that nobody gave: the directory and any name in it stand for them. */
export function fillDirectory(call: Call, directory: Word): void {
  touchArgument(call, 'write', directory, 'deny-only')
  touchArgument(call, 'write', insideDirectory(directory, textWord('unpacked')), isOutside(call, directory) ? 'full' : 'deny-only')
}

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
