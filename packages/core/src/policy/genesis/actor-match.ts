// Which blocks of a policy speak to an actor: the one with its exact name, and every glob that covers it.
import { compileGlob, globMatches } from '../../match/glob.ts'

export function matchesActor(pattern: string, actor: string): boolean {
  return pattern === actor || (/[*?]/.test(pattern) && globMatches(compileGlob(pattern, { question: true }), actor))
}

/** Of the patterns that match: the exact name, else the longest glob. */
export function bestActorMatch<T extends { readonly actor: string }>(entries: readonly T[], actor: string): T | null {
  let best: T | null = null
  for (const entry of entries) {
    if (entry.actor === actor) return entry
    if (matchesActor(entry.actor, actor) && (best === null || entry.actor.length > best.actor.length)) best = entry
  }
  return best
}
