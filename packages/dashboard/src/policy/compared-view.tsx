// Which recorded calls would come out differently, and which could not be judged again.
import { useMemo } from 'react'
import type { Compared } from '#page/policy.ts'
import { setParam } from '../frame/url.ts'
import { plainLine } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { foldChanges } from './fold-changes.ts'

const MOST = 200

export function ComparedView({ compared, isStale }: { readonly compared: Compared; readonly isStale: boolean }) {
  const { changed, unjudged } = compared
  const folded = useMemo(() => foldChanges(changed), [changed])
  return (
    <Section title="Difference in verdicts">
      <p role="status">
        <ComparedSentence compared={compared} />
        {isStale && <span className="text-ask"> The text has changed since: compare again.</span>}
      </p>
      {unjudged.map(({ count, why }) => (
        <p key={why} className="text-quiet text-small">
          {count.toLocaleString('en')} could not be judged again: {why}.
        </p>
      ))}
      {changed.length > 0 && (
        <ul aria-label="Calls that would come out differently" className="thin-scroll max-h-80 overflow-y-auto rounded border bg-surface">
          {folded.slice(0, MOST).map(({ change: { row, before, after, rule, reason }, count }) => (
            <li key={row.seq} className="border-b last:border-b-0">
              <button
                type="button"
                title={plainLine(reason)}
                onClick={() => setParam('event', String(row.seq), { replace: false })}
                className="grid min-h-[30px] w-full grid-cols-[64px_12px_64px_minmax(0,1fr)] items-center gap-1 px-2 text-left hover:bg-hover sm:grid-cols-[64px_12px_64px_minmax(0,1fr)_minmax(0,220px)]"
              >
                <VerdictMark verdict={before} plain />
                <span aria-hidden="true" className="text-faint">
                  →
                </span>
                <VerdictMark verdict={after} plain />
                <span className="mono truncate">
                  {count > 1 && <span className="rounded bg-raised px-1 text-quiet text-tiny">× {count.toLocaleString('en')}</span>}{' '}
                  {plainLine(`${row.tool} ${row.summary}`, 200)}
                </span>
                <span className="hidden truncate text-right text-faint text-small sm:block">{plainLine(rule ?? reason, 120)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function ComparedSentence({ compared: { judged, counts } }: { readonly compared: Compared }) {
  const kinds = Object.entries(counts).map(([change, count]) => `${count.toLocaleString('en')} ${change.replace('>', ' to ')}`)
  const changed = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (judged === 0) return <>There is no recorded call to compare with.</>
  if (changed === 0) return <>None of {judged.toLocaleString('en')} recorded calls would come out differently.</>
  return (
    <>
      <strong className="font-semibold">{changed.toLocaleString('en')}</strong> of {judged.toLocaleString('en')} recorded calls would come
      out differently: {kinds.join(', ')}.
    </>
  )
}
