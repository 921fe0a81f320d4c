// What the text on screen would change in the verdicts of recorded calls: of the last ones, or of all in a range.
import { useState } from 'react'
import type { Compared } from '#page/policy.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useAct } from '../daemon/use-verb.ts'

const LAST = 500

/** Times as ISO text; neither: everything that is recorded. */
export interface CallRange {
  readonly since?: string
  readonly until?: string
}

export interface Comparing {
  readonly compared: Compared | null
  /** The text has changed since. */
  readonly isStale: boolean
  readonly isPending: boolean
  readonly error: DaemonError | null
  /** `range` null: the last calls. */
  readonly compare: (range: CallRange | null) => void
}

export function useComparing(root: string, text: string): Comparing {
  const [of, setOf] = useState<string | null>(null)
  const act = useAct('page.compare', { onDone: (_, given) => setOf(given.text) })
  return {
    compared: act.data ?? null,
    isStale: of !== null && of !== text,
    isPending: act.isPending,
    error: act.error,
    compare: range => act.mutate(range === null ? { root, text, last: LAST } : { root, text, filter: range }),
  }
}
