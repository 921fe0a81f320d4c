// Finds the commands inside words: substitutions, arithmetic, subscripts, operands of parameter expansions.
import type { ArithmeticExpression, ParameterExpansionPart, ParameterOperation, ParsedScript, Word as SyntaxWord, WordPart } from 'unbash'
import { isSpecialVariable } from './environment.ts'
import { MAX_NESTING } from './limits.ts'
import { runSubscript } from './loaded-subscript.ts'
import { runCode } from './nested-code.ts'
import { substitutionScript } from './substitution-script.ts'
import { insideSubshell, isSpent, type Place, report, somePipe, spendCharacters, spendCommand, type Walk, withInput } from './walk.ts'
import { textWord } from './word.ts'

export function runWordParts(walk: Walk, word: SyntaxWord | undefined, place: Place): void {
  if (word?.parts) runParts(walk, word.parts, place)
}

export function runParts(walk: Walk, parts: readonly WordPart[], place: Place): void {
  if (place.depth > MAX_NESTING) {
    report(walk, 'refused', 'is nested more than 200 deep', place.span ?? { start: 0, end: place.text.length })
    return
  }
  for (const part of parts) {
    if (isSpent(walk)) return
    runPart(walk, part, place)
  }
}

function runPart(walk: Walk, part: WordPart, place: Place): void {
  if (part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'SimpleExpansion') return
  if (!spendCharacters(walk, part.end - part.pos, place.span ?? { start: part.pos, end: part.end })) return
  switch (part.type) {
    case 'CommandExpansion':
      runSubstitution(walk, substitutionScript(walk, part), place)
      return
    case 'ProcessSubstitution':
      // What is written to `>(sh)` is the input of what stands in it.
      runSubstitution(walk, part.script, part.operator === '>' ? withInput(place, somePipe, true) : place)
      return
    case 'ArithmeticExpansion':
      runArithmetic(walk, part.expression, place)
      return
    case 'ParameterExpansion':
      runParameter(walk, part, place)
      return
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      if (part.parts) runParts(walk, part.parts, { ...place, depth: place.depth + 1 })
      return
    default:
      return
  }
}

function runSubstitution(walk: Walk, script: ParsedScript | undefined, place: Place): void {
  if (!script) return
  const [error] = script.errors ?? []
  if (error) report(walk, 'parse-error', error.message, place.span ?? { start: error.pos, end: error.pos })
  if (script.commands.length === 0) {
    // Nothing runs, but thousands of them are refused like thousands of commands.
    spendCommand(walk, 0, place.span ?? { start: script.pos, end: script.end })
    return
  }
  const inner = insideSubshell(place)
  // Backticks with escapes are parsed from a text of their own: positions there mean nothing outside.
  const nested =
    script.source === undefined ? inner : { ...inner, text: script.source, span: place.span ?? { start: script.pos, end: script.end } }
  walk.runScript(walk, script, nested)
}

function runParameter(walk: Walk, part: ParameterExpansionPart, place: Place): void {
  if (part.index) {
    if (part.index.text !== '@' && part.index.text !== '*') walk.arithmeticVariable = true
    runWordParts(walk, part.index, place)
  }
  const { operation } = part
  // `${!v}` looks at the name that v holds, with its subscript.
  if (part.prefix === '!' && operation?.type !== 'Names') walk.arithmeticVariable = true
  if (!operation) return
  if (operation.type === 'Slice' && [operation.offset, operation.length].some(isVariable)) walk.arithmeticVariable = true
  if (operation.type === 'Default' && operation.operator.endsWith('=')) {
    walk.unsafeVariables = true
    reportAssigned(walk, part.parameter, part, place)
  }
  if (operation.type === 'Transform' && operation.operand.text === 'P') {
    report(walk, 'opaque', `${part.text} runs the substitutions its value holds`, place.span ?? { start: part.pos, end: part.end })
  }
  if (isCutAtSigns(operation) && SUBSTITUTION.test(part.text.slice(2))) {
    runWhole(walk, part, place)
    return
  }
  for (const word of operationWords(operation)) runWordParts(walk, word, { ...place, depth: place.depth + 1 })
}

/** `${a/x/y}`, `${a:x:y}`: the parser cuts their words at the next sign, also within a substitution. */
function isCutAtSigns({ type }: ParameterOperation): boolean {
  return type === 'Replace' || type === 'Slice'
}

const SUBSTITUTION = /[$<>]\(|`|\$\{/

/** All that stands between the braces, as a text in which only substitutions mean something. */
function runWhole(walk: Walk, part: ParameterExpansionPart, place: Place): void {
  const text = part.text.slice(2, -1).replace(/[<>]\(/g, '$(')
  const span = place.span ?? { start: part.pos, end: part.end }
  runCode(walk, { code: textWord(`: <<BELAY_END\n${text}\nBELAY_END`), span, by: part.text, sameShell: true }, place)
}

/** Whether arithmetic would read a variable here. */
function isVariable(word: SyntaxWord | undefined): boolean {
  return word !== undefined && /[A-Za-z_$]/.test(word.text)
}

/** A variable that programs act on was given a value in passing. */
function reportAssigned(walk: Walk, name: string, node: { readonly pos: number; readonly end: number }, place: Place): void {
  if (!isSpecialVariable(name)) return
  report(walk, 'unclear', `${name} is set, which can change what later commands do`, place.span ?? { start: node.pos, end: node.end })
}

function operationWords(operation: ParameterOperation): readonly (SyntaxWord | undefined)[] {
  switch (operation.type) {
    case 'Replace':
      return [operation.pattern, operation.replacement]
    case 'Slice':
      return [operation.offset, operation.length]
    case 'Default':
    case 'Remove':
    case 'CaseModification':
    case 'Transform':
      return [operation.operand]
    default:
      return []
  }
}

export function runArithmetic(walk: Walk, node: ArithmeticExpression | undefined, place: Place): void {
  if (!node) return
  if (place.depth > MAX_NESTING) {
    report(walk, 'refused', 'is nested more than 200 deep', { start: node.pos, end: node.end })
    return
  }
  const inner = { ...place, depth: place.depth + 1 }
  switch (node.type) {
    case 'ArithmeticBinary':
      if (/^[^<>=!]*=$|^<<=$|^>>=$/.test(node.operator)) {
        walk.unsafeVariables = true
        if (node.left.type === 'ArithmeticWord') reportAssigned(walk, node.left.value, node, place)
      }
      runArithmetic(walk, node.left, inner)
      runArithmetic(walk, node.right, inner)
      return
    case 'ArithmeticUnary':
      if (node.operator === '++' || node.operator === '--') walk.unsafeVariables = true
      runArithmetic(walk, node.operand, inner)
      return
    case 'ArithmeticTernary':
      for (const part of [node.test, node.consequent, node.alternate]) runArithmetic(walk, part, inner)
      return
    case 'ArithmeticGroup':
      runArithmetic(walk, node.expression, inner)
      return
    case 'ArithmeticCommandExpansion':
      runSubstitution(walk, node.script, place)
      return
    case 'ArithmeticWord':
      if (/[A-Za-z_$]/.test(node.value)) walk.arithmeticVariable = true
      if (/['"\\]/.test(node.value) && /\$\(|`/.test(node.value)) {
        runSubscript(walk, node.value.replace(/['"\\]/g, ''), 'arithmetic', { span: { start: node.pos, end: node.end }, place: inner })
      }
      if (node.parts) runParts(walk, node.parts, inner)
      return
  }
}
