// What the overview and the policy page count: kept in memory from every decision as it is made, which costs about a microsecond, and from
// the ledger for the time before the daemon started, read in small steps when somebody first looks.

import type { EntryDraft } from '@belay/core/ledger'
import { readLastSeq } from '../ledger/read-entry.ts'
import type { Store } from '../store/store.ts'
import { createDoingTally, type DoingTally } from './doing-tally.ts'
import { createHookTally, type HookTally } from './hook-tally.ts'
import { createMinuteTally, type MinuteTally } from './minute-tally.ts'
import { readDecisionsBack } from './read-decisions.ts'
import { type Fields, fieldsIn, numberIn, textIn } from './read-fields.ts'
import { verdictIn } from './record-row.ts'
import { COUNTED_DAYS, createRuleTally, DAY_MS, type RuleTally } from './rule-tally.ts'

export interface Tally {
  add(draft: EntryDraft): void
  readonly minutes: MinuteTally
  readonly rules: RuleTally
  readonly hooks: HookTally
  /** When an agent of this kind was last heard of, since the daemon started. */
  readonly agents: ReadonlyMap<string, number>
  readonly doings: DoingTally
  /** Roots of projects with the time of their last event, since the daemon started. */
  readonly projects: ReadonlyMap<string, number>
  /** Resolves when the past is counted in, with how many days of it there are. */
  seed(): Promise<number>
  close(): Promise<void>
}

export interface TallyOptions {
  readonly store: Store
  redact(text: string): string
  readonly now: () => number
  onFailure(error: unknown): void
}

const NOTHING: readonly Fields[] = []
const FLUSH_MS = 10_000
/** A busy ledger counts as far back as this many entries reach. */
const MAX_SEEDED = 100_000

export async function openTally({ store, redact, now, onFailure }: TallyOptions): Promise<Tally> {
  const minutes = createMinuteTally()
  const rules = createRuleTally()
  const hooks = createHookTally(store, redact)
  const agents = new Map<string, number>()
  const doings = createDoingTally()
  const projects = new Map<string, number>()
  const begun = (await readLastSeq(store)) + 1
  const timer = setInterval(() => void hooks.flush().catch(onFailure), FLUSH_MS).unref()
  let seeding: Promise<number> | null = null

  function count(body: Fields, timeMs: number): void {
    minutes.add(timeMs, verdictIn(body.verdict), ownMs(body))
    countRules(rules, body, timeMs)
  }

  async function seed(): Promise<number> {
    const since = now() - COUNTED_DAYS * DAY_MS
    let looked = 0
    let oldest = now()
    for await (const decisions of readDecisionsBack(store, begun)) {
      for (const { timeMs, body } of decisions) {
        oldest = timeMs
        if (body.verdict !== null) count(body, timeMs)
      }
      looked += decisions.length
      if (oldest < since) return COUNTED_DAYS
      if (looked >= MAX_SEEDED) return (now() - oldest) / DAY_MS
    }
    return COUNTED_DAYS
  }

  return {
    minutes,
    rules,
    hooks,
    agents,
    doings,
    projects,
    add({ body }) {
      const timeMs = now()
      count(body, timeMs)
      if (typeof body.agent === 'string') agents.set(body.agent, timeMs)
      if (typeof body.root === 'string') projects.set(body.root, timeMs)
      doings.add(body, timeMs)
      const event = textIn(body.event) ?? ''
      for (const run of Array.isArray(body.hooks) ? body.hooks : NOTHING) if (run.outcome !== 'started') hooks.add(event, run, timeMs)
    },
    seed() {
      seeding ??= seed().catch(error => {
        seeding = null
        throw error
      })
      return seeding
    },
    async close() {
      clearInterval(timer)
      await hooks.flush().catch(onFailure)
    },
  }
}

/** How long we took: what a person took to answer is not ours. */
function ownMs({ tookMs, timing }: Fields): number {
  return (numberIn(tookMs) ?? 0) - (numberIn(fieldsIn(timing)?.approvalMs) ?? 0)
}

/** Every rule that spoke about a part of the call counts once; the one that decided also under its place, since ids repeat across files. */
function countRules(rules: RuleTally, body: Fields, timeMs: number): void {
  const root = textIn(body.root)
  if (root === null) return
  const rule = fieldsIn(body.rule)
  const seen: string[] = []
  for (const part of Array.isArray(body.parts) ? body.parts : NOTHING)
    if (typeof part?.rule === 'string' && !seen.includes(part.rule)) seen.push(part.rule)
  const id = textIn(rule?.id)
  if (id !== null) {
    if (!seen.includes(id)) seen.push(id)
    rules.add(root, placedRule(id, textIn(rule?.place)), timeMs)
  }
  for (const each of seen) rules.add(root, each, timeMs)
}

/** `place` as recorded: `file:line`. */
export function placedRule(id: string, place: string | null): string {
  return `${id} ${place ?? ''}`
}
