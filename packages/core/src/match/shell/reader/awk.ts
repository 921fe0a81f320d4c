// awk: programs can run commands (system, pipes) and write files (print > file).
import { type Call, notCovered, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import { type ParsedArguments, parseOptions } from '../parse-options.ts'
import { namedAssignment } from '../run-variable.ts'
import type { Word } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'
import { type Place, somePipe, withInput } from '../walk.ts'
import { dropText, leadingText, textWord } from '../word.ts'

export function readAwk(call: Call, program: Program, from: number): readonly Word[] {
  const parsed = parseOptions(program, call.words, from)
  const first = parsed.operands[0]
  const code = first === undefined ? undefined : call.words[first]
  if (code && !parsed.options.some(option => option.use === 'code' || option.use === 'code-file'))
    readProgram(call, code, givenValues(call, parsed))
  if (parsed.options.some(option => option.name === '-i' && option.value?.value === 'inplace')) {
    for (const index of parsed.operands.slice(1)) touchArgument(call, 'write', call.words[index] as Word, 'full')
  }
  return call.words
}

/** `-v f=x`, and `f=x` among the files: what a variable of the program may hold. */
function givenValues(call: Call, { options, operands }: ParsedArguments): readonly Word[] {
  const given = [
    ...options.flatMap(({ name, value }) => (value !== null && /^(?:-v|--assign)$/.test(name) ? [value] : [])),
    ...operands.slice(1).map(at => call.words[at] as Word),
  ]
  return given.slice(0, MAX_VALUES).flatMap(word => {
    const assigned = namedAssignment(leadingText(word))
    return assigned === null ? [] : [dropText(word, assigned.length)]
  })
}

/** Nobody gives a program more. */
const MAX_VALUES = 64

/** A command or a file that the program takes from a variable or from what it reads: each value that was given may be it. */
function readVariable(call: Call, kind: AwkAction['kind'], values: readonly Word[]): void {
  const isRun = kind === 'run' || kind === 'feed'
  notCovered(call, `awk ${isRun ? 'runs a command' : 'opens a file'} that is only known at run time`)
  const { stdin } = call.place
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (isRun) {
    const place: Place = { ...call.place, role: 'deny-only', isGuess: true, behind: [...call.place.behind, 'awk'] }
    for (const code of text === null ? values : [...values, text]) runCode(call.walk, { code, span: call.unit.span, by: 'awk' }, place)
    return
  }
  for (const value of values) touchArgument(call, kind, value, 'deny-only')
  for (const name of text?.value?.split(/\s+/, MAX_VALUES) ?? []) touchArgument(call, kind, textWord(name), 'guess')
}

/** An unknown part may be any code; what stands around it is read as if it were a number. */
function readProgram(call: Call, code: Word, values: readonly Word[]): void {
  if (code.value === null && holdsCode(code)) notCovered(call, 'awk runs a program that is only known at run time')
  const text = code.value ?? code.parts.map(part => (part.kind === 'unknown' ? '0' : part.value)).join('')
  if (code.value === null && scanAwk(withMarks(code)).some(action => action.text?.includes(UNKNOWN)))
    notCovered(call, 'awk runs a command or opens a file that is only known at run time')
  for (const action of scanAwk(text)) {
    if (action.text === null) readVariable(call, action.kind, values)
    else if (action.kind === 'run' || action.kind === 'feed') {
      const here = { ...call.place, behind: [...call.place.behind, 'awk'] }
      const place = action.kind === 'feed' ? withInput(here, somePipe, true) : here
      runCode(call.walk, { code: textWord(action.text), span: call.unit.span, by: 'awk' }, place)
    } else touchArgument(call, action.kind, textWord(action.text), action.kind === 'write' ? 'full' : 'deny-only')
  }
}

/** Whether an unknown part stands where it is code: neither in a string nor in a regular expression. */
function holdsCode(code: Word): boolean {
  return tokenize(withMarks(code)).some(token => token === UNKNOWN || (token.startsWith('/') && token.length === 1))
}

function withMarks({ parts }: Word): string {
  return parts.map(part => (part.kind === 'unknown' ? UNKNOWN : part.value)).join('')
}

/** No letter of any program. */
const UNKNOWN = '\uE000'

interface AwkAction {
  /** `feed`: runs, and reads what awk prints. */
  readonly kind: 'run' | 'feed' | 'read' | 'write'
  /** null: made at run time. */
  readonly text: string | null
}

/** Taken for a call by name: nobody can tell what runs. */
const UNCLEAR = '@unclear'

const TOKEN = /\s+|#[^\n]*|"(?:\\[\s\S]|[^"\\])*(?:"|$)|[A-Za-z_]\w*|@\w+|\d[\w.]*|\|\||\|&|>>|>=|<=|[\s\S]/y

/** More slashes that begin a regular expression without end, each looked for to the end of its line, than any program has. */
const MAX_ENDLESS = 64

/** Tokens without blanks and comments; a regular expression is one token, `/`. */
function tokenize(text: string): readonly string[] {
  const tokens: string[] = []
  let endless = 0
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const start = TOKEN.lastIndex
    const token = TOKEN.exec(text)?.[0] ?? ''
    if (token === '') break
    if (token === '/' && startsRegex(tokens.at(-1))) {
      const end = regexEnd(text, start + 1)
      TOKEN.lastIndex = end ?? start + 1
      if (end === null) endless++
      tokens.push(endless > MAX_ENDLESS || endsInBrackets(text.slice(start, TOKEN.lastIndex)) ? UNCLEAR : '/re/')
      if (endless > MAX_ENDLESS) break
    } else if (/^[^\S\n]+$|^#/.test(token)) continue
    else tokens.push(/^\s+$/.test(token) ? '\n' : token)
  }
  return tokens
}

/** Whether `/[/]/` ends at its second slash depends on the awk. */
function endsInBrackets(regex: string): boolean {
  return regex.endsWith('/') && regex.lastIndexOf('[') > regex.lastIndexOf(']')
}

function startsRegex(before: string | undefined): boolean {
  return before === undefined || !/^[\w)\]"$]/.test(before) || /^(?:return|print|printf|in|and|or|not|case)$/.test(before)
}

function regexEnd(text: string, start: number): number | null {
  for (let at = start; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '/') return at + 1
    else if (text[at] === '\n') return null
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
    else if (token === 'ARGV' && assignsElement(tokens, index)) actions.push({ kind: 'read', text: assigned(tokens, index) })
    else if (token.startsWith('@') && token.length > 1) actions.push({ kind: 'run', text: null })
    else if (token === '|' || token === '|&')
      actions.push({ kind: token === '|' && tokens[index + 1] === 'getline' ? 'run' : 'feed', text: pipeCommand(tokens, index) })
    else if (printing && depth <= 0 && (token === '>' || token === '>>')) actions.push({ kind: 'write', text: literal(tokens, index + 1) })
    else if (token === '<' && isGetline(tokens, index)) actions.push({ kind: 'read', text: literal(tokens, index + 1) })
  })
  return actions
}

/** `ARGV[1] = ...` names a file to read; `delete ARGV[1]` and comparisons do not. */
function assignsElement(tokens: readonly string[], at: number): boolean {
  const close = tokens.indexOf(']', at)
  return tokens[at + 1] === '[' && close > 0 && tokens[close + 1] === '=' && tokens[close + 2] !== '='
}

/** What is assigned, where it is made of literals alone (`".e" "nv"`). */
function assigned(tokens: readonly string[], at: number): string | null {
  let text = ''
  let last = tokens.indexOf(']', at) + 2
  for (; tokens[last]?.startsWith('"'); last++) {
    const piece = unquote(tokens[last])
    if (piece === null) return null
    text += piece
  }
  const next = tokens[last]
  return text !== '' && (next === undefined || /^[;}\n]$/.test(next)) ? text : null
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
  if (!token?.startsWith('"') || token.length < 2 || !token.endsWith('"')) return null
  const body = token.slice(1, -1)
  return body.includes('\\') ? null : body
}
