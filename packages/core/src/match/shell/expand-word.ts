// From a parsed word to the words the command gets: quotes removed, braces expanded, what is known filled in, unknown parts elsewhere.
// Invariant: a part is text only if every run gives exactly that text.
import type { CommandExpansionPart, DoubleQuotedChild, ParameterExpansionPart, WordPart as SyntaxPart, Word as SyntaxWord } from 'unbash'
import { type Atom, expandBraces } from './expand-braces.ts'
import type { Word, WordPart } from './shell-analysis.ts'
import { substitutionScript } from './substitution-script.ts'
import { homeOf, onlyBase, splitKnown, staysWord, variableValue } from './variable.ts'
import type { Scope, Walk } from './walk.ts'
import { anyText, anyWord, makeWord, textWord } from './word.ts'

/** Several words when braces say so, and none where all they hold is nothing (`{,}`). */
export function expandWord(walk: Walk, word: SyntaxWord, scope: Scope): readonly Word[] {
  const parts = word.parts
  if (!parts) return [plainWord(walk, word, scope)]
  if (parts.some(part => part.type === 'BraceExpansion')) return braceWords(walk, word, parts, scope)
  return splitKnown(walk, word, parts, scope) ?? [joinParts(walk, word, parts, scope)]
}

/** A word where braces stand for themselves: assignment values, redirect targets, here-strings. */
export function expandSingle(walk: Walk, word: SyntaxWord, scope: Scope): Word {
  return word.parts ? joinParts(walk, word, word.parts, scope) : plainWord(walk, word, scope)
}

/** A here-document body. */
export function expandBody(walk: Walk, parts: readonly SyntaxPart[], scope: Scope, source: string): Word {
  const builder = startWord(walk, scope)
  for (const part of parts) addQuoted(builder, part as DoubleQuotedChild)
  return finishWord(builder, source)
}

function plainWord(walk: Walk, word: SyntaxWord, scope: Scope): Word {
  if (!word.text.includes('~')) return textWord(word.value, word.text)
  const builder = startWord(walk, scope)
  addLiteral(builder, word.text, word.value)
  return finishWord(builder, word.text)
}

function joinParts(walk: Walk, word: SyntaxWord, parts: readonly SyntaxPart[], scope: Scope): Word {
  const builder = startWord(walk, scope)
  for (const part of parts) addPart(builder, part)
  return finishWord(builder, word.text)
}

interface Builder {
  readonly walk: Walk
  readonly scope: Scope
  readonly parts: WordPart[]
  /** The value before known variables were filled in; null once there is an unknown part. */
  written: string | null
  filled: boolean
}

function startWord(walk: Walk, scope: Scope): Builder {
  return { walk, scope, parts: [], written: '', filled: false }
}

function finishWord(builder: Builder, source: string): Word {
  const word = makeWord(builder.parts, source)
  return builder.filled && builder.written !== null ? { ...word, written: builder.written } : word
}

function addText(builder: Builder, value: string, written: string = value): void {
  if (builder.written !== null) builder.written += written
  const last = builder.parts.at(-1)
  if (last?.kind === 'text') builder.parts[builder.parts.length - 1] = { kind: 'text', value: last.value + value }
  else builder.parts.push({ kind: 'text', value })
}

function addUnknown(builder: Builder, part: WordPart): void {
  builder.written = null
  builder.parts.push(part)
}

function addGlob(builder: Builder, value: string): void {
  if (builder.written !== null) builder.written += value
  builder.parts.push({ kind: 'glob', value })
}

function addPart(builder: Builder, part: SyntaxPart): void {
  switch (part.type) {
    case 'Literal':
      addLiteral(builder, part.text, part.value)
      return
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      addText(builder, part.value)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
      if (part.parts.length === 0) addText(builder, '')
      for (const child of part.parts) addQuoted(builder, child)
      return
    case 'Glob':
      if (part.parts?.some(isExpansion)) addUnknown(builder, anyWord)
      else addGlob(builder, part.text)
      return
    case 'ExtendedGlob':
      if (part.parts?.some(isExpansion)) addUnknown(builder, anyWord)
      else addGlob(builder, part.text)
      return
    case 'SimpleExpansion':
      addVariable(builder, part.text.slice(1), false, part.text)
      return
    case 'ParameterExpansion':
      addParameter(builder, part, false)
      return
    case 'ProcessSubstitution':
      addText(builder, '/dev/fd/63')
      return
    case 'ArithmeticExpansion':
      addUnknown(builder, anyText)
      return
    case 'BraceExpansion':
      if (part.parts?.some(isExpansion)) addUnknown(builder, anyWord)
      else addText(builder, part.text)
      return
    case 'CommandExpansion':
      addSubstitution(builder, part, false)
      return
    default:
      addUnknown(builder, anyWord)
      return
  }
}

function addQuoted(builder: Builder, part: DoubleQuotedChild): void {
  if (part.type === 'Literal') addText(builder, part.value)
  else if (part.type === 'SimpleExpansion') addVariable(builder, part.text.slice(1), true, part.text)
  else if (part.type === 'ParameterExpansion') addParameter(builder, part, true)
  else if (part.type === 'CommandExpansion') addSubstitution(builder, part, true)
  else addUnknown(builder, anyText)
}

/** `git $(echo push)` is `git push`. */
function addSubstitution(builder: Builder, part: CommandExpansionPart, quoted: boolean): void {
  const script = substitutionScript(builder.walk, part)
  const text = script === undefined ? null : builder.walk.substitutedText(builder.walk, script, builder.scope)
  if (text === null || !(quoted || staysWord(textWord(text)))) addUnknown(builder, quoted ? anyText : anyWord)
  else {
    builder.filled = true
    addText(builder, text, part.text)
  }
}

function isExpansion(part: SyntaxPart): boolean {
  return part.type !== 'Literal' && part.type !== 'Glob' && part.type !== 'SingleQuoted'
}

/** In a word that looks like an assignment bash takes a tilde behind the sign, and behind each colon, for a directory: `dd if=~/.ssh/key`. */
const ASSIGNED_TILDE = /^(\d*[A-Za-z_]\w*\+?=(?:[^~\\]*:)?)(?=~)/

/** Unquoted text; a leading tilde is a directory. */
function addLiteral(builder: Builder, text: string, value: string): void {
  const assigned = builder.parts.length === 0 ? (ASSIGNED_TILDE.exec(text)?.[1] ?? '') : ''
  if (assigned !== '' && value.startsWith(assigned)) {
    addText(builder, assigned)
    addTilde(builder, text.slice(assigned.length), value.slice(assigned.length))
    return
  }
  if (builder.parts.length === 0) addTilde(builder, text, value)
  else addText(builder, value)
}

function addTilde(builder: Builder, text: string, value: string): void {
  const tilde = /^~[^/:]*(?=[/:]|$)/.exec(text)
  if (!tilde) {
    addText(builder, value)
    return
  }
  const directory = tildeDirectory(builder, tilde[0])
  if (directory === null) addUnknown(builder, anyText)
  else {
    builder.filled = true
    addText(builder, directory, tilde[0])
  }
  const rest = value.slice(tilde[0].length)
  if (rest) addText(builder, rest)
}

function tildeDirectory(builder: Builder, tilde: string): string | null {
  if (tilde === '~') return homeOf(builder.walk)
  if (tilde === '~+') return onlyBase(builder.scope)
  return null
}

function addParameter(builder: Builder, part: ParameterExpansionPart, quoted: boolean): void {
  const all = part.parameter === '@' || part.index?.text === '@' || part.operation?.type === 'Names'
  if (part.prefix || part.index || part.operation) addUnknown(builder, quoted && !all ? anyText : anyWord)
  else addVariable(builder, part.parameter, quoted, part.text)
}

function addVariable(builder: Builder, name: string, quoted: boolean, source: string): void {
  const known = variableValue(builder.walk, builder.scope, name)
  const only = known?.length === 1 ? known[0] : undefined
  if (only && only.value !== null && !only.glob && (quoted || staysWord(only))) {
    builder.filled = true
    builder.walk.meter.spend(only.value.length)
    addText(builder, only.value, source)
  } else if (known && (quoted || known.every(staysWord))) addUnknown(builder, { kind: 'unknown', splits: !quoted, among: known })
  else addUnknown(builder, quoted && name !== '@' ? anyText : anyWord)
}

function braceWords(walk: Walk, word: SyntaxWord, parts: readonly SyntaxPart[], scope: Scope): readonly Word[] {
  const builder = startWord(walk, scope)
  const atoms: Atom[] = []
  for (const part of parts) addAtoms(builder, part, atoms)
  const expanded = walk.budget.words > 0 ? expandBraces(atoms) : null
  walk.budget.words -= expanded?.length ?? 0
  walk.meter.spend(atoms.length * (1 + (expanded?.length ?? 0)))
  if (!expanded) return [makeWord([anyWord], word.text)]
  // Nothing at all is no word: `git {,push}` is `git push`. Quotes make it one.
  return expanded.filter(list => list.length > 0).map(list => makeWord(joinAtoms(expandTilde(builder, list)), word.text))
}

/** Braces come before the tilde: `{~,x}/a` is `~/a x/a`. */
function expandTilde(builder: Builder, atoms: readonly Atom[]): readonly Atom[] {
  if (atoms[0] !== '~') return atoms
  const end = atoms.indexOf('/')
  const name = end < 0 ? atoms : atoms.slice(0, end)
  const directory = name.every(atom => typeof atom === 'string') ? tildeDirectory(builder, name.join('')) : null
  return [directory === null ? anyText : { kind: 'text', value: directory }, ...atoms.slice(name.length)]
}

/** Active characters one by one; everything else as the parts it becomes. */
function addAtoms(builder: Builder, part: SyntaxPart, atoms: Atom[]): void {
  if (part.type === 'BraceExpansion' && part.parts) {
    atoms.push('{')
    for (const inner of part.parts) addAtoms(builder, inner, atoms)
    atoms.push('}')
  } else if (part.type === 'BraceExpansion' || (part.type === 'Literal' && !(atoms.length === 0 && part.text.startsWith('~')))) {
    addCharacters(part.text, atoms)
  } else {
    builder.parts.length = 0
    addPart(builder, part)
    atoms.push(...builder.parts)
  }
}

function addCharacters(text: string, atoms: Atom[]): void {
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index)
    if (char !== '\\') atoms.push(char)
    else if (text.charAt(++index) !== '\n') atoms.push({ kind: 'text', value: text.charAt(index) })
  }
}

function joinAtoms(atoms: readonly Atom[]): readonly WordPart[] {
  const parts: WordPart[] = []
  let text = ''
  const flush = () => {
    if (text) parts.push({ kind: 'text', value: text })
    text = ''
  }
  for (const atom of atoms) {
    if (typeof atom === 'string') text += atom
    else if (atom.kind === 'text') text += atom.value
    else {
      flush()
      parts.push(atom)
    }
  }
  flush()
  return parts.length === 0 ? [{ kind: 'text', value: '' }] : parts
}
