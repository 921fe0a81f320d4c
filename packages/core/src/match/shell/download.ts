// Downloads without a name for the file: it is called like the end of the address.
import { type Call, touchArgument } from './call.ts'
import type { ParsedArguments } from './parse-options.ts'
import type { Word } from './shell-analysis.ts'
import { anyText, makeWord, textWord } from './word.ts'

export function downloadFiles(call: Call, parsed: ParsedArguments, operands: readonly Word[]): void {
  const has = (pattern: RegExp): boolean => parsed.options.some(({ name }) => pattern.test(name))
  for (const word of operands) readFileAddress(call, word)
  const savesByName = call.name === 'curl' ? has(/^(?:-O|--remote-name-all)$/) : !has(call.name === 'wget' ? /^(?:-O|--spider)$/ : /^-o$/)
  if (!savesByName) return
  const directory = parsed.options.find(({ name }) => /^(?:-P|--output-dir|-d)$/.test(name))?.value
  const choosesName = has(/^(?:-J|--content-disposition|--trust-server-names)$/)
  for (const word of operands) {
    const name = choosesName ? null : addressEnd(word)
    const file = name === null ? makeWord([anyText], word.source) : textWord(name, word.source)
    const path = directory ? makeWord([...directory.parts, { kind: 'text', value: '/' }, ...file.parts], word.source) : file
    touchArgument(call, 'write', path, 'full')
  }
}

/** The last part of the path; null where that is known only at run time. */
function addressEnd({ value }: Word): string | null {
  if (value === null) return null
  const path = value.replace(/^[a-z][\w+.-]*:\/\//i, '').replace(/[?#].*$/s, '')
  const end = path.slice(path.lastIndexOf('/') + 1)
  return path.includes('/') && end !== '' ? decoded(end) : 'index.html'
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** `file:///etc/passwd`, `fileb://x`: a file of this machine. */
export function readFileAddress(call: Call, word: Word): boolean {
  const path = /^(?:[\w.-]+=)?fileb?:\/\/(?:localhost(?=\/))?(.+)$/is.exec(word.value ?? '')?.[1]
  if (path === undefined) return false
  touchArgument(call, 'read', textWord(decoded(path), word.source), 'deny-only')
  return true
}
