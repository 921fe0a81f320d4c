// sed: scripts can write files (w, s///w) and run commands (e, s///e).
import { type Call, notCovered, touchArgument } from '../call.ts'
import { runCode } from '../nested-code.ts'
import { parseOptions } from '../parse-options.ts'
import type { Word } from '../shell-analysis.ts'
import type { Program } from '../table/program.ts'
import type { Place } from '../walk.ts'
import { textWord } from '../word.ts'

/** Drops the empty suffix of BSD's `sed -i ''`, and reads the script when it is the first operand. */
export function readSed(call: Call, program: Program, from: number): readonly Word[] {
  const inPlace = call.words.findIndex(word => word.value === '-i' || word.value === '-I')
  const words = inPlace > 0 && call.words[inPlace + 1]?.value === '' ? call.words.filter((_, index) => index !== inPlace + 1) : call.words
  const parsed = parseOptions(program, words, from)
  const first = parsed.operands[0]
  const script = first === undefined ? undefined : words[first]
  if (script && !parsed.options.some(option => option.use === 'sed-script' || option.use === 'code-file')) readSedScript(call, script)
  return words
}

/** Unknown parts are taken for text without meaning to sed. */
export function readSedScript(call: Call, script: Word): void {
  if (script.parts.every(part => part.kind === 'unknown')) notCovered(call, 'sed runs a script that is only known at run time')
  const text = script.value ?? script.parts.map(part => (part.kind === 'unknown' ? 'x' : part.value)).join('')
  for (const action of scanSed(text)) {
    if (action.kind === 'write') touchArgument(call, 'write', textWord(action.text), 'full')
    else if (action.kind === 'read') touchArgument(call, 'read', textWord(action.text), 'deny-only')
    else if (action.kind === 'run' && action.text !== '') {
      const place = { ...call.place, behind: [...call.place.behind, 'sed e'] }
      runCode(call.walk, { code: textWord(action.text), span: call.unit.span, by: 'sed e' }, place)
    } else {
      notCovered(call, 'sed runs or edits by a script that cannot be read')
      if (action.kind === 'run' || action.kind === 'unclear') runRead(call)
    }
  }
}

/** `sed e`, `s/a/b/e`: the lines that it reads are run, or what becomes of them. */
function runRead(call: Call): void {
  const { stdin } = call.place
  const code = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  const place: Place = { ...call.place, role: 'deny-only', isGuess: true, behind: [...call.place.behind, 'sed e'] }
  if (code !== null && code.value !== null) runCode(call.walk, { code, span: call.unit.span, by: 'sed e' }, place)
}

interface SedAction {
  readonly kind: 'write' | 'read' | 'run' | 'unclear'
  readonly text: string
}

interface Scanner {
  readonly text: string
  at: number
  readonly actions: SedAction[]
}

export function scanSed(text: string): readonly SedAction[] {
  const scanner: Scanner = { text, at: 0, actions: [] }
  while (scanner.at < text.length) {
    skip(scanner, /[\s;{}]*/y)
    if (scanner.at >= text.length) break
    if (text[scanner.at] === '#') skip(scanner, /[^\n]*/y)
    else if (!skipAddress(scanner) || !scanCommand(scanner)) {
      scanner.actions.push({ kind: 'unclear', text: '' })
      break
    }
  }
  return scanner.actions
}

function skip(scanner: Scanner, pattern: RegExp): string {
  pattern.lastIndex = scanner.at
  const found = pattern.exec(scanner.text)?.[0] ?? ''
  scanner.at += found.length
  return found
}

function skipAddress(scanner: Scanner): boolean {
  for (let count = 0; count < 2; count++) {
    const char = scanner.text[scanner.at]
    if (char === '/' || char === '\\') {
      if (char === '\\') scanner.at++
      const delimiter = scanner.text[scanner.at++] ?? ''
      if (!skipPattern(scanner, delimiter)) return false
      skip(scanner, /[IM]*/y)
    } else skip(scanner, /(?:\d+|\$|[+~]\d+)(?:~\d+)?/y)
    skip(scanner, /[ \t]*/y)
    if (scanner.text[scanner.at] !== ',') break
    scanner.at++
    skip(scanner, /[ \t]*/y)
  }
  skip(scanner, /[ \t]*!*[ \t]*/y)
  return true
}

/** Up to and past the next `delimiter` that no backslash precedes. */
function skipDelimited(scanner: Scanner, delimiter: string): boolean {
  while (scanner.at < scanner.text.length) {
    const char = scanner.text[scanner.at++]
    if (char === delimiter) return true
    if (char === '\\') scanner.at++
  }
  return false
}

/** The same for a regular expression, where a delimiter in brackets is a character like others. */
function skipPattern(scanner: Scanner, delimiter: string): boolean {
  while (scanner.at < scanner.text.length) {
    const char = scanner.text[scanner.at++]
    if (char === delimiter) return true
    if (char === '\\') scanner.at++
    if (char === '[' && !skipBrackets(scanner)) return false
  }
  return false
}

/** Up to and past the `]` that ends a set; sed refuses one without end. */
function skipBrackets(scanner: Scanner): boolean {
  const { text } = scanner
  let at = scanner.at
  if (text[at] === '^') at++
  if (text[at] === ']') at++
  while (at < text.length && text[at] !== ']' && text[at] !== '\n') {
    const isClass = text[at] === '[' && /[:.=]/.test(text.charAt(at + 1))
    const close = isClass ? text.indexOf(']', at + 2) : at
    if (close < 0) return false
    at = close + 1
  }
  scanner.at = at + 1
  return text[at] === ']'
}

function scanCommand(scanner: Scanner): boolean {
  const command = scanner.text[scanner.at++] ?? ''
  if ('{}=dDgGhHnNpPxzF'.includes(command)) return true
  if ('qQlL'.includes(command)) return skip(scanner, /[ \t]*\d*/y) !== undefined
  // A label ends at a blank: `:a e ls` goes on with a command.
  if (':btT'.includes(command)) return skip(scanner, /[ \t]*[^\s;}]*/y) !== undefined
  if ('aic'.includes(command)) return skip(scanner, /(?:\\[\s\S]|[^\\\n])*/y) !== undefined
  if ('rRwWe'.includes(command)) return scanFile(scanner, command)
  const delimiter = scanner.text[scanner.at++] ?? '\n'
  if (command === 'y') return skipDelimited(scanner, delimiter) && skipDelimited(scanner, delimiter)
  return command === 's' && skipPattern(scanner, delimiter) && skipDelimited(scanner, delimiter) && scanFlags(scanner)
}

function scanFile(scanner: Scanner, command: string): boolean {
  const text = skip(scanner, /[^\n]*/y).trim()
  const kind = command === 'e' ? 'run' : command.toLowerCase() === 'w' ? 'write' : 'read'
  scanner.actions.push({ kind, text })
  return true
}

function scanFlags(scanner: Scanner): boolean {
  const flags = skip(scanner, /[gpiImM\de]*/y)
  if (flags.includes('e')) scanner.actions.push({ kind: 'unclear', text: '' })
  if (scanner.text[scanner.at] !== 'w') return true
  scanner.at++
  return scanFile(scanner, 'w')
}
