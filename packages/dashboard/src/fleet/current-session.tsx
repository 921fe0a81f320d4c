// What the agent does now: the newest entries of its session, and the way to the whole of it.
import type { SessionView } from '#page/fleet.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam } from '../frame/url.ts'
import { eventWords, isMarker } from '../part/event-words.ts'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { clock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'

const EVERY_MS = 3000
const SHOWN = 12

export function CurrentSession({ session }: { readonly session: SessionView }) {
  const { hostSession, endedAt } = session
  const found = useVerb('page.records', { filter: { session: hostSession }, limit: SHOWN }, { refetchInterval: EVERY_MS })
  const rows = found.data?.rows ?? []
  return (
    <Section
      title={endedAt === null ? 'Current session' : 'Last session'}
      aside={
        <Link page="live" id={hostSession} className="text-accent text-small hover:underline">
          Its whole story
        </Link>
      }
    >
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      <ol aria-label="Its newest events" className="rounded border bg-surface">
        {rows.map(row => (
          <li key={row.seq} className="border-line/60 border-b last:border-b-0">
            <button
              type="button"
              onClick={() => setParam('event', String(row.seq))}
              className="grid h-[30px] w-full grid-cols-[56px_70px_minmax(0,1fr)] items-center gap-2 px-3 text-left hover:bg-hover md:grid-cols-[56px_70px_130px_minmax(0,1fr)]"
            >
              <span className="text-faint text-small">{clock(row.time)}</span>
              {isMarker(row) ? <span className="text-faint">·</span> : <VerdictMark verdict={row.verdict} plain />}
              <span className="truncate font-medium max-md:hidden">{plainLine(row.tool ?? eventWords(row), 60)}</span>
              <span className="mono truncate">{plainLine(row.summary, 240)}</span>
            </button>
          </li>
        ))}
        {rows.length === 0 && <li className="px-3 py-1 text-faint">nothing yet</li>}
      </ol>
    </Section>
  )
}
