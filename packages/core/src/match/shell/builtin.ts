// Builtins of the shell: those that need no rule, those that change the shell, and those that run text as code.
import { isStream } from './argument-file.ts'
import { type Call, isBlocked, markNeutral, notCovered, touchArgument } from './call.ts'
import { changeDirectory } from './change-directory.ts'
import { isSpecialVariable } from './environment.ts'
import { holdsLoadedSubscript, runSubscript } from './loaded-subscript.ts'
import { noteAlias } from './made-file.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import { namedAssignment, runVariable } from './run-variable.ts'
import type { Word } from './shell-analysis.ts'
import { runDescriptor } from './shell-program.ts'
import { anyText, dropText, joinWords, leadingText, makeWord, textWord } from './word.ts'

const NEUTRAL = new Set([
  'pwd',
  'true',
  'false',
  ':',
  'test',
  '[',
  'exit',
  'wait',
  'break',
  'continue',
  'return',
  'shift',
  'let',
  'getopts',
])
const STATE = new Set([
  ...[
    'export',
    'declare',
    'typeset',
    'readonly',
    'alias',
    'unalias',
    'hash',
    'enable',
    'shopt',
    'source',
    '.',
    'set',
    'unset',
    'bind',
    'fc',
    'umask',
    'ulimit',
    'complete',
    'compopt',
    'setopt',
    'unsetopt',
    'setenv',
  ],
])
/** Set variables by name: values known before are no longer. */
const SETTERS = new Set([
  'export',
  'declare',
  'typeset',
  'readonly',
  'local',
  'unset',
  'read',
  'mapfile',
  'readarray',
  'getopts',
  'let',
  'source',
  '.',
  'eval',
  'trap',
  'alias',
  'enable',
  'set',
  'shift',
  'shopt',
])
/** Evaluate subscripts in the names or numbers they are given. */
const EVALUATES = new Set([
  'test',
  '[',
  'let',
  'unset',
  'read',
  'declare',
  'typeset',
  'local',
  'export',
  'readonly',
  'printf',
  'mapfile',
  'readarray',
  'getopts',
  'wait',
])

/** Take `NAME=value`. */
const ASSIGNS = new Set(['export', 'declare', 'typeset', 'readonly', 'local'])

const BUILTINS: ReadonlySet<string> = new Set([
  ...[...NEUTRAL, ...STATE, ...SETTERS, ...EVALUATES],
  ...['printf', 'compgen', 'cd', 'pushd', 'popd', 'eval', 'trap', 'read', 'local', 'mapfile', 'readarray'],
])

/** Whether this was a builtin and is done with. */
export function runBuiltin(call: Call): boolean {
  const { name, walk } = call
  if (!BUILTINS.has(name)) return false
  if (SETTERS.has(name) || (name === 'printf' && call.words[1]?.value?.startsWith('-v'))) walk.unsafeVariables = true
  if (EVALUATES.has(name)) checkSubscripts(call)
  if (ASSIGNS.has(name)) runAssigned(call)
  if (call.words.some(word => /^(?:BASH_CMDS|BASH_ALIASES)\[/.test(leadingText(word))))
    opaqueCode(walk, name, 'the program that it gives a name', { span: call.unit.span, place: call.place })
  if (name === 'printf' || name === 'let' || name === 'getopts') checkAssigned(call)
  if (NEUTRAL.has(name)) markNeutral(call)
  else if (STATE.has(name)) changeState(call)
  else if (name === 'cd' || name === 'pushd' || name === 'popd') changeDirectory(call)
  else if (name === 'eval') runEval(call)
  else if (name === 'compgen') runCompletion(call)
  else if (name === 'trap') runTrap(call)
  else if (name === 'read' || name === 'local' || name === 'mapfile' || name === 'readarray') setVariables(call)
  else return false
  return true
}

function runAssigned({ walk, words, unit, place }: Call): void {
  for (const word of words) {
    const assigned = namedAssignment(leadingText(word))
    if (assigned !== null) runVariable(walk, { name: assigned.name, value: dropText(word, assigned.length) }, unit.span, place)
  }
}

/** `printf -v PATH x`, `let PATH=1`, `getopts a PATH`: set a variable by name. */
function checkAssigned({ name, words, unit }: Call): void {
  const named = name === 'printf' ? printfTarget(words) : words.slice(name === 'let' ? 1 : 2)
  for (const word of named) {
    const variable = /^\(*\s*([A-Za-z_]\w*)/.exec(leadingText(word))?.[1]
    if (variable && isSpecialVariable(variable)) unit.traits.push({ kind: 'environment', name: variable })
  }
}

function printfTarget(words: readonly Word[]): readonly Word[] {
  const first = words[1]
  if (!first || !leadingText(first).startsWith('-v')) return []
  return first.value === '-v' ? words.slice(2, 3) : [dropText(first, 2)]
}

function checkSubscripts(call: Call): void {
  for (const { value } of call.words) {
    if (value !== null && holdsLoadedSubscript(value))
      runSubscript(call.walk, value, call.name, { span: call.unit.span, place: call.place })
  }
  if (call.name === 'let' || call.words.some(word => isArithmetic(word) || word.value === null)) call.walk.arithmeticVariable = true
}

/** `[ a -eq b ]`, `test -v x`, `declare -i x`, `read "a[$i]"`: arithmetic looks at a word, or at what is assigned later. */
function isArithmetic(word: Word): boolean {
  return /^-(?:eq|ne|lt|le|gt|ge|v|(?=[a-zA-Z]*i)[a-zA-Z]*)$|^[A-Za-z_]\w*\[/.test(leadingText(word))
}

function changeState(call: Call): void {
  const { name, words } = call
  if (name === 'set' && isStrictMode(words)) {
    markNeutral(call)
    return
  }
  if (!isActivation(call)) call.unit.traits.push({ kind: 'state-change' })
  if (name === 'alias') runAliases(call)
  if (name === 'complete') runCompletion(call)
  loadCode(call)
  if (name !== 'source' && name !== '.') return
  const file = words[1]
  if (file && isStream(file)) sourceStream(call, file)
  else if (file) touchArgument(call, 'read', file, 'deny-only')
  if (!isActivation(call)) call.place.scope.bases = null
}

/** `source .venv/bin/activate`: the environment of this project is a script of it like any other, which a rule for every command covers. */
function isActivation({ name, words }: Call): boolean {
  return (name === 'source' || name === '.') && words.length === 2 && /^(?:\.\/)?\.?v?env\/bin\/activate$/.test(words[1]?.value ?? '')
}

/** `. /dev/stdin <<E`: what is read is code of this shell. */
function sourceStream(call: Call, file: Word): void {
  const { stdin } = call.place
  const code = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (code === null || !/\/(?:stdin|0)$/.test(file.value ?? '')) {
    runDescriptor(call)
    return
  }
  runCode(call.walk, { code, span: call.unit.span, by: call.name }, { ...call.place, behind: [...call.place.behind, call.name] })
}

/** `hash -p /bin/rm ls` and `enable -f x.so ls` give a name another meaning. */
function loadCode({ name, words, walk, unit, place }: Call): void {
  const option = name === 'hash' ? /^-\w*p/ : name === 'enable' ? /^-\w*f/ : null
  const found = option === null ? undefined : words.find(word => option.test(leadingText(word)))
  if (found) opaqueCode(walk, `${name} ${found.value ?? ''}`, 'the program or file that it names', { span: unit.span, place })
}

/** `set -e`, `set -euxo pipefail`. */
function isStrictMode(words: readonly Word[]): boolean {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.value ?? ''
    if (!/^[-+](?=.*[euo])[euxo]+$/.test(text)) return false
    if (text.endsWith('o') && words[++at]?.value !== 'pipefail') return false
    if (text.slice(1, -1).includes('o')) return false
  }
  return words.length > 1
}

function runAliases(call: Call): void {
  for (const word of call.words.slice(1)) {
    const equals = leadingText(word).indexOf('=')
    if (equals > 0) noteAlias(call.walk, leadingText(word).slice(0, equals), dropText(word, equals + 1))
    if (equals > 0)
      runCode(
        call.walk,
        { code: dropText(word, equals + 1), span: call.unit.span, by: 'alias' },
        { ...call.place, behind: [...call.place.behind, 'alias'] },
      )
  }
}

/** `compgen -W '$(x)'` expands its words, `-C` runs a command; `-F` calls a function that was judged where it stands. */
function runCompletion(call: Call): void {
  call.words.forEach((word, at) => {
    const option = /^-[a-zA-Z]*([WC])/.exec(leadingText(word))
    if (!option) return
    const glued = leadingText(word) === option[0] && word.value !== null ? undefined : dropText(word, option[0].length)
    const value = glued ?? call.words[at + 1]
    if (!value) return
    const parts = option[1] === 'W' ? [textWord(':'), value] : [value]
    const place = { ...call.place, behind: [...call.place.behind, `${call.name} -${option[1]}`] }
    runCode(call.walk, { code: joinWords(parts), span: call.unit.span, by: `${call.name} -${option[1]}` }, place)
  })
}

function runEval(call: Call): void {
  const words = call.words.slice(call.words[1]?.value === '--' ? 2 : 1)
  if (words.length === 0) {
    markNeutral(call)
    return
  }
  if (!isBlocked(call.unit)) call.unit.role = 'deny-only'
  const place = { ...call.place, behind: [...call.place.behind, 'eval'] }
  runCode(call.walk, { code: joinWords(words), span: call.unit.span, by: 'eval', sameShell: true }, place)
  if (words.some(word => word.value === null)) call.place.scope.bases = null
}

function runTrap(call: Call): void {
  const words = call.words.slice(1).filter((word, index) => !(index === 0 && word.value === '--'))
  const [code] = words
  if (!code || words.length === 1 || code.value === '-' || code.value === '' || /^-[lp]/.test(code.value ?? '')) {
    markNeutral(call)
    return
  }
  if (!isBlocked(call.unit)) call.unit.role = 'deny-only'
  runCode(call.walk, { code, span: call.unit.span, by: 'trap' }, { ...call.place, behind: [...call.place.behind, 'trap'] })
}

/** `read x`, `local x=1`: nothing runs, unless a name is one that programs act on. */
function setVariables(call: Call): void {
  const { words, name, unit } = call
  // `IFS= read -r x` holds for the read alone.
  if (name === 'read' && unit.traits.every(trait => trait.kind === 'environment' && trait.name === 'IFS')) unit.traits.length = 0
  if (name === 'local' && words.some(word => /^-\w*x/.test(word.value ?? ''))) {
    unit.traits.push({ kind: 'state-change' })
    return
  }
  if (name === 'mapfile' || name === 'readarray') runCallback(call)
  for (const word of words.slice(1)) {
    const text = leadingText(word)
    const variable = /^[A-Za-z_]\w*/.exec(text)?.[0]
    if (variable && isSpecialVariable(variable)) unit.traits.push({ kind: 'environment', name: variable })
    if (word.value === null && variable === undefined) notCovered(call, `${name} sets a variable that is only known at run time`)
  }
  markNeutral(call)
}

/** `mapfile -C 'x' -c 1 a`: the text is run for every line, with its number and the line behind. */
function runCallback(call: Call): void {
  call.words.forEach((word, at) => {
    const option = /^-[a-zA-Z]*C/.exec(leadingText(word))?.[0]
    if (option === undefined) return
    const code = word.value === option ? call.words[at + 1] : dropText(word, option.length)
    notCovered(call, `${call.name} -C runs code`)
    if (!code) return
    const lines = makeWord([anyText], '...')
    const place = { ...call.place, behind: [...call.place.behind, `${call.name} -C`] }
    runCode(call.walk, { code: joinWords([code, textWord('0'), lines]), span: call.unit.span, by: `${call.name} -C` }, place)
  })
}
