// `belay hooks test-pattern PATTERN TOOL ARGUMENT`: the same answer that a hook's matcher would give for this call.
import { callFromText, compileCallPattern } from '@belay/core/policy'
import { judgeContext } from '../config/genesis-context.ts'
import { findHome } from '../config/home.ts'
import { findProject } from '../config/project.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'

export interface TestPatternOptions {
  readonly pattern: string
  readonly tool: string
  readonly argument: string
  readonly json?: boolean
}

export function runTestPattern({ pattern, tool, argument, json }: TestPatternOptions, io: CommandIo): ExitCode {
  const compiled = compileCallPattern(pattern)
  if (!compiled.ok) {
    const { message, remedy, place } = compiled.problem
    return fail(io, `the pattern ${JSON.stringify(pattern)}, column ${place.column}: ${message}`, remedy)
  }
  const belayHome = findHome(io.env)
  const { root } = findProject(io.cwd, belayHome)
  // Paths of a pattern start at the root, so those of the argument do too.
  const match = compiled.match(callFromText(tool, argument), judgeContext({ root, cwd: root, belayHome, env: io.env, hasPolicy: false }))
  const isMatch = match !== 'no'
  if (json === true) printJson(io, { match: isMatch, certainty: isMatch ? match : null, pattern, tool, argument })
  else printLine(io.stdout, isMatch ? 'match' : 'no match')
  if (match === 'may' && json !== true)
    printLine(io.stderr, 'note: it depends on what only the running shell knows; deny and ask rules count it as a match')
  return isMatch ? 0 : 1
}
