// Archives: what goes into one is read, what comes out of one is written.
import { insideDirectory, isMakingArchive } from './argument-file.ts'
import { type Call, touchArgument } from './call.ts'
import type { ParsedArguments } from './parse-options.ts'
import { patternWords } from './pathspec.ts'
import type { Word } from './shell-analysis.ts'
import { knownNames } from './stdin-names.ts'
import { makeWord, textWord } from './word.ts'

export function applyArchive(
  call: Call,
  use: 'members' | 'pack' | 'unpack' | 'compress',
  parsed: ParsedArguments,
  operands: readonly Word[],
): void {
  const [archive, ...members] = operands
  switch (use) {
    case 'members':
      if (isMakingArchive(parsed)) for (const word of operands) touchArgument(call, 'read', word, 'deny-only')
      else if (parsed.options.some(option => option.name === '-x')) {
        if (isPrinting(parsed)) showMembers(call, parsed, operands)
        else takeOut(call, undefined, operands)
      }
      readListed(call, parsed)
      return
    case 'pack':
      if (archive) touchArgument(call, 'write', archive, 'full')
      for (const word of members) touchArgument(call, 'read', word, 'deny-only')
      // `zip -@ x`: the names come on standard input.
      if (parsed.options.some(option => option.name === '-@'))
        for (const name of knownNames(call)) touchArgument(call, 'read', name, 'deny-only')
      return
    case 'unpack':
      if (archive) touchArgument(call, 'read', archive, 'deny-only')
      if (isPrinting(parsed)) showMembers(call, parsed, members)
      else takeOut(call, parsed.options.find(option => option.use === 'into')?.value ?? undefined, members)
      return
    case 'compress':
      for (const word of operands) replaceFile(call, parsed, word)
  }
}

/** Members go to standard output, or are only listed or tested. */
function isPrinting({ options }: ParsedArguments): boolean {
  return options.some(({ name }) => /^-(?:p|l|t|v|Z|c|O|so)$/.test(name))
}

/** `unzip -p x.zip a`, `tar -xOf x a`: the archive may have been made of the files that have these names here. */
function showMembers(call: Call, { options }: ParsedArguments, members: readonly Word[]): void {
  if (options.some(({ name }) => /^-(?:p|c|O|so)$/.test(name))) for (const word of members) touchArgument(call, 'read', word, 'guess')
}

/** A member may be a pattern of the program's own (`unzip x '.e*'`, `tar --wildcards`). */
function takeOut(call: Call, directory: Word | undefined, given: readonly Word[]): void {
  const members = given.flatMap(word =>
    !word.glob && /[*?[]/.test(word.value ?? '') ? patternWords(word.value ?? '', word.source) : [word],
  )
  for (const member of members) {
    const path =
      directory === undefined ? member : makeWord([...directory.parts, { kind: 'text', value: '/' }, ...member.parts], member.source)
    touchArgument(call, 'write', path, 'deny-only')
    if (directory !== undefined) touchArgument(call, 'write', insideDirectory(directory, member), 'deny-only')
  }
}

/** `tar -T -`: the names come on standard input. */
function readListed(call: Call, parsed: ParsedArguments): void {
  const list = parsed.options.find(option => option.name === '-T')?.value
  if (!list || !/^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(list.value ?? '')) return
  const access = isMakingArchive(parsed) ? 'read' : 'write'
  for (const name of knownNames(call)) touchArgument(call, access, name, 'deny-only')
}

const SUFFIX = /\.(?:gz|z|Z|tgz|bz2|xz|lzma|zst|lz4|br|lzo|lz)$/

/** `-c` leaves the file alone; everything else puts another one in its place. */
function replaceFile(call: Call, parsed: ParsedArguments, word: Word): void {
  touchArgument(call, 'read', word, 'deny-only')
  if (parsed.options.some(({ name }) => /^-(?:c|t|l)$/.test(name))) return
  touchArgument(call, 'write', word, 'deny-only')
  const { value, source } = word
  if (value === null || word.glob) return
  const other = SUFFIX.test(value) ? value.replace(SUFFIX, '') : `${value}.gz`
  touchArgument(call, 'write', textWord(other, source), 'deny-only')
}
