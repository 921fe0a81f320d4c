// A variable that names a protected file or folder for a program (`GIT_INDEX_FILE=~/.belay/belay.db git read-tree HEAD`): what a program
// writes or empties there, it was told as surely as by an option.
import { isSpecialVariable } from '../shell/environment.ts'
import type { EnvAssignment, Unit, Word } from '../shell/shell-analysis.ts'
import { dropText, leadingText, textWord } from '../shell/word.ts'
import { below } from './path-anchors.ts'
import { type OperandContext, protectOperand } from './protect-operand.ts'
import type { Protection } from './protect-path.ts'

export function protectVariables(program: string, unit: Unit, context: OperandContext): Protection | null {
  for (const assignment of [...given(unit), ...exported(program, unit.words)]) {
    const found = protectVariable(assignment, context)
    if (found !== null) return found
  }
  return unit.words.length > 0 ? null : protectKept(unit.assignments, context)
}

/** `K=~/.belay/keys/signing.pem` alone: where the agent keeps its shell, a later call reads `$K`, and nobody knows what that is. */
function protectKept(assignments: readonly EnvAssignment[], context: OperandContext): Protection | null {
  const kept = assignments.find(
    ({ value }) => /belay|mentu/i.test(value.source) && protectOperand('read', value, context)?.decision === 'deny',
  )
  return kept === undefined ? null : { decision: 'ask', reason: `${kept.name} would name Belay's keys, tokens or sockets for later calls` }
}

/** Without a command only what programs act on counts: a name of the script's own is seen where it is used. */
function given({ words, assignments }: Unit): readonly EnvAssignment[] {
  return words.length > 0 ? assignments : assignments.filter(({ name }) => isSpecialVariable(name))
}

const EXPORTS = /^(?:export|setenv)$/
const DECLARES = /^(?:declare|typeset|readonly|local)$/

/** `export X=y`, `declare -x X=y`. */
function exported(program: string, words: readonly Word[]): readonly EnvAssignment[] {
  const isDeclared = DECLARES.test(program)
  if (!isDeclared && !EXPORTS.test(program)) return NONE
  const isExported = !isDeclared || words.some(({ value }) => /^-\w*x/.test(value ?? ''))
  return words.flatMap(word => {
    const name = /^(\w+)\+?=/.exec(leadingText(word))
    if (name === null || !(isExported || isSpecialVariable(name[1] ?? ''))) return []
    return [{ name: name[1] ?? '', value: dropText(word, name[0].length) }]
  })
}

const NONE: readonly EnvAssignment[] = []

/** `X=y; export X`: the names that a line hands to later commands. `all`: every one (`set -a`). */
export function protectExported(units: readonly Unit[], contextOf: (unit: Unit) => OperandContext): Unit | null {
  const names = exportedNames(units)
  if (names !== 'all' && names.size === 0) return null
  const isHanded = ({ name }: EnvAssignment): boolean => names === 'all' || names.has(name)
  const found = units.find(unit => {
    const handed = unit.words.length === 0 ? unit.assignments.filter(isHanded) : []
    return handed.some(assignment => protectVariable(assignment, contextOf(unit)) !== null)
  })
  return found ?? null
}

function exportedNames(units: readonly Unit[]): ReadonlySet<string> | 'all' {
  const names = new Set<string>()
  for (const { words } of units) {
    const program = words[0]?.value ?? ''
    const values = words.slice(1).map(({ value }) => value ?? '')
    if (program === 'set' && values.some(value => /^-\w*a|^allexport$/.test(value))) return 'all'
    if (EXPORTS.test(program) || (DECLARES.test(program) && values.some(value => /^-\w*x/.test(value))))
      for (const value of values) if (/^\w+$/.test(value)) names.add(value)
  }
  return names
}

/** Lists of folders to look for programs in are only looked at. */
const LOOKED_AT = /^(?:PATH|MANPATH|CDPATH|PWD|OLDPWD)$/
/** A program may empty or fill what these name. */
const FOLDER = /(?:DIR|DIRECTORY|CACHE|TREE|OUTPUT|PREFIX|TMP|TEMP)$/i
const LONGEST = 4096

function protectVariable({ name, value: word }: EnvAssignment, context: OperandContext): Protection | null {
  const text = leadingText(word)
  if (LOOKED_AT.test(name) || (word.value !== null && !/[/.~]/.test(text)) || text.length > LONGEST) return null
  const found = protectValue(name, word, context)
  return found === null ? null : { decision: 'ask', reason: `${name} leads a program there: ${found.reason}` }
}

function protectValue(name: string, word: Word, context: OperandContext): Protection | null {
  const whole = protectOperand('write', word, context)
  if (whole !== null) return whole
  if (word.value === null || word.glob) return null
  if (FOLDER.test(name) && isAboveOurs(word.value, context))
    return { decision: 'ask', reason: `Belay keeps its own files below ${word.value}` }
  // `NODE_OPTIONS='--report-dir=.belay'`, `X=a:b`; the words of a text for people are no paths.
  if (/\s/.test(word.value) && !isSpecialVariable(name)) return null
  for (const piece of word.value.split(/[\s=:,;'"]+/)) {
    const part = /[/.~]/.test(piece) && piece !== word.value ? protectOperand('write', textWord(piece), context) : null
    if (part !== null) return part
  }
  return null
}

/** The home and what lies above it. */
function isAboveOurs(path: string, { bases, resolve, protectedPaths: { kept } }: OperandContext): boolean {
  const starts = path.startsWith('/') ? ['/'] : (bases ?? [])
  return starts.some(base => {
    const { lexical, real } = resolve(path, base)
    return [lexical, real ?? lexical].some(folder => kept.below.some(one => below(one, folder) !== null))
  })
}
