// That it happened, and can be proved: the entry, its hash, its proof, its commitment, what belongs to the same call.

import type { ReactNode } from 'react'
import { useState } from 'react'
import type { RecordDetail } from '#page/record.ts'
import { useAct } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Json } from '../part/json.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { clock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'

export function Evidence({ detail }: { readonly detail: RecordDetail }) {
  const { row, hash, prev, policy, cwd } = detail
  return (
    <Section title="Evidence">
      <dl className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-2 gap-y-0.5">
        <Fact name="entry">
          <Link page="ledger" id={row.seq} className="text-accent underline">
            {row.seq}
          </Link>{' '}
          <span className="mono text-faint">{row.id}</span>
        </Fact>
        <Hash name="hash" value={hash} />
        <Hash name="before it" value={prev} />
        {policy !== null && <Hash name="policy" value={policy} />}
        {row.commitment !== null && (
          <Fact name="commitment">
            <Link page="ledger" params={{ commitment: row.commitment }} className="mono text-accent underline wrap-anywhere">
              {plainLine(row.commitment)}
            </Link>
          </Fact>
        )}
        <Fact name="actor">
          <span className="mono wrap-anywhere">{plainLine(row.actor)}</span>
        </Fact>
        {cwd !== null && (
          <Fact name="in">
            <span className="mono wrap-anywhere">{plainLine(cwd)}</span>
          </Fact>
        )}
      </dl>
      <Proof seq={row.seq} />
      <Related detail={detail} />
      <Body body={detail.body} />
    </Section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-faint text-small">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}

function Hash({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <Fact name={name}>
      <span title={value} className="mono block truncate">
        {value}
      </span>
    </Fact>
  )
}

function Proof({ seq }: { readonly seq: number }) {
  const prove = useAct('page.proof')
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex gap-2">
        <Button onClick={() => prove.mutate({ seq })} disabled={prove.isPending}>
          Prove it is in the ledger
        </Button>
        <CopyButton label="Copy belay ledger prove" text={`belay ledger prove ${seq}`} />
      </div>
      {prove.error !== null && <Problem error={prove.error} />}
      {prove.data !== undefined && (
        <div role="status">
          {prove.data.proof === null ? (
            <p className="text-quiet">
              No checkpoint covers this entry yet. <span className="mono">belay ledger checkpoint</span> makes one now.
            </p>
          ) : (
            <Json value={prove.data.proof} label="inclusion proof" />
          )}
        </div>
      )}
    </div>
  )
}

function Related({ detail }: { readonly detail: RecordDetail }) {
  if (detail.related.length === 0) return null
  return (
    <>
      <h4 className="pt-1 text-faint text-small">Of the same call</h4>
      <ul>
        {detail.related.map(row => (
          <li key={row.seq}>
            <button
              type="button"
              onClick={() => setParam('event', String(row.seq))}
              className="grid h-7 w-full grid-cols-[60px_84px_minmax(0,1fr)] items-center gap-2 text-left hover:bg-hover"
            >
              <span className="text-faint text-small">{clock(row.time)}</span>
              <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
              <span className="truncate">
                {plainLine(row.event ?? row.kind, 60)} <span className="mono text-faint">{plainLine(row.summary, 120)}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

function Body({ body }: { readonly body: unknown }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="self-start">
        {isOpen ? 'Hide' : 'Show'} the whole recorded body
      </Button>
      {isOpen && <Json value={body} label="recorded body" />}
    </>
  )
}
