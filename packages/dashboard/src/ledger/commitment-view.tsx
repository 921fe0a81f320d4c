// One commitment: how far it is, who answers for it, and everything that happened under it, with the changes of files.
import type { ReactNode } from 'react'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { dayAndClock } from '../part/time.ts'
import type { Commitment } from './commitment.ts'
import { STATE_WORDS, STATES } from './commitment-mark.tsx'
import { Timeline } from './timeline.tsx'

const EVERY_MS = 5000

export function CommitmentView({ id }: { readonly id: string }) {
  const found = useVerb('page.commitment', { id }, { refetchInterval: EVERY_MS })
  const data = found.data?.commitment.id === id ? found.data : undefined
  return (
    <article aria-label={`Commitment ${id}`} className="flex flex-col gap-5 p-4">
      <Link page="ledger" params={{ show: 'commitments' }} className="flex w-fit items-center gap-1 text-accent md:hidden">
        <Icon name="left" /> Commitments
      </Link>
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {data === undefined && found.error === null && <Loading />}
      {data !== undefined && (
        <>
          <h2 className="font-semibold text-large wrap-anywhere">{plainText(data.commitment.title, 500)}</h2>
          <Steps commitment={data.commitment} />
          <Facts commitment={data.commitment} />
          <Section
            title={`Timeline, ${data.timeline.length} entries`}
            aside={
              <Link page="ledger" params={{ commitment: id }} className="text-accent text-small hover:underline">
                Search in them
              </Link>
            }
          >
            <Timeline rows={data.timeline} />
          </Section>
        </>
      )}
    </article>
  )
}

/** open, claimed, in review, closed: as a line with the present one marked. */
function Steps({ commitment: { state, resolution } }: { readonly commitment: Commitment }) {
  const at = STATES.indexOf(state)
  return (
    <ol aria-label="How far it is" className="flex flex-wrap items-center gap-y-1">
      {STATES.map((name, index) => (
        <li key={name} aria-current={index === at ? 'step' : undefined} className="flex items-center">
          {index > 0 && <span aria-hidden="true" className={`mx-2 h-px w-6 ${index <= at ? 'bg-accent' : 'bg-edge'}`} />}
          <span
            className={`rounded-full border px-2.5 text-small ${index === at ? 'border-accent bg-chosen font-semibold' : index < at ? 'border-accent text-quiet' : 'text-faint'}`}
          >
            {STATE_WORDS[name]}
            {index === at && name === 'closed' && resolution !== null ? `: ${resolution}` : ''}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Facts({ commitment }: { readonly commitment: Commitment }) {
  const { id, createdBy, createdAt, claimedBy, claimedAgent, tier, requiresReview, tags, evidence, validations, root, source } = commitment
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
      <Fact name="id">
        <span className="mono">{id}</span>
      </Fact>
      <Fact name="made">
        {dayAndClock(createdAt)} by {plainLine(createdBy, 80)}
        {source !== null && `, from ${plainLine(source, 60)}`}
      </Fact>
      <Fact name="done by">
        {claimedBy === null ? 'nobody yet' : plainLine(claimedBy, 80)}
        {claimedAgent !== null && ` (${plainLine(claimedAgent, 80)})`}
      </Fact>
      <Fact name="review">
        {requiresReview ? 'somebody else has to approve it' : 'not required'}
        {tier !== null && `, tier ${tier}`}
      </Fact>
      <Fact name="evidence">
        {evidence}, of them {validations} builds or tests that passed
      </Fact>
      {tags.length > 0 && <Fact name="tags">{tags.map(tag => plainLine(tag, 40)).join(', ')}</Fact>}
      <Fact name="project">
        <span className="mono wrap-anywhere">{plainLine(root)}</span>
      </Fact>
    </dl>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  )
}
