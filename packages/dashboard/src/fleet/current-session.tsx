// What the agent does now: the newest calls of its session, one line each, and the way to the whole of it.
import type { SessionView } from '#page/fleet.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { useView } from '../frame/url.ts'
import { Line } from '../live/line.tsx'
import { listCalls } from '../live/list-lines.ts'
import { useRunning } from '../live/use-running.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'

const EVERY_MS = 3000
const SHOWN = 12
/** Before, held, answered, after: what one line may take. */
const READ = SHOWN * 4

export function CurrentSession({ session }: { readonly session: SessionView }) {
  const { hostSession, endedAt } = session
  const { params } = useView()
  const isRunning = useRunning()
  const found = useVerb('page.records', { filter: { session: hostSession }, limit: READ }, { refetchInterval: EVERY_MS })
  const lines = listCalls(found.data?.rows ?? []).slice(0, SHOWN)
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
      <ol aria-label="Its newest events" className="@container overflow-hidden rounded border bg-surface">
        {lines.map(line => (
          <Line
            {...line}
            key={line.key}
            burst={line.key}
            isRunning={isRunning(line.row)}
            isChosen={params.get('event') === String(line.row.seq)}
            href={hrefOfEvent(params, line.row.seq)}
            onToggle={nothing}
            isNameless
          />
        ))}
        {lines.length === 0 && <li className="px-3 py-1 text-faint">nothing yet</li>}
      </ol>
    </Section>
  )
}

/** No line of it opens. */
const nothing = () => undefined

function hrefOfEvent(params: URLSearchParams, seq: number): string {
  const next = new URLSearchParams(params)
  next.set('event', String(seq))
  return `${location.pathname}?${next}`
}
