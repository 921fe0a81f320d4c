// What hooks cost and how often they fail: counted in memory, added to the table `hook_stats` every few seconds, by hook and day.
import { BoundedMap } from '@belay/core/value'
import type { Selectable } from 'kysely'
import type { Verdict } from '../page/record.ts'
import type { Store } from '../store/store.ts'
import type { HookStatsTable } from '../store/table/record.ts'
import { isOverBudget } from './budget.ts'
import { addDuration, addHistogram, createHistogram, decodeHistogram, encodeHistogram, type Histogram } from './histogram.ts'
import { type Fields, numberIn, textIn } from './read-fields.ts'
import { verdictIn } from './record-row.ts'

export interface HookCost {
  /** As `hookKey` makes it, redacted. */
  readonly key: string
  readonly runs: number
  readonly failures: number
  readonly overBudget: number
  readonly durations: Histogram
  /** The last one since the daemon started. */
  readonly error: string | null
  /** The last run since the daemon started. */
  readonly last: { readonly at: string; readonly outcome: string; readonly verdict: Verdict } | null
}

export interface HookTally {
  /** A run as it is recorded. */
  add(event: string, run: Fields, timeMs: number): void
  /** Everything since the beginning of the day `days - 1` days ago (UTC). */
  list(days: number, nowMs: number): Promise<readonly HookCost[]>
  /** Adds what was counted since the last time to the table. */
  flush(): Promise<void>
}

interface Counted {
  runs: number
  failures: number
  overBudget: number
  readonly durations: Histogram
}

const DAY_MS = 86_400_000

/** Which hook a run was of: the same hook on another event is another one, and so is one at another place. */
export function hookKey(event: string, label: string, place: string | null, scope: string): string {
  return `${event}\t${place ?? scope}\t${label}`
}

/** `redact`: a hook is called by what it runs, and that may hold a secret. */
export function createHookTally(store: Store, redact: (text: string) => string): HookTally {
  /** By day since 1970, then by hook. */
  let waiting = new Map<number, Map<string, Counted>>()
  const slots = createSlots()
  const errors = new Map<string, string>()
  let flushing: Promise<void> = Promise.resolve()

  async function writeOut(): Promise<void> {
    if (waiting.size === 0) return
    const counted = waiting
    waiting = new Map()
    try {
      await addToTable(store, counted, redact)
    } catch (error) {
      for (const [day, hooks] of counted) for (const [key, more] of hooks) addCounts(countedAt(day, key), more)
      throw error
    }
  }

  function countedAt(day: number, key: string): Counted {
    const hooks = waiting.get(day) ?? new Map<string, Counted>()
    waiting.set(day, hooks)
    const known = hooks.get(key) ?? newCounts()
    hooks.set(key, known)
    return known
  }

  return {
    add(event, run, timeMs) {
      const slot = slots.of(event, run)
      const day = Math.floor(timeMs / DAY_MS)
      if (slot.home !== waiting || slot.day !== day || slot.counted === null) {
        slot.counted = countedAt(day, slot.key)
        slot.home = waiting
        slot.day = day
      }
      const { counted } = slot
      slot.lastMs = timeMs
      slot.outcome = run.outcome
      slot.verdict = run.verdict
      counted.runs++
      addDuration(counted.durations, numberIn(run.ms) ?? 0)
      if (isOverBudget(run)) counted.overBudget++
      if (run.error === undefined) return
      counted.failures++
      errors.set(slot.key, textIn(run.error) ?? '')
    },
    async list(days, nowMs) {
      const first = Math.floor(nowMs / DAY_MS) - days + 1
      const rows = await store.db.selectFrom('hook_stats').selectAll().where('day', '>=', nameDay(first)).execute()
      const sums = new Map<string, Counted>()
      const sumOf = (key: string): Counted => sums.get(key) ?? (sums.set(key, newCounts()).get(key) as Counted)
      for (const row of rows) addCounts(sumOf(row.hook), countsOf(row))
      for (const [day, hooks] of waiting) if (day >= first) for (const [key, counted] of hooks) addCounts(sumOf(redact(key)), counted)
      const said = new Map([...errors].map(([key, error]) => [redact(key), redact(error)]))
      const lasts = new Map([...slots.all()].map(slot => [redact(slot.key), lastOf(slot)]))
      return [...sums].map(([key, counted]) => ({ key, ...counted, error: said.get(key) ?? null, last: lasts.get(key) ?? null }))
    },
    flush() {
      flushing = flushing.catch(() => undefined).then(writeOut)
      return flushing
    },
  }
}

/** Where the runs of one hook are counted. Found by its label, which is one text as long as the hook lives: no key is made for every run. */
interface Slot {
  readonly event: string
  readonly place: unknown
  readonly scope: unknown
  readonly key: string
  /** What `counted` is part of. */
  home: unknown
  day: number
  counted: Counted | null
  /** Of its last run; 0: there was none. */
  lastMs: number
  outcome: unknown
  verdict: unknown
}

function lastOf({ lastMs, outcome, verdict }: Slot): HookCost['last'] {
  return lastMs === 0 ? null : { at: new Date(lastMs).toISOString(), outcome: textIn(outcome) ?? '', verdict: verdictIn(verdict) }
}

interface Slots {
  of(event: string, run: Fields): Slot
  all(): Iterable<Slot>
}

const MAX_LABELS = 10_000

function createSlots(): Slots {
  const slots = new BoundedMap<unknown, Slot[]>(MAX_LABELS)
  return {
    of(event, { hook, place, scope }) {
      const known = slots.get(hook)
      for (const slot of known ?? []) if (slot.event === event && slot.place === place && slot.scope === scope) return slot
      const key = hookKey(event, textIn(hook) ?? '', textIn(place), textIn(scope) ?? '')
      const made = { event, place, scope, key, home: null, day: 0, counted: null, lastMs: 0, outcome: null, verdict: null }
      slots.set(hook, [...(known ?? []), made])
      return made
    },
    all: () => [...slots.values()].flat(),
  }
}

async function addToTable(
  store: Store,
  counted: ReadonlyMap<number, ReadonlyMap<string, Counted>>,
  redact: (text: string) => string,
): Promise<void> {
  await store.transact(async tx => {
    for (const [dayNumber, hooks] of counted) {
      const day = nameDay(dayNumber)
      for (const [key, more] of hooks) {
        const hook = redact(key)
        const row = await tx.selectFrom('hook_stats').selectAll().where('hook', '=', hook).where('day', '=', day).executeTakeFirst()
        const sum = row === undefined ? newCounts() : countsOf(row)
        addCounts(sum, more)
        const values = { runs: sum.runs, failures: sum.failures, over_budget: sum.overBudget, durations: encodeHistogram(sum.durations) }
        await tx
          .insertInto('hook_stats')
          .values({ hook, day, ...values })
          .onConflict(conflict => conflict.columns(['hook', 'day']).doUpdateSet(values))
          .execute()
      }
    }
  })
}

function newCounts(): Counted {
  return { runs: 0, failures: 0, overBudget: 0, durations: createHistogram() }
}

function countsOf(row: Selectable<HookStatsTable>): Counted {
  return { runs: row.runs, failures: row.failures, overBudget: row.over_budget, durations: decodeHistogram(row.durations) }
}

function addCounts(sum: Counted, more: Counted): void {
  sum.runs += more.runs
  sum.failures += more.failures
  sum.overBudget += more.overBudget
  addHistogram(sum.durations, more.durations)
}

function nameDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10)
}
