// What waits for a person on any machine, and what was decided. Whoever has this page open and may decide lets agents be held for them.
import { useState } from 'react'
import type { Request } from '#hub/api.ts'
import { StateMark } from '../approvals/state-mark.tsx'
import { Age } from '../part/age.tsx'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { TextField } from '../part/field.tsx'
import { Icon } from '../part/icon.tsx'
import { Json } from '../part/json.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { CodeBlock } from '../part/text.tsx'
import { WaitsFor } from '../part/waits-for.tsx'
import { useHub, useHubAct } from './ask-hub.ts'
import { HubLink } from './hub-link.tsx'
import { hubHref, useHubView } from './hub-url.ts'

const EVERY_MS = 1000
const STATES = ['pending', 'allowed', 'denied', 'expired'] as const

export function ApprovalsPage({ canDecide }: { readonly canDecide: boolean }) {
  const { rest } = useHubView()
  const found = useHub('/v1/approvals', { everyMs: EVERY_MS })
  if (found.data === undefined) return found.error === null ? <Loading /> : <Problem error={found.error} />
  const { approvals } = found.data
  const [machine, id] = rest
  const chosen = approvals.find(request => request.machine === machine && request.id === id)
  if (id !== undefined)
    return chosen === undefined ? (
      <Empty title="There is no such request">It may be long over.</Empty>
    ) : (
      <Detail request={chosen} canDecide={canDecide} />
    )
  const [waiting, over] = [approvals.filter(({ state }) => state === 'pending'), approvals.filter(({ state }) => state !== 'pending')]
  return (
    <div className="flex flex-col gap-6 p-4">
      <Section title={`Waiting for a person (${waiting.length})`}>
        {waiting.length === 0 ? (
          <p className="text-quiet">
            Nothing waits. {canDecide ? 'While this page is open, agents are held until you decide.' : 'Approvers decide; you may look.'}
          </p>
        ) : (
          <ul className="flex flex-col gap-2">
            {waiting.map(request => (
              <li key={`${request.machine} ${request.id}`} className="rounded border border-ask bg-surface">
                <Waiting request={request} canDecide={canDecide} />
              </li>
            ))}
          </ul>
        )}
      </Section>
      {over.length > 0 && (
        <Section title="Decided">
          <ul aria-label="Decided">
            {over.map(request => (
              <li key={`${request.machine} ${request.id}`}>
                <Over request={request} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}

function Waiting({ request, canDecide }: { readonly request: Request; readonly canDecide: boolean }) {
  return (
    <div className="flex flex-col gap-2 p-3">
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <HubLink href={hubHref('approvals', request.machine, request.id)} className="font-medium hover:underline">
          {plainLine(request.machineName, 60)}
        </HubLink>
        <span className="text-quiet">
          {whoAsks(request)} wants {textOf(request.facts.tool)}
        </span>
        <WaitsFor heldUntil={null} expiresAt={request.expiresAt} isGate />
      </div>
      <CodeBlock text={summaryOf(request)} label="call" />
      {typeof request.facts.reason === 'string' && <p className="text-quiet wrap-anywhere">{plainLine(request.facts.reason, 300)}</p>}
      {canDecide && <Decide request={request} />}
    </div>
  )
}

/** An agent by its own name, where it has one. */
function whoAsks({ facts }: Request): string {
  const actor = textOf(facts.actor)
  return typeof facts.agentId === 'string' && facts.agentId !== '' ? `${textOf(facts.agentId)} (${actor})` : actor
}

function Decide({ request: { machine, id } }: { readonly request: Request }) {
  const [note, setNote] = useState('')
  const decide = useHubAct<{ machine: string; id: string; decision: 'allow' | 'deny'; note?: string }>('/v1/approvals/decide')
  const given = { machine, id, ...(note.trim() !== '' && { note: note.trim() }) }
  const isBusy = decide.isPending || decide.isSuccess
  return (
    <div className="flex flex-col gap-2">
      {decide.error !== null && <Problem error={decide.error} />}
      <TextField
        label="Note to the agent"
        hideLabel
        placeholder="A note for the agent and the record (optional)"
        value={note}
        onText={setNote}
        className="w-full"
        maxLength={500}
      />
      <div className="grid grid-cols-2 gap-2 md:flex">
        <Button large tone="allow" disabled={isBusy} onClick={() => decide.mutate({ ...given, decision: 'allow' })} className="md:min-w-32">
          <Icon name="allow" /> Allow once
        </Button>
        <Button large tone="deny" disabled={isBusy} onClick={() => decide.mutate({ ...given, decision: 'deny' })} className="md:min-w-32">
          <Icon name="deny" /> Deny
        </Button>
      </div>
    </div>
  )
}

function Over({ request }: { readonly request: Request }) {
  return (
    <HubLink
      href={hubHref('approvals', request.machine, request.id)}
      className="grid min-h-[30px] grid-cols-[84px_minmax(0,90px)_minmax(0,1fr)] items-center gap-2 border-line/50 border-b px-1 hover:bg-hover md:grid-cols-[90px_140px_minmax(0,1fr)_160px_60px]"
    >
      <StateMark state={stateOf(request)} plain />
      <span className="truncate font-medium">{plainLine(request.machineName, 60)}</span>
      <span className="mono truncate">{plainLine(summaryOf(request), 200)}</span>
      <span className="truncate text-quiet max-md:hidden">
        {request.decidedBy === null ? '' : `by ${plainLine(request.decidedBy, 60)}`}
      </span>
      <span className="text-right text-faint text-small max-md:hidden">
        <Age time={request.decidedAt ?? request.askedAt} />
      </span>
    </HubLink>
  )
}

function Detail({ request, canDecide }: { readonly request: Request; readonly canDecide: boolean }) {
  return (
    <div className="flex flex-col gap-4 p-4">
      <header className="flex flex-wrap items-center gap-3">
        <HubLink href={hubHref('approvals')} className="text-quiet hover:text-ink">
          Approvals
        </HubLink>
        <h2 className="font-semibold text-large">
          {textOf(request.facts.tool)} on {plainLine(request.machineName, 60)}
        </h2>
        <StateMark state={stateOf(request)} />
      </header>
      <CodeBlock text={summaryOf(request)} label="call" />
      {request.state === 'pending' &&
        (canDecide ? <Decide request={request} /> : <p className="text-quiet">Approvers decide; you may look.</p>)}
      {request.decidedBy !== null && (
        <p>
          {request.state} by {plainLine(request.decidedBy, 60)}
          {request.via === 'machine' ? ', on the machine' : ''}
          {request.note === null ? '' : `: “${plainLine(request.note, 300)}”`}
          {request.outcome !== null && request.outcome !== request.state && (
            <span className="text-ask"> The machine had decided before: {plainLine(request.outcome, 40)}.</span>
          )}
        </p>
      )}
      <Section title="The whole request, redacted on its machine">
        <Json value={request.facts} label="request" />
      </Section>
    </div>
  )
}

function stateOf({ state }: Request): (typeof STATES)[number] {
  return STATES.find(name => name === state) ?? 'expired'
}

/** The command where there is one: what people know a call by. */
function summaryOf({ facts }: Request): string {
  const input = (facts.input ?? {}) as Readonly<Record<string, unknown>>
  const first = input.command ?? input.file_path ?? input.url
  return typeof first === 'string' ? first : JSON.stringify(facts.input ?? {}, null, 2)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? plainLine(value, 80) : 'something'
}
