// Shell text to what it would run and touch. Decides nothing, runs nothing, never throws: what cannot be read becomes a problem.
import { errorText } from '../../value/error-text.ts'
import { findRefusal, MAX_ARGUMENTS, MAX_COMMANDS } from './limits.ts'
import { runLoaded } from './loaded-subscript.ts'
import { noFiles } from './made-file.ts'
import { Meter, WorkSpent } from './meter.ts'
import { parseScript } from './parse-script.ts'
import { patchFiles, touchWrittenPatches } from './patch-file.ts'
import { substitutedText } from './printed-text.ts'
import { readStdin } from './redirect.ts'
import { runInvocation } from './run-invocation.ts'
import { runMade } from './run-made.ts'
import type { ShellAnalysis, ShellContext } from './shell-analysis.ts'
import type { Place, Walk } from './walk.ts'
import { inherited, isSpent, NO_FUNCTIONS } from './walk.ts'
import { runParts } from './walk-parts.ts'
import { runBody, runScript } from './walk-script.ts'

/** Nesting makes the parser read the same text again: at most this often on average. */
const MAX_CHARACTERS = 8 * 64 * 1024
const MAX_BRACE_WORDS = 4096

export function analyzeCommand(text: string, context: ShellContext, meter: Meter = new Meter()): ShellAnalysis {
  const refusal = findRefusal(text)
  if (refusal !== null) return refused(text, refusal)
  try {
    const first = walkText(text, { context, meter, resolves: true })
    const walk =
      first.usedVariable && first.unsafeVariables && !isSpent(first) ? walkText(text, { context, meter, resolves: false }) : first
    return { units: walk.units, effects: walk.effects, problems: walk.problems, patches: patchFiles(walk), names: walk.made.names }
  } catch (error) {
    if (error instanceof WorkSpent) return refused(text, error.message)
    return refused(text, `cannot be analysed: ${errorText(error)}`)
  }
}

function refused(text: string, message: string): ShellAnalysis {
  return { units: [], effects: [], problems: [{ kind: 'refused', message, span: { start: 0, end: text.length } }] }
}

function walkText(text: string, { context, meter, resolves }: Pick<Walk, 'context' | 'meter' | 'resolves'>): Walk {
  const walk: Walk = {
    context,
    meter,
    resolves,
    parsed: 0,
    units: [],
    effects: [],
    problems: [],
    patches: [],
    patchTexts: [],
    made: noFiles(),
    usedVariable: false,
    unsafeVariables: false,
    budget: { characters: MAX_CHARACTERS, words: MAX_BRACE_WORDS, commands: MAX_COMMANDS, arguments: MAX_ARGUMENTS },
    loadedTexts: new Set(),
    ranTexts: new Set(),
    arithmeticVariable: false,
    hasSearchPath: false,
    hasOtherHome: false,
    substituting: 0,
    functions: new Map(),
    functionsMove: false,
    earlyCalls: new Map(),
    runScript,
    runBody,
    readStdin,
    runParts,
    substitutedText,
    runInvocation,
  }
  const scope = { bases: [context.cwd], failedBases: [], variables: new Map(), functions: NO_FUNCTIONS }
  const place: Place = {
    scope,
    role: 'full',
    behind: [],
    certain: true,
    text,
    span: null,
    stdin: inherited,
    input: { stdin: inherited, shared: true },
    depth: 0,
    level: 0,
  }
  const script = parseScript(walk, text, place)
  if (script) runScript(walk, script, place)
  if (walk.patches.length > 0) touchWrittenPatches(walk)
  runLoaded(walk, place)
  runMade(walk, place)
  // What was written and run may hold some of its own.
  runLoaded(walk, place)
  return walk
}
