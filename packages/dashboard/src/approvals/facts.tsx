// Who asks, where, for which commitment, and what became of it.

import type { ReactNode } from 'react'
import type { Approval } from '#page/api.ts'
import { Link } from '../frame/link.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Section } from '../part/section.tsx'
import { dayAndClock } from '../part/time.ts'

const LINK = 'text-accent underline decoration-line underline-offset-2 hover:decoration-current'

export function Facts({ request }: { readonly request: Approval }) {
  const { actor, agent, agentId, session, root, commitment, approvers, createdAt, expiresAt, decidedAt, decidedBy, note, usedAt, id } =
    request
  return (
    <Section title="Who and where">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
        <Fact name="Agent">
          <Link page="fleet" id={agentId} className={LINK}>
            {plainLine(agentId, 80)}
          </Link>{' '}
          <span className="text-faint">
            {plainLine(agent, 60)}, as {plainLine(actor, 80)}
          </span>
        </Fact>
        {session !== null && (
          <Fact name="Session">
            <Link page="ledger" params={{ session }} className={`mono ${LINK}`}>
              {plainLine(session, 60)}
            </Link>
          </Fact>
        )}
        <Fact name="Project">
          <span className="mono">{plainLine(root)}</span>
        </Fact>
        {commitment !== null && (
          <Fact name="Commitment">
            <Link page="ledger" params={{ show: 'commitments', commitment }} className={`mono ${LINK}`}>
              {plainLine(commitment, 60)}
            </Link>
          </Fact>
        )}
        <Fact name="May decide">{approvers.length === 0 ? 'any person' : plainLine(approvers.join(', '))}</Fact>
        <Fact name="Asked">
          {dayAndClock(createdAt)}, until {dayAndClock(expiresAt)}
        </Fact>
        {decidedAt !== null && (
          <Fact name="Decision">
            {dayAndClock(decidedAt)} by {plainLine(decidedBy ?? 'nobody', 80)}
            {note !== null && <>: {plainLine(note)}</>}
          </Fact>
        )}
        {usedAt !== null && <Fact name="Used">{dayAndClock(usedAt)}</Fact>}
        <Fact name="Request">
          <span className="mono">{id}</span>
        </Fact>
      </dl>
    </Section>
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
