// Self-protection of one command, beyond its file effects: verbs for people only, the daemon's socket and process, and
// programs that are handed Belay's own files in ways no table knows.
import { type ProtectCommandContext, protectCommand } from '../match/path/protect-command.ts'
import { type Protection, protectPath } from '../match/path/protect-path.ts'
import type { ResolvedPath } from '../match/path/resolve-path.ts'
import type { Unit } from '../match/shell/shell-analysis.ts'
import { baseName } from './flag-set.ts'
import { type Bench, resolveAt } from './judge-part.ts'

export function protectUnit(bench: Bench, unit: Unit, cwd: string): Protection | null {
  const { protectedPaths } = bench.places
  const context = { protectedPaths, resolve: (path: string): ResolvedPath => resolveAt(bench, path, cwd) }
  return protectCommand(unit.words, context) ?? protectMention(unit, context)
}

/** Programs that only look at the files they are given. */
const ONLOOKERS: ReadonlySet<string> = new Set(
  'ls cat head tail less more wc diff cmp stat file test [ [[ echo printf find fd grep rg git tree du jq cd pwd sha256sum md5sum belay mentu'.split(
    ' ',
  ),
)

/** Options with which find and fd do more than look. */
const ACTIONS = /^(?:-(?:exec|ok|delete|fprint|fls).*|-[xX]|--exec.*)$/

/** Any other program that is handed Belay's own files may change them in ways no table knows (`tar x -C .belay`). */
function protectMention(unit: Unit, context: ProtectCommandContext): Protection | null {
  const program = baseName(unit.words[0]?.value ?? '')
  if (ONLOOKERS.has(program) && !unit.words.some(word => ACTIONS.test(word.value ?? ''))) return null
  for (const { value } of unit.words.slice(1)) {
    if (value === null || !/\.(?:belay|mentu)\b/.test(value)) continue
    const paths = [value, value.slice(value.indexOf('=') + 1), value.slice(value.indexOf(':') + 1)]
    const found = paths.find(path => protectPath('write', context.resolve(path), context.protectedPaths)?.decision === 'deny')
    if (found !== undefined) return { decision: 'ask', reason: `${program} is given ${found}, which belongs to Belay` }
  }
  return null
}
