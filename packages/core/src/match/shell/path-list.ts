// Lists of paths that git reads from its standard input or from a file (`git add --pathspec-from-file=-`, `git cat-file --batch`):
// each line is what an operand would be, quoted as git quotes names. A list that nobody sees stands for any path.
import { applyOperands } from './apply-operand.ts'
import { isStream } from './argument-file.ts'
import type { Call } from './call.ts'
import type { ParsedArguments, ParsedOption } from './parse-options.ts'
import { pathspecWords } from './pathspec.ts'
import type { Word } from './shell-analysis.ts'
import { knownNames, MAX_NAMES } from './stdin-names.ts'
import type { Program } from './table/program.ts'
import { anyWord, makeWord, textWord } from './word.ts'

export function applyPathList(call: Call, program: Program, parsed: ParsedArguments): void {
  for (const option of parsed.options) {
    if (option.use !== 'path-list' && option.use !== 'stdin-list') continue
    const listed = readList(call, option, program.operands === 'revisions')
    const operands = listed.map((_, at) => call.words.length + at)
    const words = [...call.words, ...listed]
    applyOperands({ ...call, words }, { ...program, operands: listUse(program) }, { ...parsed, operands }, words)
  }
}

/** In a list all are paths, where the first operand may be a revision. */
function listUse({ operands = 'read' }: Program): NonNullable<Program['operands']> {
  return operands === 'checkout' ? 'write-own' : operands
}

function readList(call: Call, option: ParsedOption, isRevision: boolean): readonly Word[] {
  const { stdin } = call.place
  const unseen = makeWord(isRevision ? [{ kind: 'text', value: ':' }, anyWord] : [anyWord], option.written)
  if (option.use === 'path-list' && (option.value === null || !isStream(option.value))) return [unseen]
  // `git rev-list --all | git cat-file --batch`: what git itself names are objects, and a person may type them.
  if (isRevision && (stdin.kind === 'inherited' || (stdin.kind === 'pipe' && stdin.by === 'git'))) return []
  const isSeen = (stdin.kind === 'text' || stdin.kind === 'pipe') && stdin.text !== null && stdin.text.value !== null
  const names = knownNames(call)
  const words = names.flatMap(name => lineWords(name, option))
  return isSeen && names.length < MAX_NAMES ? words : [...words, unseen]
}

function lineWords(line: Word, { use }: ParsedOption): readonly Word[] {
  if (line.value === null) return [line]
  const text = unquoted(line.value)
  if (use === 'path-list') return [textWord(text), ...pathspecWords(textWord(text), true)]
  // `contents HEAD:.env`, `HEAD:.env more`: what git splits at blanks.
  return [...new Set([text, ...text.split(/\s+/)])].filter(part => part !== '').map(part => textWord(part))
}

/** `"\056env"` is `.env`. */
function unquoted(text: string): string {
  const inner = /^"(.*)"$/s.exec(text)?.[1]
  if (inner === undefined) return text
  return inner.replace(/\\([0-3][0-7]{2}|.)/gs, (_, code: string) =>
    /^\d{3}$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
  )
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' }
