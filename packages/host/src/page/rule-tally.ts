// How often each rule spoke about a part of a call in the last days, by project.

export interface RuleHits {
  readonly hits: number
  readonly lastAt: number | null
}

export interface RuleTally {
  add(root: string, rule: string, timeMs: number): void
  of(root: string, rule: string, nowMs: number): RuleHits
}

export const COUNTED_DAYS = 7
export const DAY_MS = 86_400_000
const MOST_RULES = 50_000

interface Counted {
  /** By day since 1970. */
  readonly days: Map<number, number>
  lastAt: number
}

export function createRuleTally(): RuleTally {
  const rules = new Map<string, Counted>()
  return {
    add(root, rule, timeMs) {
      const key = `${root}\n${rule}`
      const known = rules.get(key) ?? { days: new Map<number, number>(), lastAt: 0 }
      if (known.lastAt === 0) {
        if (rules.size >= MOST_RULES) rules.delete(rules.keys().next().value ?? '')
        rules.set(key, known)
      }
      const day = Math.floor(timeMs / DAY_MS)
      known.days.set(day, (known.days.get(day) ?? 0) + 1)
      known.lastAt = Math.max(known.lastAt, timeMs)
    },
    of(root, rule, nowMs) {
      const known = rules.get(`${root}\n${rule}`)
      if (known === undefined) return { hits: 0, lastAt: null }
      const first = Math.floor(nowMs / DAY_MS) - COUNTED_DAYS
      let hits = 0
      for (const [day, count] of known.days) {
        if (day > first) hits += count
        else known.days.delete(day)
      }
      return { hits, lastAt: hits === 0 ? null : known.lastAt }
    },
  }
}
