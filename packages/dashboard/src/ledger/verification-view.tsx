// Is all of it as it was written? Run it, watch it, read what it found.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Verification } from '#page/record.ts'
import { useEvent } from '../daemon/stream.ts'
import { useAct, useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { dayAndClock, span } from '../part/time.ts'

const NOTHING = {}

export function VerificationView() {
  const client = useQueryClient()
  const found = useVerb('page.verify', NOTHING)
  const keep = useCallback((data: unknown) => client.setQueryData(['page.verify', NOTHING], data as Verification), [client])
  useEvent('verification', keep)
  const start = useAct('page.verify', { onDone: keep })
  const current = found.data
  if (current === undefined) return found.error === null ? <Loading /> : <Problem error={found.error} retry={() => void found.refetch()} />
  const isRunning = current.state === 'running'
  return (
    <div className="thin-scroll h-full overflow-y-auto">
      <div className="flex max-w-3xl flex-col gap-4 p-4">
        <p className="text-quiet">
          Checks every row, hash, blob, tile, checkpoint and signature of the ledger, beside the running daemon. The same as{' '}
          <code className="mono">belay ledger verify</code>, which also takes a copy or an export.
        </p>
        <div>
          <Button look="main" disabled={isRunning || start.isPending} onClick={() => start.mutate({ start: true })}>
            {isRunning ? 'Verifying …' : current.state === 'idle' ? 'Verify the ledger' : 'Verify again'}
          </Button>
        </div>
        {start.error !== null && <Problem error={start.error} />}
        {isRunning && <Progress done={current.done} total={current.total} />}
        {current.state === 'failed' && <Problem error={{ message: `It could not be verified: ${current.why ?? 'no reason was given'}` }} />}
        {current.state === 'done' && current.report !== null && <Report verification={current} report={current.report} />}
      </div>
    </div>
  )
}

function Progress({ done, total }: { readonly done: number; readonly total: number }) {
  const share = total === 0 ? 0 : Math.min(1, done / total)
  return (
    <div className="flex items-center gap-3">
      <div
        role="progressbar"
        aria-label="Verification"
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
        className="h-2 flex-1 overflow-hidden rounded-full bg-none-tint"
      >
        <div className="h-full origin-left bg-accent" style={{ transform: `scaleX(${share})` }} />
      </div>
      <span className="w-44 shrink-0 text-right text-quiet">
        {done.toLocaleString('en')} of {total.toLocaleString('en')}
      </span>
    </div>
  )
}

type ReportData = NonNullable<Verification['report']>

function Report({ verification, report }: { readonly verification: Verification; readonly report: ReportData }) {
  const { ok, firstBad, faults } = report
  const { startedAt, endedAt } = verification
  return (
    <section
      role="status"
      aria-label="Result"
      className={`flex flex-col gap-3 rounded-md border p-4 ${ok ? 'border-allow bg-allow-tint' : 'border-deny bg-deny-tint'}`}
    >
      <h2 className={`flex items-center gap-2 font-semibold text-large ${ok ? 'text-allow' : 'text-deny'}`}>
        <Icon name={ok ? 'allow' : 'failed'} size={20} />
        {ok ? 'Everything is as it was written' : 'The ledger is not as it was written'}
      </h2>
      {firstBad !== null && (
        <p>
          The first bad row is{' '}
          <Link page="ledger" id={firstBad} className="font-medium underline">
            {firstBad}
          </Link>
          .
        </p>
      )}
      <Figures report={report} />
      {faults.length > 0 && (
        <ul className="mono flex flex-col gap-0.5">
          {faults.slice(0, 50).map(fault => (
            <li key={fault} className="wrap-anywhere">
              {plainText(fault, 500)}
            </li>
          ))}
        </ul>
      )}
      {endedAt !== null && (
        <p className="text-quiet text-small">
          {dayAndClock(endedAt)}
          {startedAt !== null && `, after ${span(Date.parse(endedAt) - Date.parse(startedAt))}`}
        </p>
      )}
    </section>
  )
}

function Figures({ report }: { readonly report: ReportData }) {
  const figures: readonly (readonly [string, number, string])[] = [
    ['entries', report.records, 'read and hashed'],
    ['sealed', report.sealed, 'covered by a signed checkpoint'],
    ['unsealed', report.unsealed, 'since the last checkpoint; these could be cut off unseen'],
    ['checkpoints', report.checkpoints, 'roots and signatures checked'],
    ['gaps', report.gaps, 'times when something could not be recorded'],
    ['clock steps', report.clockSteps, 'the clock jumped'],
    ['blobs kept', report.blobsKept, 'large values beside their entries'],
    ['blobs trimmed', report.blobsPruned, 'forgotten as the retention says'],
  ]
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(([name, value, meaning]) => (
        <div key={name} title={meaning}>
          <dt className="text-quiet text-small">{name}</dt>
          <dd className="font-semibold text-large">{value.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  )
}
