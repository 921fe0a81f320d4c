// How far a commitment is.
import { Badge } from '../part/badge.tsx'
import type { Tone } from '../part/tone.ts'

export const STATES = ['open', 'claimed', 'in_review', 'closed'] as const
type State = (typeof STATES)[number]

export const STATE_WORDS: Readonly<Record<State, string>> = { open: 'open', claimed: 'claimed', in_review: 'in review', closed: 'closed' }

const STATE_TONES: Readonly<Record<State, Tone>> = { open: 'none', claimed: 'rewrite', in_review: 'ask', closed: 'allow' }

export function CommitmentMark({ state }: { readonly state: State }) {
  return <Badge tone={STATE_TONES[state]}>{STATE_WORDS[state]}</Badge>
}
