// Applies a program's table row to one command: verbs, wrappers, options, operands.
import { applyOperands } from './apply-operand.ts'
import { applyOption } from './apply-option.ts'
import { type Call, notCovered, touchArgument } from './call.ts'
import { guessFiles } from './likely-file.ts'
import { type ParsedArguments, parseOptions } from './parse-options.ts'
import { applyReader } from './reader/reader.ts'
import type { Word } from './shell-analysis.ts'
import { findProgram } from './table/find-program.ts'
import type { Program } from './table/program.ts'
import { runWrapper } from './wrapper.ts'

/** `from`: position of the first argument that belongs to `program`; before it stand the names of program and verbs. */
export function applyProgram(call: Call, program: Program, from: number): void {
  if (program.danger) notCovered(call, `${call.name} ${program.danger}`)
  const words = program.reader === undefined ? call.words : applyReader(call, program, from)
  if (words === null) return
  const parsed = parseOptions(program, words, from)
  if (program.wrapper) {
    runWrapper(call, program, parsed)
    return
  }
  const place = parsed.options.reduce((at, option) => applyOption({ ...call, place: at }, option, parsed), call.place)
  const inner = place === call.place ? call : { ...call, place }
  const verbAt = program.verbs ? parsed.operands[program.beforeVerb ?? 0] : undefined
  if (verbAt === undefined) {
    if (program.operands) applyOperands(inner, program, parsed, words)
    else if (program.reader === undefined) guessFiles(inner, words.slice(from))
    applyModule(inner, parsed, words)
    return
  }
  const verb = program.verbs?.[words[verbAt]?.value ?? '']
  if (verb) applyProgram(inner, verb, verbAt + 1)
  else if (program.otherVerb) applyProgram(inner, program.otherVerb, verbAt)
  else if (program.operands) applyOperands(inner, program, parsed, words)
  else guessFiles(inner, words.slice(verbAt))
}

/** `python -m pytest -p x` is `pytest -p x`; what other modules are given they may read. */
function applyModule(call: Call, { options, operands }: ParsedArguments, words: readonly Word[]): void {
  const module = options.find(option => option.use === 'module')?.value
  if (!module) return
  const given = operands.map(index => words[index] as Word)
  const program = findProgram(module.value ?? '')
  if (program && !program.wrapper) applyProgram({ ...call, name: module.value ?? '', words: [module, ...given] }, program, 1)
  else for (const word of given) if (word.value !== null && !word.value.startsWith('-')) touchArgument(call, 'read', word, 'deny-only')
}
