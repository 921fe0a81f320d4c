// What a pattern would have let through of what was asked or refused. Asked again only when typing pauses.
import { useEffect } from 'react'
import type { PatternPreview } from '#page/policy.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Age } from '../part/age.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { useSettled } from './use-settled.ts'

export interface PreviewProps {
  readonly pattern: string
  readonly actor: string
  readonly root: string | null
  /** null: what is on screen is not of this pattern. */
  readonly onPreview: (preview: PatternPreview | null) => void
}

const PAUSE_MS = 250

export function Preview({ pattern, actor, root, onPreview }: PreviewProps) {
  const asked = useSettled(pattern, PAUSE_MS)
  const found = useVerb('page.preview', { pattern: asked, actor, ...(root === null ? {} : { root }) }, { enabled: asked !== '' })
  const problem = found.data?.problem ?? null
  const current = asked === pattern && !found.isPlaceholderData ? (found.data ?? null) : null
  useEffect(() => onPreview(current), [current, onPreview])
  if (found.error !== null) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading what="Looking through the last week" />
  if (problem !== null)
    return (
      <p role="alert" className="text-deny wrap-anywhere">
        {plainLine(problem)}
      </p>
    )
  const { matches, stillDenied, judged, days, samples } = found.data
  const through = matches - stillDenied
  return (
    <section aria-label="What else it would have allowed" aria-busy={found.isFetching} className="flex min-h-40 flex-col gap-1">
      <p role="status">
        It would have let through{' '}
        {through === 0 ? (
          'nothing else'
        ) : (
          <>
            <strong className="font-semibold">{through}</strong> {through === 1 ? 'call' : 'calls'}
          </>
        )}{' '}
        of the {judged.toLocaleString('en')} that were asked about or refused in the last {days} days.
        {stillDenied > 0 && ` ${stillDenied} more it speaks of would be held back all the same, by a stronger rule or another part.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <ul tabIndex={0} aria-label="Distinct calls" className="thin-scroll max-h-56 overflow-y-auto rounded border">
        {samples.map(({ row, count }) => (
          <li key={row.seq} className="flex h-7 items-center gap-2 border-b px-2 last:border-b-0">
            <VerdictMark verdict={row.verdict} plain />
            <span className="mono min-w-0 flex-1 truncate" title={plainLine(row.summary)}>
              {plainLine(`${row.tool} ${row.summary}`, 200)}
            </span>
            {count > 1 && <span className="shrink-0 rounded bg-raised px-1 text-quiet text-tiny">×&thinsp;{count}</span>}
            <span className="shrink-0 text-faint text-small">
              <Age time={row.time} />
            </span>
          </li>
        ))}
        {samples.length === 0 && <li className="flex h-7 items-center px-2 text-faint">no examples</li>}
      </ul>
    </section>
  )
}
