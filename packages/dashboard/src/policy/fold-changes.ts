// The same call made many times would come out differently many times: it is told once, with its number.
import type { Compared } from '#page/policy.ts'

type Change = Compared['changed'][number]

export interface FoldedChange {
  /** The newest of them. */
  readonly change: Change
  readonly count: number
}

/** In the order in which each came first. */
export function foldChanges(changed: readonly Change[]): readonly FoldedChange[] {
  const folded = new Map<string, { readonly change: Change; count: number }>()
  for (const change of changed) {
    const { row, before, after, rule } = change
    const key = JSON.stringify([before, after, rule, row.tool, row.summary, row.actor])
    const known = folded.get(key)
    if (known === undefined) folded.set(key, { change, count: change.count })
    else known.count += change.count
  }
  return [...folded.values()]
}
