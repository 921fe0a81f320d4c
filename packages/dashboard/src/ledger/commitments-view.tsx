// Promises of work: by state, and one of them with its evidence.

import { useCallback } from 'react'
import { useEvent } from '../daemon/stream.ts'
import { useForget, useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { useView } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { Empty } from '../part/empty.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import type { Commitment } from './commitment.ts'
import { CommitmentMark } from './commitment-mark.tsx'
import { CommitmentView } from './commitment-view.tsx'

const ALL = { all: true }

export function CommitmentsView() {
  const { params } = useView()
  const chosen = params.get('commitment')
  const found = useVerb('commitments.list', ALL)
  const forget = useForget()
  useEvent(
    'commitment',
    useCallback(() => forget('commitments.list', 'page.commitment'), [forget]),
  )
  if (found.data === undefined)
    return found.error === null ? <Loading /> : <Problem error={found.error} retry={() => void found.refetch()} />
  const commitments = [...found.data.commitments].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt))
  if (commitments.length === 0)
    return (
      <Empty title="No commitments yet" commands={['belay commit "keep drafts" --review', 'belay claim ID']}>
        A commitment is a promise of work: somebody does it, somebody else reviews it, and what the calls did stands below it as evidence.
      </Empty>
    )
  return (
    <div className="flex h-full min-h-0">
      <ul
        aria-label="Commitments"
        className={`thin-scroll min-h-0 w-full shrink-0 overflow-y-auto border-r bg-surface md:block md:w-96 ${chosen === null ? '' : 'hidden'}`}
      >
        {commitments.map(commitment => (
          <CommitmentLine key={commitment.id} commitment={commitment} isChosen={commitment.id === chosen} />
        ))}
      </ul>
      <div className={`thin-scroll min-h-0 min-w-0 flex-1 overflow-y-auto md:block ${chosen === null ? 'hidden' : ''}`}>
        {chosen === null ? <p className="p-4 text-quiet">Choose a commitment.</p> : <CommitmentView key={chosen} id={chosen} />}
      </div>
    </div>
  )
}

function CommitmentLine({ commitment, isChosen }: { readonly commitment: Commitment; readonly isChosen: boolean }) {
  const { id, title, state, claimedBy, evidence, updatedAt } = commitment
  return (
    <li>
      <Link
        page="ledger"
        params={{ show: 'commitments', commitment: id }}
        aria-current={isChosen ? 'true' : undefined}
        className={`flex h-12 flex-col justify-center border-b px-3 ${isChosen ? 'bg-chosen' : 'hover:bg-hover'}`}
      >
        <span className="flex items-baseline gap-2">
          <span className="min-w-0 flex-1 truncate font-medium">{plainLine(title, 160)}</span>
          <CommitmentMark state={state} />
        </span>
        <span className="flex items-baseline gap-2 text-faint text-small">
          <span className="min-w-0 flex-1 truncate">
            <span className="mono">{id}</span> · {claimedBy === null ? 'nobody' : plainLine(claimedBy, 60)} · {evidence} evidence
          </span>
          <Age time={updatedAt} />
        </span>
      </Link>
    </li>
  )
}
