// Applies a program's table row to one command: verbs, wrappers, options, operands.
import { applyOperands } from './apply-operand.ts'
import { applyOption } from './apply-option.ts'
import { type Call, notCovered, runInner, startUnit, touchArgument } from './call.ts'
import { guessLaunch } from './guess-launch.ts'
import { guessFiles } from './likely-file.ts'
import { type ParsedArguments, parseOptions } from './parse-options.ts'
import { applyPathList } from './path-list.ts'
import { applyReader } from './reader/reader.ts'
import type { Word } from './shell-analysis.ts'
import { type Command, factsOf } from './table/facts.ts'
import { findProgram } from './table/find-program.ts'
import type { Program } from './table/program.ts'
import { textWord } from './word.ts'
import { runWrapper } from './wrapper.ts'

/** `from`: position of the first argument that belongs to `program`; before it stand the names of program and verbs. */
export function applyProgram(call: Call, program: Program, from: number, facts = factsOf(call.name)): void {
  if (program.danger) notCovered(call, `${call.name} ${program.danger}`)
  const words = program.reader === undefined ? call.words : applyReader(call, program, from)
  if (words === null) return
  if (program.reader === 'statement') startStatement(call)
  if (program.starts !== undefined) {
    const given = words.slice(from + (program.skip ?? 0))
    runInner(call, { words: [textWord(program.starts), ...given], behind: call.name, role: 'deny-only' })
    return
  }
  const parsed = parseOptions(program, words, from, facts)
  if (program.wrapper) {
    runWrapper(call, program, parsed)
    return
  }
  const options = program.movesFirst ? [...parsed.options].sort((a, b) => moves(b) - moves(a)) : parsed.options
  const place = options.reduce((at, option) => applyOption({ ...call, place: at }, option, parsed), call.place)
  const inner = place === call.place ? call : { ...call, place }
  const verbs = program.verbs ? verbPositions(call, program, parsed) : []
  const [verbAt] = verbs
  applyPathList(inner, program, parsed)
  if (verbAt === undefined) {
    if (program.operands) applyOperands(inner, program, parsed, words)
    else if (program.reader === undefined || program.reader === 'build-file') guessFiles(inner, words.slice(from))
    applyModule(inner, parsed, words)
    if (program.launches) guessLaunch(inner, from)
    return
  }
  let found = false
  for (const at of verbs) {
    const verb = findVerb(call, program, facts, words[at]?.value ?? '')
    if (!verb) continue
    found = true
    applyProgram(inner, verb.program, at + 1, verb.facts)
  }
  if (found) return
  if (program.otherVerb) applyProgram(inner, program.otherVerb, verbAt)
  else if (program.operands) applyOperands(inner, program, parsed, words)
  else {
    guessFiles(inner, words.slice(verbAt))
    guessLaunch(inner, verbAt)
  }
}

/** The first operand, and the next where that may be the value of an option, or names a toolchain (`cargo +nightly`). */
function verbPositions(call: Call, program: Program, { operands, uncertain }: ParsedArguments): readonly number[] {
  const start = program.beforeVerb ?? 0
  const isPassedOver = (at: number): boolean => uncertain.includes(at) || call.words[at]?.value?.startsWith('+') === true
  let end = start
  while (end < operands.length - 1 && isPassedOver(operands[end] ?? -1)) end++
  return operands.slice(start, end + 1)
}

interface FoundVerb {
  readonly program: Program
  readonly facts: Command | undefined
}

/** By its name, by any other that the program takes for it, or by its beginning. */
function findVerb(call: Call, { verbs = {} }: Program, facts: Command | undefined, name: string): FoundVerb | null {
  const child = facts?.child(name)
  const own = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (own) return { program: own, facts: child }
  if (child) {
    const elsewhere = child.path.reduce<Program | undefined>((at, word) => at?.verbs?.[word], findProgram(call.name))
    return elsewhere ? { program: elsewhere, facts: child } : null
  }
  const cut = name.length > 1 ? Object.keys(verbs).filter(verb => verb.startsWith(name)) : []
  const only = cut.length === 1 ? verbs[cut[0] ?? ''] : undefined
  return only ? { program: only, facts: undefined } : null
}

function moves({ use }: ParsedArguments['options'][number]): number {
  return use === 'directory' || use === 'project-directory' ? 1 : 0
}

/** `psql <<< 'DROP TABLE x'` is `psql 'DROP TABLE x'` to a rule. */
function startStatement(call: Call): void {
  const { stdin } = call.place
  const text = stdin.kind === 'text' || stdin.kind === 'pipe' ? stdin.text : null
  if (text === null) return
  startUnit(call.walk, { ...call.invocation, words: [...call.words, text] }, { ...call.place, role: 'deny-only' }, call.name)
}

/** `python -m pytest -p x` is `pytest -p x`; what other modules are given they may read. */
function applyModule(call: Call, { options, operands }: ParsedArguments, words: readonly Word[]): void {
  const module = options.find(option => option.use === 'module')?.value
  if (!module) return
  const given = operands.map(index => words[index] as Word)
  startUnit(call.walk, { ...call.invocation, words: [module, ...given] }, { ...call.place, role: 'deny-only' }, module.value ?? '')
  const program = findProgram(module.value ?? '')
  if (program && !program.wrapper) applyProgram({ ...call, name: module.value ?? '', words: [module, ...given] }, program, 1)
  else for (const word of given) if (word.value !== null && !word.value.startsWith('-')) touchArgument(call, 'read', word, 'deny-only')
}
