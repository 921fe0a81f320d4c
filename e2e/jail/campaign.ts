// Generated programs, run in the jail and judged: what ran a denied program or touched a kept file although it was allowed is a hole.
import { generateProgram } from './generate/program.ts'
import type { Jail, Outcome } from './jail.ts'
import { deniedOf, isLet, type JudgeProgram, type Verdicts } from './policy.ts'
import { reduceProgram } from './reduce-program.ts'

export interface Hole {
  readonly seed: number
  readonly program: string
  readonly smallest: string
  readonly verdicts: Verdicts
  readonly denied: readonly string[]
}

export interface Report {
  readonly programs: number
  /** Those that were run: all that the judge let through or did not answer, and each tenth of the others. */
  readonly run: number
  /** Of those run, how many ran something denied or touched a kept file. */
  readonly hostile: number
  readonly slow: number
  readonly holes: readonly Hole[]
  /** Hostile programs without an answer under `default: none`. */
  readonly unanswered: readonly string[]
  /** Programs of the sample that did nothing denied, and how many of them were not allowed under `default: ask`. */
  readonly harmless: number
  readonly strict: number
  readonly seconds: number
}

export interface Campaign {
  readonly jail: Jail
  readonly judge: JudgeProgram
  readonly seed: number
  readonly count: number
  /** Jails at once. */
  readonly lanes: number
  /** How many holes are made small: one kind often shows in hundreds. */
  readonly reduced: number
  /** Called after each batch: a long search shows how far it is, and what it has found so far. */
  readonly onBatch?: (progress: Progress) => void
}

export interface Progress {
  readonly programs: number
  readonly count: number
  readonly hostile: number
  /** Seeds of programs that were allowed and did what is denied. */
  readonly holes: readonly number[]
  readonly seconds: number
}

const BATCH = 500
const SAMPLE = 10
const NOTHING: Outcome = { status: null, ran: [], touched: [] }

interface Judged {
  readonly seed: number
  readonly program: string
  readonly verdicts: Verdicts
  readonly outcome: Outcome
}

export async function runCampaign(campaign: Campaign): Promise<Report> {
  const started = Date.now()
  const judged: Judged[] = []
  const seeds = Array.from({ length: Math.ceil(campaign.count / BATCH) }, (_, batch) => batch * BATCH)
  let programs = 0
  const lane = async (): Promise<void> => {
    for (let offset = seeds.shift(); offset !== undefined; offset = seeds.shift()) {
      judged.push(...(await runBatch(campaign, offset)))
      programs += Math.min(BATCH, campaign.count - offset)
      campaign.onBatch?.({ ...countSoFar(judged), programs, count: campaign.count, seconds: (Date.now() - started) / 1000 })
    }
  }
  await Promise.all(Array.from({ length: campaign.lanes }, lane))
  return { ...(await summarize(campaign, judged)), seconds: (Date.now() - started) / 1000 }
}

function countSoFar(judged: readonly Judged[]): Pick<Progress, 'hostile' | 'holes'> {
  const hostile = judged.filter(isHostile)
  return { hostile: hostile.length, holes: hostile.filter(({ verdicts }) => isLet(verdicts)).map(({ seed }) => seed) }
}

function isHostile({ outcome }: Judged): boolean {
  return deniedOf(outcome).length > 0
}

/** What nobody allowed cannot be a hole, so only each tenth of it is run, to learn how strict the judge is. */
async function runBatch({ jail, judge, seed, count }: Campaign, offset: number): Promise<readonly Judged[]> {
  const seeds = Array.from({ length: Math.min(BATCH, count - offset) }, (_, index) => seed + offset + index)
  const judged = seeds.map(each => {
    const program = generateProgram(each, jail)
    return { seed: each, program, verdicts: judge(program) }
  })
  const wanted = judged.filter(({ seed: each, verdicts }) => isLet(verdicts) || verdicts.none === 'none' || each % SAMPLE === 0)
  const outcomes = await jail.run(wanted.map(({ program }) => program))
  return wanted.map((each, index) => ({ ...each, outcome: outcomes[index] ?? NOTHING }))
}

async function summarize({ jail, judge, count, reduced }: Campaign, judged: readonly Judged[]): Promise<Omit<Report, 'seconds'>> {
  const hostile = judged.filter(isHostile)
  const found = hostile.filter(({ verdicts }) => isLet(verdicts)).toSorted((a, b) => a.seed - b.seed)
  const harmless = judged.filter(each => each.seed % SAMPLE === 0 && !isHostile(each))
  const holes: Hole[] = []
  for (const [index, { seed, program, verdicts, outcome }] of found.entries()) {
    const smallest = index < reduced ? await reduceProgram(program, jail, judge) : program
    holes.push({ seed, program, smallest, verdicts, denied: deniedOf(outcome) })
  }
  return {
    programs: count,
    run: judged.length,
    hostile: hostile.length,
    slow: judged.filter(({ outcome }) => outcome.status === null).length,
    holes,
    unanswered: hostile.filter(({ verdicts }) => verdicts.none === 'none').map(({ program }) => program),
    harmless: harmless.length,
    strict: harmless.filter(({ verdicts }) => verdicts.ask !== 'allow').length,
  }
}
