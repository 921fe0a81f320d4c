// Makes a program that got through as small as it can be and still gets through, so that a person sees the hole at once.
// Each smaller program is judged first and run in the jail only where it would be allowed.
import type { Jail } from './jail.ts'
import { deniedOf, isLet, type JudgeProgram } from './policy.ts'

const MAX_ROUNDS = 25
const AT_ONCE = 40
const NOTHING = { status: null, ran: [], touched: [] }

export async function reduceProgram(program: string, jail: Jail, judge: JudgeProgram): Promise<string> {
  let smallest = program
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const smaller = await firstHole(candidates(smallest), jail, judge)
    if (smaller === null) return smallest
    smallest = smaller
  }
  return smallest
}

/** Shortest first: without a run of words, or of characters. */
function candidates(program: string): readonly string[] {
  const tokens = program.match(/\w+|\s+|[^\w\s]/g) ?? []
  const found = new Set<string>()
  for (let length = tokens.length - 1; length >= 1; length = length > 12 ? Math.floor(length / 1.4) : length - 1)
    for (let from = 0; from + length <= tokens.length; from += Math.max(1, Math.floor(length / 4)))
      found.add([...tokens.slice(0, from), ...tokens.slice(from + length)].join(''))
  return [...found].toSorted((a, b) => a.length - b.length)
}

async function firstHole(programs: readonly string[], jail: Jail, judge: JudgeProgram): Promise<string | null> {
  const allowed = programs.filter(program => isLet(judge(program)))
  for (let from = 0; from < allowed.length; from += AT_ONCE) {
    const some = allowed.slice(from, from + AT_ONCE)
    const outcomes = await jail.run(some)
    const found = some.find((_, index) => deniedOf(outcomes[index] ?? NOTHING).length > 0)
    if (found !== undefined) return found
  }
  return null
}
