// Requests as two lines each: what, then who and where; how long it still waits, or how it ended.

import { useEffect, useRef } from 'react'
import type { Approval } from '#page/api.ts'
import { Link } from '../frame/link.tsx'
import { Age, useNow } from '../part/age.tsx'
import { plainLine } from '../part/plain-text.ts'
import { timeLeft } from '../part/time-left.ts'
import { headOf } from './call-shape.ts'
import { StateMark } from './state-mark.tsx'

export interface RequestListProps {
  readonly requests: readonly Approval[]
  readonly shown: string | null
  readonly selected: ReadonlySet<string>
  readonly isHistory: boolean
  readonly onToggle: (id: string) => void
}

export function RequestList({ requests, shown, selected, isHistory, onToggle }: RequestListProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (shown !== null) list.current?.querySelector('[data-shown]')?.scrollIntoView({ block: 'nearest' })
  }, [shown])
  return (
    <ul ref={list} className="thin-scroll min-h-0 flex-1 overflow-y-auto">
      {requests.map(request => (
        <li
          key={request.id}
          data-shown={request.id === shown ? '' : undefined}
          className={`flex h-14 items-stretch border-b md:h-12 ${request.id === shown ? 'bg-chosen' : 'hover:bg-hover'}`}
        >
          {!isHistory && (
            <label className="flex w-10 shrink-0 items-center justify-center md:w-8">
              <span className="sr-only">Select {request.id}</span>
              <input
                type="checkbox"
                className="size-4 accent-accent md:size-3.5"
                disabled={request.state !== 'pending'}
                checked={request.state === 'pending' && selected.has(request.id)}
                onChange={() => onToggle(request.id)}
              />
            </label>
          )}
          <RequestLink request={request} isShown={request.id === shown} isHistory={isHistory} />
        </li>
      ))}
    </ul>
  )
}

function RequestLink({
  request,
  isShown,
  isHistory,
}: {
  readonly request: Approval
  readonly isShown: boolean
  readonly isHistory: boolean
}) {
  const { id, tool, input, agentId, root, kind, commitment, reason } = request
  const head = kind === 'gate' ? (commitment ?? reason) : headOf(tool, input)
  return (
    <Link
      page="approvals"
      id={id}
      {...(isHistory ? { params: { show: 'history' } } : {})}
      aria-current={isShown ? 'true' : undefined}
      className={`flex min-w-0 flex-1 flex-col justify-center pr-3 ${isHistory ? 'pl-3' : ''}`}
    >
      <span className="flex items-baseline gap-2">
        <span className="shrink-0 font-medium">{kind === 'gate' ? 'Gate' : plainLine(tool ?? 'call', 60)}</span>
        <span className="mono min-w-0 flex-1 truncate">{plainLine(head, 200)}</span>
      </span>
      <span className="flex items-baseline gap-2 text-faint text-small">
        <span className="min-w-0 flex-1 truncate">
          {plainLine(agentId, 60)} · {folderName(root)}
        </span>
        <Waiting request={request} />
      </span>
    </Link>
  )
}

function Waiting({ request }: { readonly request: Approval }) {
  const now = useNow()
  const held = request.heldUntil === null ? null : timeLeft(request.heldUntil, now)
  if (request.state !== 'pending')
    return (
      <span className="flex shrink-0 items-baseline gap-2">
        <StateMark state={request.state} plain />
        <Age time={request.decidedAt ?? request.expiresAt} />
      </span>
    )
  if (held !== null && !held.isOver)
    return <span className={`shrink-0 ${held.isUrgent ? 'font-semibold text-deny' : ''}`}>held for {held.text}</span>
  return (
    <span className="shrink-0">
      {request.kind === 'gate' ? '' : 'refused, '}
      {timeLeft(request.expiresAt, now).text} left
    </span>
  )
}

export function folderName(path: string): string {
  return plainLine(path.split('/').filter(Boolean).at(-1) ?? path, 60)
}
