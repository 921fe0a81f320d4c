// A script of the shell that lies on the disk and that a command runs: what it says of Belay, of its processes and of agents counts as if the
// command said it. Only that: what else a script does is its own, like what a program does.
import type { OperandContext } from '../match/path/protect-operand.ts'
import type { Protection } from '../match/path/protect-path.ts'
import { analyzeCommand } from '../match/shell/analyze-command.ts'
import { MAX_WORK, Meter } from '../match/shell/meter.ts'
import type { Unit, Word } from '../match/shell/shell-analysis.ts'
import { isShell } from '../match/shell/shell-program.ts'
import { baseName } from './flag-set.ts'
import type { JudgeInput } from './judge-part.ts'

export interface ScriptRun {
  readonly input: JudgeInput
  readonly unit: Unit
  readonly context: OperandContext
  /** What is asked of each command in the script. */
  readonly said: (unit: Unit, context: OperandContext) => Protection | null
  /** What is asked of all of them together. */
  readonly saidTogether: (units: readonly Unit[], text: string, context: OperandContext) => Protection | null
}

const LONGEST = 64 * 1024
/** A script may run others. */
const DEEPEST = 3
const NONE: readonly string[] = []

export function protectScript(run: ScriptRun, depth = 0): Protection | null {
  const { unit, context } = run
  const script = scriptOf(unit.words)
  if (script?.value === undefined || script.value === null || depth === DEEPEST) return null
  for (const base of script.value.startsWith('/') ? ['/'] : (context.bases ?? NONE)) {
    const { real, lexical } = context.resolve(script.value, base)
    const file: ScriptFile = { path: real ?? lexical, cwd: context.bases?.[0] ?? base, isItself: script === unit.words[0], depth }
    const found = protectOnce(run, file)
    if (found !== null) return { decision: 'ask', reason: `${script.source}${found.reason}` }
  }
  return null
}

interface ScriptFile {
  readonly path: string
  readonly cwd: string
  /** Started by its own name, not handed to a shell. */
  readonly isItself: boolean
  readonly depth: number
}

/** Of the decision that a meter belongs to. */
const judgedScripts = new WeakMap<Meter, Map<string, Protection | null>>()

/** The same script on one line a thousand times is read once. */
function protectOnce(run: ScriptRun, file: ScriptFile): Protection | null {
  const { meter } = run.input
  const scripts = judgedScripts.get(meter) ?? new Map<string, Protection | null>()
  judgedScripts.set(meter, scripts)
  const key = `${file.depth}${file.isItself} ${file.path.length} ${file.path}${file.cwd}`
  const known = scripts.get(key)
  if (known !== undefined) return known
  const found = protectFile(run, file)
  scripts.set(key, found)
  return found
}

function protectFile(run: ScriptRun, file: ScriptFile): Protection | null {
  const { input, context, said } = run
  const text = readScript(context, file)
  if (text === null) return null
  const units = unitsOf(input, text, file.cwd)
  const line = run.saidTogether(units, text, context)
  if (line !== null) return { decision: 'ask', reason: `: ${line.reason}` }
  for (const each of units) {
    const inside = { ...context, bases: each.bases }
    const found = said(each, inside) ?? protectScript({ ...run, unit: each, context: inside }, file.depth + 1)
    if (found !== null) return { decision: 'ask', reason: ` runs ${each.source}: ${found.reason}` }
  }
  return null
}

/** `sh x`, `. x`, `./x`. */
function scriptOf(words: readonly Word[]): Word | null {
  const head = words[0]
  const value = head?.value ?? null
  if (head === undefined || value === null) return null
  const name = baseName(value)
  if (isShell(name)) return words.some((word, at) => at > 0 && /^-[a-zA-Z]*[cs]/.test(word.value ?? '')) ? null : firstOperand(words)
  if (name === '.' || name === 'source') return firstOperand(words)
  return value.includes('/') ? head : null
}

function firstOperand(words: readonly Word[]): Word | null {
  return words.find((word, at) => at > 0 && word.value?.startsWith('-') !== true) ?? null
}

/** null: none of the shell, or nothing in it is about us. */
function readScript({ protectedPaths: { files } }: OperandContext, { path, isItself }: ScriptFile): string | null {
  const text = files.text(path)
  if (text === null || text.length > LONGEST || !OF_INTEREST.test(text)) return null
  const program = /^#!\s*(?:\S*\/env\s+(?:-\S+\s+)*)?(\S+)/.exec(text)?.[1]
  const isOfShell = program === undefined ? !isItself || !text.includes('\0') : isShell(baseName(program))
  return isOfShell ? text : null
}

const OF_INTEREST = /belay|mentu|claude|codex|gemini|qwen|opencode|copilot|cursor|goose|droid|grok|kiro|cline|\bcn\b|\bpi\b|kill/i

/** A script that takes more is like a program: nobody reads it. */
const MAX_SCRIPT_WORK = MAX_WORK / 2

function unitsOf({ context, meter }: JudgeInput, text: string, cwd: string): readonly Unit[] {
  const { root, home, harmlessEnv = NONE, ownFiles = NONE } = context
  const own = new Meter(MAX_SCRIPT_WORK)
  const { units } = analyzeCommand(text, { cwd, root, home, harmlessEnv, ownFiles }, own)
  meter.spend(own.spent)
  return units
}
