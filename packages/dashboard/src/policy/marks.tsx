// Short words about a rule or a hook that deserves a look; why stands on them.
import { Badge } from '../part/badge.tsx'
import { plainLine } from '../part/plain-text.ts'
import type { Tone } from '../part/tone.ts'
import type { Mark } from './group-rules.ts'

const MARK_TONES: Readonly<Record<string, Tone>> = { inert: 'ask', shadowed: 'ask', failing: 'deny', slow: 'ask' }

export function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <span className="flex gap-1">
      {marks.map(({ word, why }) => (
        <Badge key={word} tone={MARK_TONES[word] ?? 'none'} title={plainLine(why)}>
          {word}
          <span className="sr-only">: {plainLine(why)}</span>
        </Badge>
      ))}
    </span>
  )
}

/** Why, where there is room for it. */
export function MarkReasons({ marks }: { readonly marks: readonly Mark[] }) {
  return <>{marks.map(({ why }) => plainLine(why, 160)).join('; ')}</>
}
