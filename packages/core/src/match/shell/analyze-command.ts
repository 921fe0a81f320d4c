// Shell text to what it would run and touch. Decides nothing, runs nothing, never throws: what cannot be read becomes a problem.
import { findRefusal, MAX_ARGUMENTS, MAX_COMMANDS } from './limits.ts'
import { parseScript } from './parse-script.ts'
import { runInvocation } from './run-invocation.ts'
import type { ShellAnalysis, ShellContext } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { inherited, isSpent, NO_FUNCTIONS, report } from './walk.ts'
import { runParts } from './walk-parts.ts'
import { runScript } from './walk-script.ts'

/** Nesting makes the parser read the same text again: at most this often on average. */
const MAX_CHARACTERS = 8 * 64 * 1024
const MAX_BRACE_WORDS = 4096

export function analyzeCommand(text: string, context: ShellContext): ShellAnalysis {
  const refusal = findRefusal(text)
  if (refusal !== null) return refused(text, refusal)
  try {
    const first = walkText(text, context, true)
    const walk = first.usedVariable && first.unsafeVariables && !isSpent(first) ? walkText(text, context, false) : first
    return { units: walk.units, effects: walk.effects, problems: walk.problems }
  } catch (error) {
    return refused(text, `cannot be analysed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function refused(text: string, message: string): ShellAnalysis {
  return { units: [], effects: [], problems: [{ kind: 'refused', message, span: { start: 0, end: text.length } }] }
}

function walkText(text: string, context: ShellContext, resolves: boolean): Walk {
  const walk: Walk = {
    context,
    units: [],
    effects: [],
    problems: [],
    resolves,
    usedVariable: false,
    unsafeVariables: false,
    budget: { characters: MAX_CHARACTERS, words: MAX_BRACE_WORDS, commands: MAX_COMMANDS, arguments: MAX_ARGUMENTS },
    loadedVariable: false,
    arithmeticVariable: false,
    runScript,
    runParts,
    runInvocation,
  }
  const scope = { bases: [context.cwd], variables: new Map(), functions: NO_FUNCTIONS }
  const place: Place = { scope, role: 'full', behind: [], certain: true, text, span: null, stdin: inherited, depth: 0, level: 0 }
  const script = parseScript(walk, text, place)
  if (script) runScript(walk, script, place)
  if (walk.loadedVariable && walk.arithmeticVariable) {
    report(walk, 'unclear', 'arithmetic runs the substitution in a subscript that a variable holds', { start: 0, end: text.length })
  }
  return walk
}
