// What the text on screen would change in the verdicts of the last recorded calls.
import { useState } from 'react'
import type { Compared } from '#page/policy.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useAct } from '../daemon/use-verb.ts'

export const LAST = 500

export interface Comparing {
  readonly compared: Compared | null
  /** The text has changed since. */
  readonly isStale: boolean
  readonly isPending: boolean
  readonly error: DaemonError | null
  readonly compare: () => void
}

export function useComparing(root: string, text: string): Comparing {
  const [of, setOf] = useState<string | null>(null)
  const act = useAct('page.compare', { onDone: (_, given) => setOf(given.text) })
  return {
    compared: act.data ?? null,
    isStale: of !== null && of !== text,
    isPending: act.isPending,
    error: act.error,
    compare: () => act.mutate({ root, text, last: LAST }),
  }
}
