// Applies a program's table row to one command: verbs, wrappers, options, operands.
import { applyOperands, applyOption } from './apply-option.ts'
import { type Call, notCovered } from './call.ts'
import { parseOptions } from './parse-options.ts'
import { applyReader } from './reader/reader.ts'
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
  const verbAt = program.verbs ? parsed.operands[0] : undefined
  if (verbAt === undefined) {
    applyOperands(inner, program, parsed, words)
    return
  }
  const verb = program.verbs?.[words[verbAt]?.value ?? '']
  if (verb) {
    applyProgram(inner, verb, verbAt + 1)
    return
  }
  if (program.operands) applyOperands(inner, program, parsed, words)
}
