// sh, bash and their kin: the code they are given is part of the command line. `-c` is transparent: what the code runs decides.
import { type Call, isBlocked, notCovered, touchArgument } from './call.ts'
import { guessFiles } from './likely-file.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import type { Word } from './shell-analysis.ts'
import type { Place } from './walk.ts'
import { dropText, leadingText } from './word.ts'

const SHELLS =
  /^(?:(?:static-)?r?(?:ba|k|mk|ok|lok|mr|z|da|a|lk|pdk|ya|po|bo|b|hu|sa|ga|bru)?sh[\d.-]*(?:static|distrib)?|fish|t?csh|xonsh|nu|elvish|oil|osh|ysh|rc|es|ion|murex|ngs|scsh|git-shell)(?:\.exe)?$/
/** Their language is another one: the code is looked through for what must not run, and nobody vouches for the rest. */
const FOREIGN = /^(?:fish|t?csh|xonsh|nu|elvish|oil|ysh|rc|es|ion|murex|ngs|scsh)(?:\.exe)?$/
/** Long options whose value is a file of code, code, or neither. */
const FILE_OPTIONS = new Set(['--rcfile', '--init-file', '--rc', '--config', '--env-config', '--plugin-config', '--eval'])
const CODE_OPTIONS = new Set(['--command', '--commands', '--execute', '--init-command'])
const VALUE_OPTIONS = new Set(['--emulate', '--features', '--log-level', '--log-target', '--table-mode', '--threads', '--profile'])
/** `name option`: short options whose value is code, beside the `-c` of all shells. */
const CODE_LETTERS = new Set(['nu -e', 'fish -C', 'ngs -e', 'ngs -pi'])

let lastName = ''
let wasShell = false

/** Of one command it is asked again and again. */
export function isShell(name: string): boolean {
  if (name === lastName) return wasShell
  wasShell = SHELLS.test(name)
  lastName = name
  return wasShell
}

const OTHER_SHELL = /^(?:pwsh(?:-preview)?|powershell|cmd)(?:\.exe)?$/i

/** Of another system, with options of another kind. */
export function isOtherShell(name: string): boolean {
  return OTHER_SHELL.test(name)
}

interface ShellArguments {
  readonly takesCode: boolean
  readonly takesStdin: boolean
  /** Position of the first operand. */
  readonly operand: number
  /** Values of options that are code. */
  readonly codes: readonly Word[]
}

export function runShell(call: Call): void {
  const { takesCode, takesStdin, operand, codes } = readShellOptions(call)
  const first = call.words[operand]
  for (const code of codes) runShellCode(call, code, [])
  if (takesCode && first) {
    runShellCode(call, first, call.words.slice(operand + 1))
    return
  }
  const appended = call.unit.traits.some(trait => trait.kind === 'more-arguments')
  if (appended) {
    opaqueCode(call.walk, call.name, 'arguments given at run time', { span: call.unit.span, place: call.place })
    return
  }
  if (!takesStdin && first && first.value !== '-' && first.value !== '/dev/stdin') {
    if (first.value?.startsWith('/dev/fd/') || first.value?.startsWith('/proc/')) {
      runDescriptor(call)
      return
    }
    touchArgument(call, 'read', first, 'deny-only')
    guessFiles(call, call.words.slice(operand + 1))
    return
  }
  runShellStdin(call)
}

function readShellOptions(call: Call): ShellArguments {
  let takesCode = false
  let takesStdin = false
  const codes: Word[] = []
  let at = 1
  for (; at < call.words.length; at++) {
    const word = call.words[at] as Word
    if (word.value === '--' || word.value === '-') {
      at++
      break
    }
    const text = leadingText(word)
    // The rest of such an option may hold the letter.
    if (word.value === null && text.startsWith('-')) takesCode = true
    if (text.startsWith('--')) at = readLongOption(call, at, codes)
    else if (CODE_LETTERS.has(`${call.name} ${text}`)) at = addCode(call, at + 1, codes)
    else if (/^[-+]./.test(text)) {
      if (text.startsWith('-') && text.includes('c')) takesCode = true
      if (text.startsWith('-') && text.includes('s')) takesStdin = true
      if (/[oO]$/.test(text)) at++
    } else break
  }
  return { takesCode, takesStdin, operand: at, codes }
}

/** Returns the position of its last word. */
function readLongOption(call: Call, at: number, codes: Word[]): number {
  const word = call.words[at] as Word
  const text = leadingText(word)
  const equals = text.indexOf('=')
  const name = equals < 0 ? text : text.slice(0, equals)
  const value = equals < 0 ? call.words[at + 1] : dropText(word, equals + 1)
  const last = equals < 0 ? at + 1 : at
  if (CODE_OPTIONS.has(name)) {
    if (value) codes.push(value)
    return last
  }
  if (FILE_OPTIONS.has(name)) {
    notCovered(call, `${text} names a file of code`)
    if (value) touchArgument(call, 'read', value, 'deny-only')
    return last
  }
  return VALUE_OPTIONS.has(name) ? last : at
}

function addCode(call: Call, at: number, codes: Word[]): number {
  const code = call.words[at]
  if (code) codes.push(code)
  return at
}

function runShellCode(call: Call, code: Word, parameters: readonly Word[]): void {
  if (!isBlocked(call.unit)) call.unit.role = 'deny-only'
  if (FOREIGN.test(call.name))
    opaqueCode(call.walk, call.name, 'a language that is not read here', { span: call.unit.span, place: call.place })
  runCode(call.walk, { code, span: call.unit.span, by: `${call.name} -c`, parameters }, behind(call, `${call.name} -c`))
}

/** `bash <(echo x)`: what can be read of it is walked, so that deny rules see it. */
export function runDescriptor(call: Call): void {
  const { span } = call.unit
  opaqueCode(call.walk, call.name, 'a file descriptor', { span, place: call.place })
  const { supplied } = call.invocation
  if (supplied !== undefined) runCode(call.walk, { code: supplied, span, by: call.name }, { ...behind(call, call.name), role: 'deny-only' })
}

function runShellStdin(call: Call): void {
  const { stdin, input } = call.place
  if (stdin.kind === 'inherited') return
  if (stdin.kind === 'file' || stdin.text === null) {
    const from = stdin.kind === 'file' ? 'a file or descriptor' : 'a pipe'
    opaqueCode(call.walk, call.name, from, { span: call.unit.span, place: call.place })
    return
  }
  if (stdin.text.value?.trim() === '') return
  if (input.shared && stdin === input.stdin && stdin.text.value?.includes('\n'))
    opaqueCode(call.walk, call.name, 'an input that other commands read too', { span: call.unit.span, place: call.place })
  if (!isBlocked(call.unit)) call.unit.role = 'deny-only'
  runCode(call.walk, { code: stdin.text, span: call.unit.span, by: call.name }, behind(call, call.name))
}

function behind(call: Call, name: string): Place {
  return { ...call.place, behind: [...call.place.behind, name] }
}
