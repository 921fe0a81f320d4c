// The inbox: what waits for a person, the exact call, and one key to decide it. On a phone the list comes first, then the request.

import { useEffect, useState } from 'react'
import type { Approval } from '#page/api.ts'
import { useForget, useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { go, isNarrowScreen, useView } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Keys, useKeys } from '../part/keys.tsx'
import { Loading } from '../part/loading.tsx'
import { Problem } from '../part/problem.tsx'
import { Announcer } from './announcer.tsx'
import { BulkDialog } from './bulk-dialog.tsx'
import { inboxOf, neighbourOf, waitingOf } from './inbox.ts'
import { RequestDetail } from './request-detail.tsx'
import { RequestList } from './request-list.tsx'

type Bulk = { readonly decision: 'allow' | 'deny'; readonly requests: readonly Approval[] }

export function ApprovalsPage() {
  const { id, params } = useView()
  const isHistory = params.get('show') === 'history'
  const listed = useVerb('approvals.list', isHistory ? { all: true } : {})
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [bulk, setBulk] = useState<Bulk | null>(null)
  const forget = useForget()
  const wanted = useVerb('page.approval', { id: id ?? '' }, { enabled: id !== null })
  const current = wanted.data?.request.id === id ? (wanted.data?.request ?? null) : null
  const known = listed.data?.requests ?? []
  const requests = isHistory ? known : inboxOf(known, current)
  const first = requests[0]?.id ?? null
  const waiting = waitingOf(requests, selected)

  const open = (request: Approval | null) =>
    request !== null && go('approvals', { id: request.id, params: keep(isHistory) }, { replace: true })
  const toggle = (key: string) => setSelected(toggled(selected, key))
  const decideMany = (decision: Bulk['decision']) => waiting.length > 0 && setBulk({ decision, requests: waiting })

  // Pinned by the address: what is on screen must not change because another request came or went.
  useEffect(() => {
    if (id === null && first !== null && !isNarrowScreen()) go('approvals', { id: first, params: keep(isHistory) }, { replace: true })
  }, [id, first, isHistory])

  useKeys({
    j: () => open(neighbourOf(requests, id, 1)),
    k: () => open(neighbourOf(requests, id, -1)),
    x: () => id !== null && !isHistory && toggle(id),
    ...(waiting.length > 0 ? { a: () => decideMany('allow'), d: () => decideMany('deny'), Escape: () => setSelected(new Set()) } : {}),
  })

  function decided(): void {
    forget('approvals.list', 'page.approval', 'page.frame')
  }

  return (
    <div className="flex h-full min-h-0">
      <Announcer onChange={decided} />
      <section
        aria-label="Requests"
        className={`min-h-0 w-full flex-col border-r bg-surface md:flex md:w-96 ${id === null ? 'flex' : 'hidden'}`}
      >
        <Head isHistory={isHistory} count={requests.filter(({ state }) => state === 'pending').length} />
        {listed.error !== null && <Problem error={listed.error} retry={() => void listed.refetch()} />}
        {listed.isPending && <Loading />}
        <RequestList requests={requests} shown={id} selected={selected} isHistory={isHistory} onToggle={toggle} />
        {waiting.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 border-t bg-raised px-3 py-2">
            <span className="mr-auto">{waiting.length} selected</span>
            <Button tone="allow" onClick={() => decideMany('allow')}>
              Allow… <Keys keys="a" />
            </Button>
            <Button tone="deny" onClick={() => decideMany('deny')}>
              Deny… <Keys keys="d" />
            </Button>
            <Button look="quiet" onClick={() => setSelected(new Set())}>
              Clear
            </Button>
          </div>
        )}
      </section>
      <div className={`min-h-0 min-w-0 flex-1 flex-col md:flex ${id === null ? 'hidden' : 'flex'}`}>
        {id === null && !listed.isPending && first === null && <NothingWaits isHistory={isHistory} />}
        {id !== null && <RequestDetail key={id} id={id} isHistory={isHistory} hasSelection={waiting.length > 0} onDecided={decided} />}
      </div>
      {bulk !== null && (
        <BulkDialog
          {...bulk}
          onClose={() => setBulk(null)}
          onDone={() => {
            setBulk(null)
            setSelected(new Set())
            decided()
          }}
        />
      )}
    </div>
  )
}

function Head({ isHistory, count }: { readonly isHistory: boolean; readonly count: number }) {
  const look = (isHere: boolean) => `rounded px-2 py-1 ${isHere ? 'bg-raised font-semibold' : 'text-quiet hover:bg-hover'}`
  return (
    <nav aria-label="Inbox or history" className="flex items-center gap-1 border-b px-2 py-1.5">
      <Link page="approvals" className={look(!isHistory)} aria-current={isHistory ? undefined : 'page'}>
        Waiting{!isHistory && count > 0 ? ` ${count}` : ''}
      </Link>
      <Link page="approvals" params={{ show: 'history' }} className={look(isHistory)} aria-current={isHistory ? 'page' : undefined}>
        History
      </Link>
      <span className="ml-auto hidden items-center gap-1 text-faint text-small md:flex">
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

function keep(isHistory: boolean): { readonly show?: string } {
  return isHistory ? { show: 'history' } : {}
}
