// The inbox: what waits for a person, the exact call, and one key to decide it. On a phone the list comes first, then the request.
import { useState } from 'react'
import { useForget } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Empty } from '../part/empty.tsx'
import { Keys, useKeys } from '../part/keys.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { Announcer } from './announcer.tsx'
import { BulkBar } from './bulk-bar.tsx'
import { waitingOf } from './inbox.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'
import { useInbox } from './use-inbox.ts'

export function ApprovalsPage() {
  const { id, isHistory, requests, listed } = useInbox()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const forget = useForget()
  const isEmpty = id === null && listed.data !== undefined && requests.length === 0
  const waiting = waitingOf(requests, selected)
  const toggle = (key: string) => setSelected(toggled(selected, key))
  const clear = () => setSelected(new Set())
  const decided = () => forget('approvals.list', 'page.approval', 'page.frame')
  useKeys({ x: () => id !== null && !isHistory && toggle(id) })
  return (
    <div className="flex h-full min-h-0 flex-col md:flex-row">
      <Announcer onChange={decided} />
      <section
        aria-label="Requests"
        className={`min-h-0 w-full flex-col border-r bg-surface md:flex md:w-72 md:flex-none lg:w-96 ${id === null ? 'flex' : 'hidden'} ${isEmpty ? '' : 'flex-1'}`}
      >
        <Head isHistory={isHistory} count={requests.filter(({ state }) => state === 'pending').length} />
        {listed.error !== null && <Problem error={listed.error} retry={() => void listed.refetch()} />}
        {listed.isPending && <Loading />}
        <RequestList requests={requests} shown={id} selected={selected} isHistory={isHistory} onToggle={toggle} />
        {waiting.length > 0 && (
          <BulkBar
            waiting={waiting}
            onClear={clear}
            onDecided={() => {
              clear()
              decided()
            }}
          />
        )}
      </section>
      <div className={`min-h-0 min-w-0 flex-1 flex-col md:flex ${id === null && !isEmpty ? 'hidden' : 'flex'}`}>
        {isEmpty && <NothingWaits isHistory={isHistory} />}
        {id !== null && <RequestDetail key={id} id={id} isHistory={isHistory} hasSelection={waiting.length > 0} onDecided={decided} />}
      </div>
    </div>
  )
}

function Head({ isHistory, count }: { readonly isHistory: boolean; readonly count: number }) {
  const classFor = (isHere: boolean) => `rounded px-2 py-1 ${isHere ? 'bg-raised font-semibold' : 'text-quiet hover:bg-hover'}`
  return (
    <nav aria-label="Inbox or history" className="flex items-center gap-1 border-b px-2 py-1.5">
      <Link page="approvals" className={classFor(!isHistory)} aria-current={isHistory ? undefined : 'page'}>
        Waiting{!isHistory && count > 0 ? ` ${count}` : ''}
      </Link>
      <Link page="approvals" params={{ show: 'history' }} className={classFor(isHistory)} aria-current={isHistory ? 'page' : undefined}>
        History
      </Link>
      <span className="ml-auto hidden items-center gap-1 text-faint text-small lg:flex">
        <Keys keys="j" /> <Keys keys="k" /> move <Keys keys="x" /> select
      </span>
    </nav>
  )
}

function NothingWaits({ isHistory }: { readonly isHistory: boolean }) {
  if (isHistory) return <Empty title="Nothing was decided yet" />
  return (
    <Empty title="Nothing waits for you" commands={['belay ask "Bash(git push *)"']}>
      A call comes here when a rule says ask, or when nothing matches and the default is ask. While this page is open, agents wait for your
      answer. This adds a rule that asks:
    </Empty>
  )
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}
