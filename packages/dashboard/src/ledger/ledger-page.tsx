// What was recorded: entries to search, commitments with their evidence, and whether all of it is still as it was written.
import { Link } from '../frame/link.tsx'
import { useView } from '../frame/url.ts'
import { CommitmentsView } from './commitments-view.tsx'
import { EntriesView } from './entries-view.tsx'
import { EntryView } from './entry-view.tsx'
import { VerificationView } from './verification-view.tsx'

const VIEWS = [
  { show: null, name: 'Entries' },
  { show: 'commitments', name: 'Commitments' },
  { show: 'verify', name: 'Verification' },
] as const

export function LedgerPage() {
  const { id, params } = useView()
  const show = params.get('show')
  return (
    <div className="flex h-full min-h-0 flex-col">
      <nav aria-label="Parts of the ledger" className="flex shrink-0 items-center gap-1 border-b bg-surface px-3 py-1">
        {VIEWS.map(view => {
          const isHere = id === null && view.show === show
          return (
            <Link
              key={view.name}
              page="ledger"
              params={{ show: view.show }}
              aria-current={isHere ? 'page' : undefined}
              className={`flex min-h-7 items-center rounded px-2 ${isHere ? 'bg-raised font-semibold' : 'text-quiet hover:bg-hover'}`}
            >
              {view.name}
            </Link>
          )
        })}
      </nav>
      <div className="min-h-0 flex-1">
        <Part id={id} show={show} />
      </div>
    </div>
  )
}

function Part({ id, show }: { readonly id: string | null; readonly show: string | null }) {
  if (id !== null) return <EntryView key={id} id={id} />
  if (show === 'commitments') return <CommitmentsView />
  return show === 'verify' ? <VerificationView /> : <EntriesView />
}
