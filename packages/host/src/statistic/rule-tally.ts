// How often each rule spoke about a part of a call in the last days, by project.
import { BoundedMap } from '@belay/core/value'

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
const MAX_PROJECTS = 500
const MAX_RULES = 5000

interface Counted {
  /** By day since 1970. */
  readonly days: Map<number, number>
  lastAt: number
}

export function createRuleTally(): RuleTally {
  /** By project, then by rule. */
  const projects = new BoundedMap<string, Map<string, Counted>>(MAX_PROJECTS)
  return {
    add(root, rule, timeMs) {
      const known = countedOf(projects, root, rule)
      const day = Math.floor(timeMs / DAY_MS)
      known.days.set(day, (known.days.get(day) ?? 0) + 1)
      if (timeMs > known.lastAt) known.lastAt = timeMs
    },
    of(root, rule, nowMs) {
      const known = projects.get(root)?.get(rule)
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

/** Rules that no policy has any more are forgotten sooner or later. */
function countedOf(projects: Map<string, Map<string, Counted>>, root: string, rule: string): Counted {
  const known = projects.get(root)?.get(rule)
  if (known !== undefined) return known
  const rules = projects.get(root) ?? new BoundedMap<string, Counted>(MAX_RULES)
  projects.set(root, rules)
  const made = { days: new Map<number, number>(), lastAt: 0 }
  rules.set(rule, made)
  return made
}
