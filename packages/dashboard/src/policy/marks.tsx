// Short words about a rule or a hook that deserves a look; why stands on them.
import { Badge } from '../part/badge.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Cell } from '../part/table.tsx'
import type { Tone } from '../part/tone.ts'
import type { Mark } from './group-rules.ts'

const MARK_TONES: Readonly<Record<string, Tone>> = { inert: 'ask', shadowed: 'ask', failing: 'deny', slow: 'ask' }

function Marks({ marks }: { readonly marks: readonly Mark[] }) {
  return (
    <span className="flex shrink-0 gap-1">
      {marks.map(({ word, why }) => (
        <Badge key={word} tone={MARK_TONES[word] ?? 'none'} title={plainLine(why)}>
          {word}
          <span className="sr-only">: {plainLine(why)}</span>
        </Badge>
      ))}
    </span>
  )
}

/** What says it all with its word, or has its figure beside it; of the others there is room to say why. */
const PLAIN: ReadonlySet<string> = new Set(['never ran', 'never fired', 'slow'])

export function MarkedCell({ marks, className }: { readonly marks: readonly Mark[]; readonly className: string }) {
  const told = marks.filter(({ word }) => !PLAIN.has(word))
  return (
    <Cell className={className}>
      <span className="flex items-center gap-2">
        <Marks marks={marks} />
        {told.length > 0 && (
          <span aria-hidden="true" className="truncate text-faint text-small">
            {told.map(({ why }) => plainLine(why, 160)).join('; ')}
          </span>
        )}
      </span>
    </Cell>
  )
}
