// What a rule's flag asks of a command's flags: itself, its other spelling, or its letters one by one.
import { globMatches, globOf } from '../match/glob.ts'
import { hasWildcard } from './command-pattern.ts'
import type { CommandShape } from './flag-set.ts'
import { abbreviates, longFlags, singleDashPrograms } from './flag-table.ts'

/** `loose`: also what may be that flag, cut short (`--forc`) or by its first letter, where nobody knows what it is. */
export type FlagNeed = (given: GivenFlags, loose: boolean) => boolean

export type GivenFlags = Pick<CommandShape, 'program' | 'flags' | 'command'>

export function flagNeeds(program: string, subcommand: string | null, flag: string): FlagNeed[] {
  if (hasWildcard(flag)) {
    const glob = globOf(flag)
    return [({ flags }) => flags.some(given => globMatches(glob, given))]
  }
  if (flag === '--') return []
  if (flag.startsWith('--')) return [(given, loose) => isGiven(given, flag) || (loose && mayBeGiven(given, flag))]
  if (singleDashPrograms.has(program)) return [({ flags }) => flags.includes(flag)]
  const letters = [...flag.slice(1)].map(letter => letterNeed(program, subcommand, letter))
  return [(given, loose) => given.flags.includes(flag) || letters.every(need => need(given, loose))]
}

function letterNeed(program: string, subcommand: string | null, letter: string): FlagNeed {
  const long = longFlags(program, subcommand, letter)
  const short = `-${letter}`
  return (given, loose) =>
    given.flags.includes(short) ||
    long?.every(name => isGiven(given, name)) === true ||
    (loose && synonyms(given, short).some(name => mayBeGiven(given, name)))
}

function synonyms({ command }: GivenFlags, name: string): readonly string[] {
  return command?.option(name)?.names.filter(other => other.startsWith('--')) ?? []
}

function isGiven({ program, flags }: GivenFlags, name: string): boolean {
  return flags.some(given => given === name || abbreviates(program, given, name))
}

function mayBeGiven({ flags, command, program }: GivenFlags, name: string): boolean {
  const isUnknown = (given: string): boolean =>
    command?.option(given) === undefined && longFlags(program, null, given.slice(1)) === undefined
  return flags.some(given => mayMean(given, name) && isUnknown(given))
}

/** `--forc`, `--h`, and `-f` for `--force`. */
function mayMean(given: string, name: string): boolean {
  if (given.startsWith('--')) return given.length > 2 && given.length < name.length && name.startsWith(given)
  return given.length === 2 && given.charAt(1) === name.charAt(2)
}
