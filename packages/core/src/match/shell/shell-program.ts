// sh, bash and their kin: the code they are given is part of the command line. `-c` is transparent: what the code runs decides.
import { type Call, isBlocked, notCovered, touchArgument } from './call.ts'
import { guessFiles } from './likely-file.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import type { Word } from './shell-analysis.ts'
import type { Place } from './walk.ts'
import { textWord } from './word.ts'

const SHELLS = /^(?:r?(?:ba|k|mk|z|da|a|lk|pdk|ya|po)?sh[\d.-]*|fish|t?csh|xonsh|nu|elvish|oil|osh|ysh)(?:\.exe)?$/
/** Their language is another one: the code is looked through for what must not run, and nobody vouches for the rest. */
const FOREIGN = /^(?:fish|t?csh|xonsh|nu|elvish|oil|ysh)(?:\.exe)?$/
const WITH_VALUE = new Set(['--rcfile', '--init-file', '--init-command'])

export function isShell(name: string): boolean {
  return SHELLS.test(name)
}

interface ShellArguments {
  readonly takesCode: boolean
  readonly takesStdin: boolean
  /** Position of the first operand. */
  readonly operand: number
}

export function runShell(call: Call): void {
  const { takesCode, takesStdin, operand } = readShellOptions(call)
  const first = call.words[operand]
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
  let at = 1
  for (; at < call.words.length; at++) {
    const text = call.words[at]?.value ?? ''
    if (text === '--' || text === '-') {
      at++
      break
    }
    if (text.startsWith('--')) {
      if (!WITH_VALUE.has(text.split('=', 1)[0] ?? '')) continue
      notCovered(call, `${text} names a file of code`)
      const file = text.includes('=') ? textWord(text.slice(text.indexOf('=') + 1)) : call.words[++at]
      if (file) touchArgument(call, 'read', file, 'deny-only')
    } else if (/^[-+]./.test(text)) {
      if (text.startsWith('-') && text.includes('c')) takesCode = true
      if (text.startsWith('-') && text.includes('s')) takesStdin = true
      if (/[oO]$/.test(text)) at++
    } else break
  }
  return { takesCode, takesStdin, operand: at }
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
