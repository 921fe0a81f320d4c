// A program that no rule names may be a wrapper that no table knows (`fakeroot rm -rf x`): when its arguments spell a
// forbidden command, a broad allow such as `Bash(*)` does not cover it.
import type { Unit } from '../match/shell/shell-analysis.ts'
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

/** A rule of two words or more (`rm -rf`, `git push`): one word alone is too often only a name (`apt install curl`). */
export function findCarried(index: CommandIndex, unit: Unit, reading: ProgramReading): Rule | null {
  const program = unit.words[0]?.value ?? null
  if (program === null || TEXT_PROGRAMS.has(baseName(program))) return null
  for (let at = 1; at < Math.min(unit.words.length - 1, MAX_WORDS); at++) {
    const first = unit.words[at]?.value ?? null
    if (first === null || !/^[\w./+-]*\w$/.test(first) || first.startsWith('-')) continue
    const found = findForbidding(index, new UnitView(unit, unit.words.slice(at), { reading }))
    const words = found?.rule.pattern.words ?? []
    if (found?.match === 'must' && words.length > 1 && words[0] === baseName(first)) return found.rule.rule
  }
  return null
}
