// Shell text to what it would run and touch. Decides nothing, runs nothing, never throws: what cannot be read becomes a problem.
import { errorText } from '../../value/error-text.ts'
import { findRefusal, MAX_ARGUMENTS, MAX_COMMANDS } from './limits.ts'
import { runLoaded } from './loaded-subscript.ts'
import type { MadeFiles } from './made-file.ts'
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
    const { units, effects, problems } = walk
    const patches = walk.patches.length === 0 ? NOTHING : patchFiles(walk)
    return { units, effects, problems, patches, names: walk.hasMade ? walk.made.names : NOTHING, ends: walk.ends }
  } catch (error) {
    if (error instanceof WorkSpent) return refused(text, error.message)
    return refused(text, `cannot be analysed: ${errorText(error)}`)
  }
}

const NOTHING: readonly never[] = []

function refused(text: string, message: string): ShellAnalysis {
  return { units: [], effects: [], problems: [{ kind: 'refused', message, span: { start: 0, end: text.length } }] }
}

function walkText(text: string, { context, meter, resolves }: Pick<Walk, 'context' | 'meter' | 'resolves'>): Walk {
  const walk: Walk = new LineWalk(context, meter, resolves)
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

/** What few lines need is made when one does. */
class LineWalk implements Walk {
  readonly context: ShellContext
  readonly meter: Meter
  readonly resolves: boolean
  parsed = 0
  readonly units: Walk['units'] = []
  readonly effects: Walk['effects'] = []
  readonly problems: Walk['problems'] = []
  readonly patches: Walk['patches'] = []
  readonly patchTexts: Walk['patchTexts'] = []
  usedVariable = false
  unsafeVariables = false
  readonly budget = { characters: MAX_CHARACTERS, words: MAX_BRACE_WORDS, commands: MAX_COMMANDS, arguments: MAX_ARGUMENTS }
  arithmeticVariable = false
  hasSearchPath = false
  hasOtherHome = false
  gitVariables: Walk['gitVariables'] = null
  substituting = 0
  functionsMove = false
  ends: Walk['ends'] = null
  readonly runScript = runScript
  readonly runBody = runBody
  readonly readStdin = readStdin
  readonly runParts = runParts
  readonly substitutedText = substitutedText
  readonly runInvocation = runInvocation
  #made: MadeFiles | null = null
  #loadedTexts: Set<string> | null = null
  #ranTexts: Set<string> | null = null
  #functions: Walk['functions'] | null = null
  #earlyCalls: Walk['earlyCalls'] | null = null

  constructor(context: ShellContext, meter: Meter, resolves: boolean) {
    this.context = context
    this.meter = meter
    this.resolves = resolves
  }

  get hasMade(): boolean {
    return this.#made !== null
  }

  get made(): MadeFiles {
    this.#made ??= { texts: new Map(), names: [], aliases: new Map() }
    return this.#made
  }

  get loadedTexts(): Set<string> {
    this.#loadedTexts ??= new Set()
    return this.#loadedTexts
  }

  get ranTexts(): Set<string> {
    this.#ranTexts ??= new Set()
    return this.#ranTexts
  }

  get functions(): Walk['functions'] {
    this.#functions ??= new Map()
    return this.#functions
  }

  get earlyCalls(): Walk['earlyCalls'] {
    this.#earlyCalls ??= new Map()
    return this.#earlyCalls
  }
}
