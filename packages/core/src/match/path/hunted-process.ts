// A line that ends whatever another of its commands lists (`ps aux | grep x | xargs kill`): whether that may be one of Belay's processes. What
// narrows the list decides: a filter that lets none of ours through leaves them alone, and a list that nothing narrows holds all of them.
import type { Word } from '../shell/shell-analysis.ts'
import { searchPattern } from './search-pattern.ts'

/** Names and command lines of processes of ours. */
export const OWN_NAMES = ['node', 'MainThread', 'node-MainThread', 'belay', 'belayd', 'belay-hook']
export const OWN_LINES = [
  'node /usr/lib/node_modules/@belay/host/bin/belay.cjs up',
  'node /usr/local/bin/belay up',
  'belay run',
  'belay mcp-proxy',
]

export interface ListedUnit {
  /** Name of the program. */
  readonly program: string
  readonly words: readonly Word[]
}

const FILTERS = /^(?:[efz]?grep|rg|ag|ack|ugrep)$/
const SCRIPTED = /^(?:[gmn]?awk|g?sed|perl)$/
const TURNED = /^-[a-zA-Z]*v|^--invert-match$/
/** Options of ps that name the processes themselves. */
const CHOOSING = /^(?:-[a-zA-Z]*[pCts]|--(?:ppid|pid|tty|sid|quick-pid)(?:=.*)?|-?\d+)$/

/** The command by which the line may find one of ours; null: none does. */
export function findHunter<T extends ListedUnit>(units: readonly T[]): T | null {
  const lister = units.find(({ program, words }) => program === 'ps' && !words.slice(1).some(word => CHOOSING.test(word.value ?? '')))
  const filters = units.filter(isFilter)
  if (lister === undefined) return filters.find(unit => patternsOf(unit).some(mayBeOurs)) ?? null
  const keepsOurs = (unit: T): boolean => patternsOf(unit).some(mayBeOurs)
  return filters.every(keepsOurs) ? (filters[0] ?? lister) : null
}

function isFilter(unit: ListedUnit): boolean {
  if (FILTERS.test(unit.program)) return !unit.words.some(word => TURNED.test(word.value ?? ''))
  return SCRIPTED.test(unit.program) && patternsOf(unit).length > 0
}

/** null: known only when it runs. */
function patternsOf({ program, words }: ListedUnit): readonly (string | null)[] {
  const values = words.slice(1).map(word => word.value)
  if (FILTERS.test(program)) return values.filter(value => value === null || !value.startsWith('-'))
  return values.flatMap(value => (value === null ? [] : [...value.matchAll(/\/((?:[^/\\]|\\.)+)\//g)].map(found => found[1] ?? '')))
}

/** Read generously: a bracket expression may be any character (`[b]elay`), and groups are written in two ways. */
function mayBeOurs(pattern: string | null): boolean {
  if (pattern === null) return true
  const wide = pattern.replace(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, '.')
  return [wide, wide.replace(/\\([(){}|+?])/g, '$1')].some(text => [...OWN_NAMES, ...OWN_LINES].some(searchPattern(text)))
}
