// What a rule's flag asks of a command's flags: itself, its other spelling, or its letters one by one.
import { globMatches, globOf } from '../match/glob.ts'
import { hasWildcard } from './command-pattern.ts'
import { abbreviates, longFlags, singleDashPrograms } from './flag-table.ts'

export type FlagNeed = (flags: readonly string[]) => boolean

export function flagNeeds(program: string, subcommand: string | null, flag: string): FlagNeed[] {
  if (hasWildcard(flag)) {
    const glob = globOf(flag)
    return [flags => flags.some(given => globMatches(glob, given))]
  }
  if (flag === '--') return []
  if (flag.startsWith('--')) return [flags => flags.some(given => given === flag || abbreviates(program, given, flag))]
  if (singleDashPrograms.has(program)) return [flags => flags.includes(flag)]
  const letters = [...flag.slice(1)].map(letter => letterNeed(program, subcommand, letter))
  return [flags => flags.includes(flag) || letters.every(need => need(flags))]
}

function letterNeed(program: string, subcommand: string | null, letter: string): FlagNeed {
  const long = longFlags(program, subcommand, letter)
  const short = `-${letter}`
  const isGiven = (flags: readonly string[], name: string): boolean =>
    flags.some(given => given === name || abbreviates(program, given, name))
  return flags => flags.includes(short) || long?.every(name => isGiven(flags, name)) === true
}
