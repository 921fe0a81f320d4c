// awk: programs can run commands (system, pipes) and write files (print > file).
import { type Call, notCovered, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import { parseOptions } from '../parse-options.ts'
import type { Word } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'
import { textWord } from '../word.ts'

export function readAwk(call: Call, program: Program, from: number): readonly Word[] {
  const parsed = parseOptions(program, call.words, from)
  const first = parsed.operands[0]
  const code = first === undefined ? undefined : call.words[first]
  if (code && !parsed.options.some(option => option.use === 'code' || option.use === 'code-file')) readProgram(call, code)
  if (parsed.options.some(option => option.name === '-i' && option.value?.value === 'inplace')) {
    for (const index of parsed.operands.slice(1)) touchArgument(call, 'write', call.words[index] as Word, 'full')
  }
  return call.words
}

/** Holes are taken for text without meaning to awk. */
function readProgram(call: Call, code: Word): void {
  if (code.parts.every(part => part.kind === 'hole')) notCovered(call, 'awk runs a program that is only known at run time')
  const text = code.value ?? code.parts.map(part => (part.kind === 'hole' ? '0' : part.value)).join('')
  for (const action of scanAwk(text)) {
    if (action.text === null)
      notCovered(call, `awk ${action.kind === 'run' ? 'runs a command' : 'opens a file'} that is only known at run time`)
    else if (action.kind === 'run') {
      const place = { ...call.place, behind: [...call.place.behind, 'awk'] }
      runCode(call.walk, { code: textWord(action.text), span: call.unit.span, by: 'awk' }, place)
    } else touchArgument(call, action.kind, textWord(action.text), action.kind === 'write' ? 'full' : 'deny-only')
  }
}

interface AwkAction {
  readonly kind: 'run' | 'read' | 'write'
  /** null: made at run time. */
  readonly text: string | null
}

/** Taken for a call by name: nobody can tell what runs. */
const UNCLEAR = '@unclear'

const TOKEN = /\s+|#[^\n]*|"(?:\\[\s\S]|[^"\\])*"|[A-Za-z_]\w*|@\w+|\d[\w.]*|\|\||\|&|>>|>=|<=|[\s\S]/y

/** Tokens without blanks and comments; a regular expression is one token, `/`. */
function tokenize(text: string): readonly string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const token = TOKEN.exec(text)?.[0] ?? ''
    if (token === '') break
    if (token === '/' && startsRegex(tokens.at(-1))) {
      TOKEN.lastIndex = regexEnd(text, start + 1)
      // Whether `/[/]/` ends at its second slash depends on the awk.
      tokens.push(/\[[^\]]*\/$/.test(text.slice(start, TOKEN.lastIndex)) ? UNCLEAR : '/re/')
    } else if (/^[^\S\n]+$|^#/.test(token)) continue
    else tokens.push(/^\s+$/.test(token) ? '\n' : token)
  }
  return tokens
}

function startsRegex(before: string | undefined): boolean {
  return before === undefined || !/^[\w)\]"$]/.test(before) || /^(?:return|print|printf|in|and|or|not|case)$/.test(before)
}

function regexEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '/') return at + 1
    else if (text[at] === '\n') return start
  }
  return text.length
}

export function scanAwk(text: string): readonly AwkAction[] {
  const tokens = tokenize(text)
  const actions: AwkAction[] = []
  let printing = false
  let depth = 0
  tokens.forEach((token, index) => {
    if (token === 'print' || token === 'printf') {
      printing = true
      depth = 0
    } else if (token === ';' || token === '\n' || token === '}') printing = false
    else if (token === '(') depth++
    else if (token === ')') depth--
    if ((token === 'system' && tokens[index + 1] === '(') || token === '@load' || token === '@include')
      actions.push({ kind: 'run', text: literal(tokens, index + 2, ')') })
    else if (token.startsWith('@') && token.length > 1) actions.push({ kind: 'run', text: null })
    else if (token === '|' || token === '|&') actions.push({ kind: 'run', text: pipeCommand(tokens, index) })
    else if (printing && depth <= 0 && (token === '>' || token === '>>')) actions.push({ kind: 'write', text: literal(tokens, index + 1) })
    else if (token === '<' && isGetline(tokens, index)) actions.push({ kind: 'read', text: literal(tokens, index + 1) })
  })
  return actions
}

/** `print | "cmd"` or `"cmd" | getline`. */
function pipeCommand(tokens: readonly string[], at: number): string | null {
  if (tokens[at + 1] !== 'getline') return literal(tokens, at + 1)
  const before = tokens[at - 2]
  const isAlone = before === undefined || /^(?:[;{}(!\n]|&&|while)$/.test(before)
  return isAlone ? unquote(tokens[at - 1]) : null
}

function isGetline(tokens: readonly string[], at: number): boolean {
  return tokens[at - 1] === 'getline' || tokens[at - 2] === 'getline'
}

/** The text at `at` when it is one literal with nothing joined on. */
function literal(tokens: readonly string[], at: number, end?: string): string | null {
  const next = tokens[at + 1]
  const ends = end === undefined ? next === undefined || /^[;}\n)]$/.test(next) : next === end
  return ends ? unquote(tokens[at]) : null
}

function unquote(token: string | undefined): string | null {
  if (!token?.startsWith('"') || token.length < 2) return null
  const body = token.slice(1, -1)
  return body.includes('\\') ? null : body
}
