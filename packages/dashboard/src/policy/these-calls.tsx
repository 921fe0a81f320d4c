// Recorded calls that somebody brought along, and how the text on screen would decide each of them.
import { useSettled } from '../approvals/use-settled.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { setParam } from '../frame/url.ts'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { VerdictMark } from '../part/verdict-mark.tsx'

const PAUSE_MS = 250

export interface TheseCallsProps {
  readonly root: string
  readonly seqs: readonly number[]
  /** null: the file as it is. */
  readonly text: string | null
}

export function TheseCalls({ root, seqs, text }: TheseCallsProps) {
  const asked = useSettled(text ?? '', PAUSE_MS)
  const found = useVerb('page.tryRecorded', { root, seqs, ...(text === null ? {} : { text: asked }) })
  const calls = found.data?.calls ?? []
  return (
    <Section title="These calls would be">
      {found.error !== null && <Problem error={found.error} />}
      <ul aria-label="Calls that were brought along" className="rounded border bg-surface">
        {calls.map(({ row, now, by, reason }) => (
          <li key={row.seq} className="grid grid-cols-[76px_minmax(0,1fr)] items-center gap-x-2 border-b px-2 py-1 last:border-b-0">
            <VerdictMark verdict={now} plain />
            <button type="button" onClick={() => setParam('event', String(row.seq))} className="mono truncate text-left hover:underline">
              {plainLine(`${row.tool ?? ''} ${row.summary}`, 200)}
            </button>
            <span title={plainLine(reason)} className="col-start-2 truncate text-faint text-small">
              {plainLine(by ?? reason, 160)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
