// Builtins of the shell: those that need no rule, those that change the shell, and those that run text as code.
import { type Call, isBlocked, markNeutral, notCovered, touchArgument } from './call.ts'
import { changeDirectory } from './change-directory.ts'
import { isSpecialVariable } from './environment.ts'
import { holdsLoadedSubscript } from './loaded-subscript.ts'
import { opaqueCode, runCode } from './nested-code.ts'
import type { Word } from './shell-analysis.ts'
import { report } from './walk.ts'
import { dropText, joinWords, leadingText } from './word.ts'

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

const BUILTINS: ReadonlySet<string> = new Set([
  ...[...NEUTRAL, ...STATE, ...SETTERS, ...EVALUATES],
  ...['printf', 'cd', 'pushd', 'popd', 'eval', 'trap', 'read', 'local', 'mapfile', 'readarray'],
])

/** Whether this was a builtin and is done with. */
export function runBuiltin(call: Call): boolean {
  const { name, walk } = call
  if (!BUILTINS.has(name)) return false
  if (SETTERS.has(name) || (name === 'printf' && call.words[1]?.value?.startsWith('-v'))) walk.unsafeVariables = true
  if (EVALUATES.has(name)) checkSubscripts(call)
  if (name === 'printf' || name === 'let' || name === 'getopts') checkAssigned(call)
  if (NEUTRAL.has(name)) markNeutral(call)
  else if (STATE.has(name)) changeState(call)
  else if (name === 'cd' || name === 'pushd' || name === 'popd') changeDirectory(call)
  else if (name === 'eval') runEval(call)
  else if (name === 'trap') runTrap(call)
  else if (name === 'read' || name === 'local' || name === 'mapfile' || name === 'readarray') setVariables(call)
  else return false
  return true
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
      report(call.walk, 'unclear', `${call.name} runs the substitution in a subscript`, call.unit.span)
  }
  if (call.words.some(word => /^-(?:eq|ne|lt|le|gt|ge|v)$/.test(word.value ?? '')) || call.name === 'let')
    call.walk.arithmeticVariable = true
}

function changeState(call: Call): void {
  const { name, words } = call
  if (name === 'set' && isStrictMode(words)) {
    markNeutral(call)
    return
  }
  call.unit.traits.push({ kind: 'state-change' })
  if (name === 'alias') runAliases(call)
  if (name !== 'source' && name !== '.') return
  const file = words[1]
  if (file?.value === '/dev/stdin' || file?.value?.startsWith('/dev/fd/')) {
    opaqueCode(call.walk, name, 'a file descriptor', call.unit.span, call.place)
  } else if (file) touchArgument(call, 'read', file, 'deny-only')
  call.place.scope.bases = null
}

/** `set -e`, `set -euo pipefail`. */
function isStrictMode(words: readonly Word[]): boolean {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.value ?? ''
    if (!/^[-+][euo]+$/.test(text)) return false
    if (text.endsWith('o') && words[++at]?.value !== 'pipefail') return false
    if (text.slice(1, -1).includes('o')) return false
  }
  return words.length > 1
}

function runAliases(call: Call): void {
  for (const word of call.words.slice(1)) {
    const equals = leadingText(word).indexOf('=')
    if (equals > 0)
      runCode(
        call.walk,
        { code: dropText(word, equals + 1), span: call.unit.span, by: 'alias' },
        { ...call.place, behind: [...call.place.behind, 'alias'] },
      )
  }
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
  for (const word of words.slice(1)) {
    const text = leadingText(word)
    if (/^-\w*C/.test(text) && name !== 'read' && name !== 'local') notCovered(call, `${name} -C runs code`)
    const variable = /^[A-Za-z_]\w*/.exec(text)?.[0]
    if (variable && isSpecialVariable(variable)) unit.traits.push({ kind: 'environment', name: variable })
    if (word.value === null && variable === undefined) notCovered(call, `${name} sets a variable that is only known at run time`)
  }
  markNeutral(call)
}
