// A simple command of the source: its words, assignments and redirections, handed on as one invocation.
import type { Assignment, Command, CommandArgument, Redirection, Word as SyntaxWord } from 'unbash'
import { isSpecialVariable } from './environment.ts'
import { expandSingle, expandWord } from './expand-word.ts'
import { noteLoaded } from './loaded-subscript.ts'
import { assignmentWork } from './meter.ts'
import { printedText } from './printed-text.ts'
import { noteWritten, readStdin, redirectEffects } from './redirect.ts'
import { runVariable } from './run-variable.ts'
import type { EnvAssignment, Span, UnitTrait, Word } from './shell-analysis.ts'
import { type Place, remember, report, spendCommand, type Walk } from './walk.ts'
import { runWordParts } from './walk-parts.ts'
import { anyWord, makeWord, textWord } from './word.ts'

export function runCommand(walk: Walk, node: Command, place: Place): void {
  const span: Span = place.span ?? { start: node.pos, end: node.end }
  if (!spendCommand(walk, node.prefix.length + node.suffix.length, span)) return
  const { bases: start, failedBases } = place.scope
  const words: Word[] = []
  const value = suppliedValue(node)
  if (node.name && value === null) addWord(walk, node.name, place, words)
  const args = node.suffix.length === 0 ? [] : node.args
  for (const arg of args) addArgument(walk, arg, place, words)
  const source = place.text.slice(node.pos, node.end)
  const assignments = readAssignments(walk, node, place)
  checkSyntax(walk, node, place, span)
  const redirects = hasRedirects(node) ? node.redirects : []
  const unit = words.length > 0 || assignments.length > 0 ? walk.units.length : -1
  if (words.length === 0) addBareAssignments(walk, assignments, { span, source }, place)
  else {
    const stdin = (redirects.length > 0 ? readStdin(walk, redirects, place) : null) ?? place.input.stdin
    const at = stdin === place.stdin ? place : { ...place, stdin }
    const supplied = suppliedText(walk, value === null ? args : [value, ...args], place)
    const invocation = { words, assignments, span, source, direct: true, traits: [] }
    walk.runInvocation(walk, supplied === null ? invocation : { ...invocation, supplied }, at)
  }
  // Words and redirections come before the command: a `cd` does not move them.
  const before = place.scope.bases === start ? place : { ...place, scope: { ...place.scope, bases: start, failedBases } }
  for (const redirect of redirects) redirectEffects(walk, redirect, before, unit)
  if (redirects.length > 0) noteWritten(walk, redirects, before, words.length === 0 ? textWord('') : printedText(walk, node, before, true))
  runNested(walk, node, args, before)
  if (words.length === 0) rememberVariables(walk, node, place)
}

/** `X=<(a) b`: the parser takes what stands right behind the sign for the command. */
function suppliedValue({ name, prefix, suffix }: Command): SyntaxWord | null {
  const isValue = prefix.at(-1)?.end === name?.pos && suffix[0]?.type === 'Word' && name?.parts?.[0]?.type === 'ProcessSubstitution'
  return isValue ? (name ?? null) : null
}

/** `make -f <(echo 'x:; rm -rf y')`, `MAKEFILES=<(...) make`: what such an argument or value holds. */
function suppliedText(walk: Walk, args: readonly CommandArgument[], place: Place): Word | null {
  for (const arg of args) {
    const [part] = arg.type === 'Word' ? (arg.parts ?? []) : []
    const node = part?.type === 'ProcessSubstitution' && part.operator === '<' ? part.script?.commands[0]?.command : undefined
    const text = node === undefined || node.type === 'AndOr' || node.type === 'Pipeline' ? null : printedText(walk, node, place)
    if (text !== null) return text
  }
  return null
}

const DELIMITER = /^(?:[^'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")*$/

const PARENTHESIS = /(?:[ \t]|\\\n)*\(/y

/** What bash refuses and the parser lets pass: `name (word`, `$[` without end, an open quote in a here-document's delimiter. */
function checkSyntax(walk: Walk, node: Command, place: Place, span: Span): void {
  if (node.name) {
    PARENTHESIS.lastIndex = node.name.end
    if (PARENTHESIS.test(place.text)) report(walk, 'parse-error', "unexpected token '('", span)
    if (node.name.parts?.some(part => part.type === 'ExtendedGlob'))
      report(walk, 'unclear', 'extended patterns are read only where extglob is on', span)
  }
  for (const item of node.prefix)
    if (item.type === 'Assignment' && item.value.type === 'Word' && opensArithmetic(item.value))
      report(walk, 'parse-error', "'$[' without ']'", span)
  for (const item of node.suffix) {
    if (item.type === 'Word' && item.parts?.some(part => part.type === 'ExtendedGlob'))
      report(walk, 'unclear', 'extended patterns are read only where extglob is on', span)
    if (item.type === 'Word' && opensArithmetic(item)) report(walk, 'parse-error', "'$[' without ']'", span)
    if (item.type === 'HereDoc' && item.delimiter && !DELIMITER.test(item.delimiter.text))
      report(walk, 'parse-error', 'unterminated quote', span)
  }
}

/** `$[` that stayed plain text: bash looks for its end, the parser does not. */
function opensArithmetic({ text, value, parts }: SyntaxWord): boolean {
  if (!text.includes('$[')) return false
  if (!parts) return text === value
  return parts.some(part => {
    if (part.type === 'DoubleQuoted' || part.type === 'LocaleString')
      return part.parts.some(child => child.type === 'Literal' && OPEN_ARITHMETIC.test(child.text))
    return part.type === 'Literal' && part.text === part.value && part.text.includes('$[')
  })
}

/** No backslash before the sign. */
const OPEN_ARITHMETIC = /(?<!\\)\$\[/

/** One without parts, as most are, is one word. */
function addWord(walk: Walk, word: SyntaxWord, place: Place, words: Word[]): void {
  if (!word.parts) {
    const only = expandSingle(walk, word, place.scope)
    noteLoaded(walk, only)
    words.push(only)
    return
  }
  for (const each of expandWord(walk, word, place.scope)) {
    noteLoaded(walk, each)
    words.push(each)
  }
}

function addArgument(walk: Walk, arg: CommandArgument, place: Place, words: Word[]): void {
  if (arg.type === 'Word') {
    addWord(walk, arg, place, words)
    return
  }
  const value = arg.value.type === 'Word' ? expandSingle(walk, arg.value, place.scope) : listWord(arg.name, arg.text)
  const head = `${arg.name}${arg.index ? `[${arg.index.text}]` : ''}${arg.append ? '+=' : '='}`
  noteLoaded(walk, value)
  words.push(makeWord([{ kind: 'text', value: head }, ...value.parts], arg.text))
}

/** Of a list that programs act on, the text is looked through for commands: `PROMPT_COMMAND=('rm -rf x')`. */
function listWord(name: string, text: string): Word {
  return makeWord(isSpecialVariable(name) ? [anyWord, { kind: 'text', value: ` ${text}` }] : [anyWord], text)
}

function hasRedirects(node: Command): boolean {
  return node.prefix.some(isRedirect) || node.suffix.some(isRedirect)
}

function isRedirect(item: Assignment | Redirection | CommandArgument): item is Redirection {
  return item.type === 'Redirect' || item.type === 'HereDoc' || item.type === 'HereString'
}

function readAssignments(walk: Walk, node: Command, place: Place): readonly EnvAssignment[] {
  const found: EnvAssignment[] = []
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') continue
    const value = item.value.type === 'Word' ? expandSingle(walk, item.value, place.scope) : listWord(item.name, item.text)
    noteLoaded(walk, value)
    if (item.index && NAMES_PROGRAMS.test(item.name)) namesProgram(walk, item.name, place, { start: item.pos, end: item.end })
    found.push({ name: item.name, value })
  }
  return found
}

/** Tables of the shell that say what a command is: `BASH_CMDS[ls]=/bin/rm`. */
const NAMES_PROGRAMS = /^(?:BASH_CMDS|BASH_ALIASES|commands|aliases|galiases|saliases|functions)$/

function namesProgram(walk: Walk, name: string, place: Place, span: Span): void {
  report(walk, 'opaque', `${name} gives a command another meaning`, place.span ?? span)
}

/** `X=1` alone sets a variable of this shell: nothing runs, unless the name is one that programs act on. */
function addBareAssignments(walk: Walk, assignments: readonly EnvAssignment[], at: { span: Span; source: string }, place: Place): void {
  if (assignments.length === 0) return
  const traits: UnitTrait[] = []
  for (const { name } of assignments) if (isSpecialVariable(name)) traits.push({ kind: 'environment', name })
  if (traits.length === 0) traits.push({ kind: 'neutral' })
  walk.meter.spend(assignmentWork(assignments))
  walk.units.push({ words: [], assignments, ...at, role: place.role, behind: place.behind, traits, bases: place.scope.bases })
  for (const assignment of assignments) {
    // It splits what was one word.
    if (assignment.name === 'IFS') walk.unsafeVariables = true
    runVariable(walk, assignment, at.span, place)
  }
}

function runNested(walk: Walk, node: Command, args: readonly CommandArgument[], place: Place): void {
  runWordParts(walk, node.name, place)
  for (const item of node.prefix) if (item.type === 'Assignment') runAssignment(walk, item, place)
  for (const arg of args) {
    if (arg.type === 'Word') runWordParts(walk, arg, place)
    else runAssignment(walk, arg, place)
  }
}

function runAssignment(walk: Walk, item: Assignment, place: Place): void {
  if (item.index) {
    walk.arithmeticVariable = true
    runWordParts(walk, item.index, place)
  }
  if (item.value.type === 'Word') runWordParts(walk, item.value, place)
  else
    for (const element of item.value.elements) {
      // `a=([x]=1)`: the subscript is reckoned too.
      if (/^\[[^\]]*[A-Za-z_$]/.test(element.text)) walk.arithmeticVariable = true
      noteLoaded(walk, expandSingle(walk, element, place.scope))
      runWordParts(walk, element, place)
    }
}

/** A value is known for later commands only where the assignment surely ran, once, with text that is known. */
function rememberVariables(walk: Walk, node: Command, place: Place): void {
  const { variables } = place.scope
  for (const item of node.prefix) {
    if (item.type !== 'Assignment') continue
    if (!place.certain || variables.has(item.name) || item.append || item.index || item.value.type !== 'Word') {
      walk.unsafeVariables = true
      continue
    }
    const { value, glob } = expandSingle(walk, item.value, place.scope)
    if (value !== null && !glob) remember(variables, item.name, [textWord(value, item.value.text)])
    else variables.delete(item.name)
  }
}
