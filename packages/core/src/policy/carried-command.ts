// A program that no rule names may be a wrapper that no table knows (`fakeroot rm -rf x`): when its arguments spell a
// forbidden command, a broad allow such as `Bash(*)` does not cover it.
import type { Unit, Word } from '../match/shell/shell-analysis.ts'
import { findProgram } from '../match/shell/table/find-program.ts'
import { textWord } from '../match/shell/word.ts'
import { type CommandIndex, findForbidding } from './command-index.ts'
import { baseName } from './flag-set.ts'
import type { ProgramReading } from './program-name.ts'
import type { Rule } from './rule.ts'
import { UnitView } from './unit-view.ts'

/** Programs to which a command is only text. */
const TEXT_PROGRAMS: ReadonlySet<string> = new Set(
  'echo printf grep egrep fgrep rg ag ack git gh hub glab man info which whereis type logger say tldr whatis apropos test [ [[ jq'.split(
    ' ',
  ),
)
/** A wrapper's own options come first and are few. */
const MAX_WORDS = 24

/** Programs that are given the names of programs, not commands. */
const NAME_PROGRAMS: ReadonlySet<string> = new Set(
  'pkill killall pgrep pidof brew apt apt-get apk dnf yum pacman snap hash unalias'.split(' '),
)

/** A rule of one word (`curl`) counts only where a command can start: a word alone is too often a name (`apt install curl`). */
export function findCarried(index: CommandIndex, unit: Unit, reading: ProgramReading): Rule | null {
  const program = unit.words[0]?.value ?? null
  if (program === null || TEXT_PROGRAMS.has(baseName(program))) return null
  for (let at = 1; at < Math.min(unit.words.length, MAX_WORDS); at++) {
    const words = commandAt(unit, at)
    const first = words[0]?.value ?? null
    if (words.length < 2 || first === null || !/^[\w./+-]*\w$/.test(first) || first.startsWith('-')) continue
    const found = findForbidding(index, new UnitView(unit, words, { reading }))
    const pattern = found?.rule.pattern.words ?? []
    if (found?.match !== 'must' || pattern[0] !== baseName(first)) continue
    if (pattern.length > 1 || startsCommand(unit, at)) return found.rule.rule
  }
  return null
}

/** `--command=curl x`. */
const GLUED = /^--?(?:command|cmd|exec|run|call|script|shell)=/

/** The words from here on, or those within this word when it holds a command line of its own. */
function commandAt(unit: Unit, at: number): readonly Word[] {
  const value = (unit.words[at]?.value ?? '').replace(GLUED, '')
  if (!/^\s*[\w./+-]+\s+\S/.test(value)) return unit.words.slice(at)
  return value
    .trim()
    .split(/\s+/, MAX_WORDS)
    .map(part => textWord(part))
}

/** Verbs behind which launchers take a command. */
const LAUNCH = /^(?:exec|execute|run|cmd|x|dlx|start|spawn|launch|shell|foreach|--)$/

/** After `--` or such a verb, as one whole argument, or first thing after a program that no table knows and its options. */
function startsCommand(unit: Unit, at: number): boolean {
  const program = baseName(unit.words[0]?.value ?? '')
  const before = unit.words[at - 1]?.value ?? ''
  const word = unit.words[at]?.value ?? ''
  if (NAME_PROGRAMS.has(program)) return before === '--'
  if (LAUNCH.test(before) || GLUED.test(word)) return true
  const isAfterOption = before.startsWith('-') || unit.words[at - 2]?.value?.startsWith('-') === true
  return findProgram(program) === undefined && (at === 1 || isAfterOption || /\s/.test(word))
}
