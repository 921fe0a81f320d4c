// How much work one decision may take. Some texts make the parser look from every character to the end, and from there again; others hand
// the same long text to a thousand commands, each of which is judged by it. No list of such texts is ever complete, so the looks themselves
// are counted, from the first character to the last rule: what is read, what comes of it (units, words, files), and each time that one of
// these is compared, resolved or looked through.
import type { EnvAssignment, Word } from './shell-analysis.ts'

/** In looks at a character. Ordinary text of 64 KiB takes two to ten for each. */
export const MAX_WORK = 1_500_000

/** What is found is judged afterwards: so many looks each. */
export const UNIT_WORK = 550
/** What another program starts is looked at under every name that it may have. */
export const STARTED_WORK = 600
export const FILE_WORK = 250
const WORD_WORK = 60
/** A word with a glob or an unknown part may become any of the protected files. */
const OPEN_WORD_WORK = 900
const OPEN_PART_WORK = 120
/** A word with Belay's name in it is looked up under each path that it may be. */
const OWN_WORD_WORK = 800
const OWN = /belay|mentu|genesis/i

/** `places`: the directories it may start from. */
export function wordWork({ value, glob, parts, source }: Word, places: number): number {
  if (value !== null && !glob) return source.length + WORD_WORK + (value.length > 4 && OWN.test(value) ? OWN_WORD_WORK : 0)
  return source.length + (OPEN_WORD_WORK + OPEN_PART_WORK * parts.length) * Math.max(1, places)
}

/** `a=b` alone runs nothing, and no value in it is looked for on the disk. */
const SET_WORK = 120
const SET_PART_WORK = 40
const SET_OPEN_WORK = 80

/** Each part of a pipeline has variables of its own, and hands on what it may have printed. */
export const PIPED_WORK = 100

export function assignmentWork(assignments: readonly EnvAssignment[]): number {
  let work = SET_WORK
  for (const { value } of assignments) {
    const isOpen = value.value === null || value.glob
    work += SET_PART_WORK * value.parts.length + (isOpen ? SET_OPEN_WORK : 0)
  }
  return work
}

/** A path is looked up folder by folder, each with all those before it. One that no system takes is not looked up; a home may make it longer. */
const MAX_PATH_LENGTH = 4096 + 512
const LONG_PATH = 1024

export function pathWork(length: number): number {
  if (length > MAX_PATH_LENGTH) return length
  return (length * length) / (length > LONG_PATH ? 24 : 64)
}

export class WorkSpent extends Error {
  constructor() {
    super('takes too long to read')
  }
}

export class Meter {
  spent = 0
  readonly limit: number

  constructor(limit = MAX_WORK) {
    this.limit = limit
  }

  spend(steps: number): void {
    this.spent += steps
    if (this.spent > this.limit) throw new WorkSpent()
  }
}

/** Whatever comes next is not read. */
export function isSpent({ spent, limit }: Meter): boolean {
  return spent > limit
}

/** Of the decision under way: it is made in one go, so that there is never more than one. */
let current: Meter | null = null

/** From now on work is counted by this meter; null: by none. Gives the one before, which whoever asks puts back. */
export function useMeter(meter: Meter | null): Meter | null {
  const before = current
  current = meter
  return before
}

/** Counts work of the decision under way; throws where that is too much. */
export function spend(steps: number): void {
  if (current !== null) current.spend(steps)
}
