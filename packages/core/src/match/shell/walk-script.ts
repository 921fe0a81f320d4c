// Walks statements and control flow: which commands can run, in which directory, with which known variables.
import type {
  AndOr,
  ArithmeticFor,
  Case,
  CompoundList,
  Coproc,
  For,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Redirected,
  Select,
  Statement,
  While,
} from 'unbash'
import { leaves, sameBases } from './control-flow.ts'
import { isSpecialVariable } from './environment.ts'
import { expandWord } from './expand-word.ts'
import { MAX_NESTING } from './limits.ts'
import { listedNames, sentFiles } from './listed-name.ts'
import { noteLoaded } from './loaded-subscript.ts'
import { PIPED_WORK } from './meter.ts'
import { printedText } from './printed-text.ts'
import { noteWritten, readStdin, redirectEffects } from './redirect.ts'
import type { Word } from './shell-analysis.ts'
import {
  copyScope,
  insideBranch,
  insideSubshell,
  isSpent,
  joinBases,
  type Place,
  remember,
  report,
  somePipe,
  type Walk,
  withFunction,
  withInput,
} from './walk.ts'
import { runCommand } from './walk-command.ts'
import { keepFunction } from './walk-function.ts'
import { runArithmetic, runWordParts } from './walk-parts.ts'
import { runTest } from './walk-test.ts'

export function runScript(walk: Walk, script: ParsedScript, place: Place): void {
  runStatements(walk, script.commands, place)
}

function runStatements(walk: Walk, statements: readonly Statement[], place: Place): void {
  if (place.depth > MAX_NESTING) {
    report(walk, 'refused', 'is nested more than 200 deep', place.span ?? { start: 0, end: place.text.length })
    return
  }
  for (const statement of statements) {
    // What was looked up is void: the second analysis does the rest.
    if (walk.usedVariable && walk.unsafeVariables && walk.resolves) return
    if (isSpent(walk)) return
    runStatement(walk, statement, place)
  }
}

function runStatement(walk: Walk, statement: Statement, place: Place): void {
  const here = statement.background ? insideSubshell(place) : place
  if (statement.command.type === 'AndOr') runAndOr(walk, statement.command, here)
  else runNode(walk, statement.command, here)
}

function runList(walk: Walk, list: CompoundList | undefined, place: Place): void {
  if (list) runStatements(walk, list.commands, place)
}

/** Within the chain every part before succeeded (or failed) as its operator says; after it nobody knows how far it came. */
function runAndOr(walk: Walk, list: AndOr, place: Place): void {
  const [first, ...others] = list.commands
  if (!first) return
  const { scope } = place
  const { bases: start, failedBases: failedStart } = scope
  runNode(walk, first, place)
  let ends = scope.bases
  let failed = scope.failedBases
  others.forEach((command, index) => {
    const before = scope.bases
    if (list.operators[index] === '||') scope.bases = joinBases(start, before)
    // What stands behind `&&` runs where the `cd` before it succeeded.
    else scope.failedBases = failedStart
    runNode(walk, command, { ...place, certain: false })
    if (leaves(command)) scope.bases = before
    else ends = joinBases(ends, scope.bases)
    failed = leaves(command) ? failedStart : [...new Set([...failed, ...scope.failedBases])]
  })
  scope.bases = ends
  scope.failedBases = failed
}

function runNode(walk: Walk, node: PipelineNode, place: Place): void {
  switch (node.type) {
    case 'Command':
      runCommand(walk, node, place)
      return
    case 'Pipeline':
      runPipeline(walk, node, place)
      return
    case 'Redirected':
      runRedirected(walk, node, place)
      return
    case 'Subshell':
      runList(walk, node.body, insideSubshell(place))
      return
    case 'BraceGroup':
      runList(walk, node.body, { ...place, depth: place.depth + 1 })
      return
    case 'If':
      runIf(walk, node, place)
      return
    case 'For':
    case 'Select':
      runFor(walk, node, place)
      return
    case 'ArithmeticFor':
      runArithmeticFor(walk, node, place)
      return
    case 'While':
      runWhile(walk, node, place)
      return
    case 'Case':
      runCase(walk, node, place)
      return
    case 'Function':
      runFunction(walk, node, place)
      return
    case 'Coproc':
      runCoproc(walk, node, place)
      return
    case 'TestCommand':
      runTest(walk, node.expression, place)
      return
    case 'ArithmeticCommand':
      runArithmetic(walk, node.expression, place)
      return
  }
}

/** Of a long pipeline the first names are enough. */
const MAX_NAMES = 64

function runPipeline(walk: Walk, node: Pipeline, place: Place): void {
  const only = node.commands.length === 1 ? node.commands[0] : undefined
  if (only) {
    runNode(walk, only, place)
    return
  }
  let { stdin } = place.input
  const from = walk.units.length
  for (const command of node.commands) {
    if (isSpent(walk)) return
    walk.meter.spend(PIPED_WORK)
    runNode(walk, command, withInput(insideSubshell(place), stdin, command.type !== 'Command'))
    const names: readonly Word[] = stdin.kind === 'pipe' ? stdin.names : []
    stdin = {
      kind: 'pipe',
      text: printedText(walk, command, withInput(place, stdin, false)),
      names: [...names, ...listedNames(walk, command, place)].slice(0, MAX_NAMES),
      from,
      ...sentFiles(walk, command, place),
    }
  }
}

function runRedirected(walk: Walk, node: Redirected, place: Place): void {
  for (const redirect of node.redirects) redirectEffects(walk, redirect, place, -1)
  noteWritten(walk, node.redirects, place, null)
  const stdin = readStdin(walk, node.redirects, place)
  runNode(walk, node.command, stdin ? withInput(place, stdin, true) : place)
}

function runIf(walk: Walk, node: If, place: Place): void {
  const { scope } = place
  const branch = insideBranch(place)
  runList(walk, node.clause, { ...place, depth: place.depth + 1 })
  let ends: Place['scope']['bases'] | undefined
  let clause = scope.bases
  const takeBranch = (list: CompoundList | undefined) => {
    scope.bases = clause
    runList(walk, list, branch)
    ends = ends === undefined ? scope.bases : joinBases(ends, scope.bases)
  }
  takeBranch(node.then)
  for (const other of node.elif) {
    scope.bases = clause
    runList(walk, other.clause, branch)
    clause = scope.bases
    takeBranch(other.then)
  }
  takeBranch(node.else)
  scope.bases = ends ?? clause
}

/** Runs a part that may repeat. If it moves, nothing relative inside is certain, and neither is what follows. */
function repeat(walk: Walk, place: Place, body: (branch: Place) => void): void {
  const { scope } = place
  const start = scope.bases
  const firstEffect = walk.effects.length
  body(insideBranch(place))
  if (sameBases(start, scope.bases)) return
  for (let index = firstEffect; index < walk.effects.length; index++) {
    const effect = walk.effects[index]
    if (effect && effect.insteadOf === undefined && !effect.path.value?.startsWith('/')) walk.effects[index] = { ...effect, base: null }
  }
  scope.bases = null
}

function runFor(walk: Walk, node: For | Select, place: Place): void {
  const values: Word[] = []
  for (const word of node.wordlist ?? []) {
    for (const value of expandWord(walk, word, place.scope)) {
      noteLoaded(walk, value)
      values.push(value)
    }
    runWordParts(walk, word, place)
  }
  const known = node.wordlist !== undefined && values.length > 0 && values.every(value => value.value !== null)
  const name = node.name.value
  if (isSpecialVariable(name))
    report(walk, 'unclear', `the loop sets ${name}, which programs act on`, place.span ?? { start: node.pos, end: node.end })
  repeat(walk, place, branch => {
    const scope = known && node.type === 'For' ? { ...branch.scope, variables: new Map(branch.scope.variables) } : branch.scope
    if (known && node.type === 'For') remember(scope.variables, name, values)
    else forget(walk, place, name)
    runList(walk, node.body, { ...branch, scope })
    branch.scope.bases = scope.bases
  })
  forget(walk, place, name)
}

/** A variable that now holds something unknown. */
function forget(walk: Walk, place: Place, name: string): void {
  if (!place.scope.variables.has(name)) return
  place.scope.variables.delete(name)
  walk.unsafeVariables = true
}

function runArithmeticFor(walk: Walk, node: ArithmeticFor, place: Place): void {
  repeat(walk, place, branch => {
    for (const part of [node.initialize, node.test, node.update]) runArithmetic(walk, part, branch)
    runList(walk, node.body, branch)
  })
}

function runWhile(walk: Walk, node: While, place: Place): void {
  repeat(walk, place, branch => {
    runList(walk, node.clause, branch)
    runList(walk, node.body, branch)
  })
}

function runCase(walk: Walk, node: Case, place: Place): void {
  runWordParts(walk, node.word, place)
  const { scope } = place
  const start = scope.bases
  let ends = start
  for (const item of node.items) {
    for (const pattern of item.pattern) runWordParts(walk, pattern, place)
    if (item.terminator === ';;' || item.terminator === undefined) scope.bases = start
    runList(walk, item.body, insideBranch(place))
    ends = joinBases(ends, scope.bases)
  }
  scope.bases = ends
}

function runFunction(walk: Walk, node: FunctionNode, place: Place): void {
  const inner: Place = { ...insideBranch(place), scope: copyScope(place.scope), input: { ...place.input } }
  const start = inner.scope.bases
  keepFunction(walk, { node, text: place.text, inputs: new Set([place.input.stdin]), running: false })
  runBody(walk, node, inner)
  const moves = !sameBases(start, inner.scope.bases)
  walk.unsafeVariables = true
  walk.functionsMove ||= moves
  if (place.certain) place.scope.functions = withFunction(place.scope.functions, node.name.value, { bases: start, moves })
}

export function runBody(walk: Walk, { body }: FunctionNode, place: Place): void {
  if (body.type === 'CompoundList') runList(walk, body, place)
  else runNode(walk, body, place)
}

function runCoproc(walk: Walk, node: Coproc, place: Place): void {
  const inner = insideSubshell(place)
  const name = node.name?.text ?? ''
  if (isSpecialVariable(name)) report(walk, 'unclear', `coproc sets ${name}`, place.span ?? { start: node.pos, end: node.end })
  const piped = withInput(inner, somePipe, true)
  if (node.body.type === 'CompoundList') runList(walk, node.body, piped)
  else runNode(walk, node.body, piped)
}
