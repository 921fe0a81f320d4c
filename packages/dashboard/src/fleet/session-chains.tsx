// Context windows as a chain from left to right; on the link stands what was handed over. Sub-agents hang below the window they began in.

import { useState } from 'react'
import type { SessionView } from '#page/fleet.ts'
import { Link } from '../frame/link.tsx'
import { Gauge } from '../part/gauge.tsx'
import { Json } from '../part/json.tsx'
import { plainLine } from '../part/plain-text.ts'
import { clock, dayAndClock } from '../part/time.ts'
import { type Chain, type ChainLink, chainsOf } from './chain.ts'

export interface SessionChainsProps {
  readonly agent: string
  readonly sessions: readonly SessionView[]
  readonly chosen: number | null
}

/** Older chains are behind a button. */
const FIRST = 5

export function SessionChains({ agent, sessions, chosen }: SessionChainsProps) {
  const [isWhole, setWhole] = useState(false)
  const [opened, setOpened] = useState<number | null>(null)
  const chains = chainsOf(sessions).toReversed()
  const shown = isWhole ? chains : chains.slice(0, FIRST)
  const handedOver = sessions.find(({ id }) => id === opened)
  if (chains.length === 0) return <p className="text-quiet">No session yet.</p>
  return (
    <>
      {shown.map(chain => (
        <ChainRow
          key={chain[0]?.session.id}
          chain={chain}
          agent={agent}
          chosen={chosen}
          opened={opened}
          onOpen={id => setOpened(id === opened ? null : id)}
        />
      ))}
      {handedOver !== undefined && (
        <div className="flex flex-col gap-1">
          <span className="text-faint text-small">Session {handedOver.id} handed over:</span>
          <Json value={handedOver.dehydrated} label={`what session ${handedOver.id} handed over`} />
        </div>
      )}
      {chains.length > shown.length && (
        <button type="button" className="w-fit text-accent underline" onClick={() => setWhole(true)}>
          show all {chains.length} chains
        </button>
      )}
    </>
  )
}

interface ChainRowProps {
  readonly chain: Chain
  readonly agent: string
  readonly chosen: number | null
  readonly opened: number | null
  readonly onOpen: (id: number) => void
}

function ChainRow({ chain, agent, chosen, opened, onOpen }: ChainRowProps) {
  return (
    <ol className="thin-scroll relative flex items-start overflow-x-auto pb-1">
      {chain.map((link, index) => (
        <li key={link.session.id} className="flex shrink-0 items-start">
          {index > 0 && <HandOver from={chain[index - 1]?.session} isOpen={opened === chain[index - 1]?.session.id} onOpen={onOpen} />}
          <Window agent={agent} link={link} chosen={chosen} />
        </li>
      ))}
    </ol>
  )
}

interface HandOverProps {
  readonly from: SessionView | undefined
  readonly isOpen: boolean
  readonly onOpen: (id: number) => void
}

function HandOver({ from, isOpen, onOpen }: HandOverProps) {
  const hasGiven = from !== undefined && from.dehydrated !== null
  return (
    <div className="flex w-28 flex-col items-center pt-3">
      <svg aria-hidden="true" viewBox="0 0 112 10" className={`h-2.5 w-28 ${hasGiven ? 'text-rewrite' : 'text-edge'}`}>
        <path d="M4 5h98" stroke="currentColor" strokeWidth="1.5" strokeDasharray={hasGiven ? undefined : '4 4'} />
        <path d="m100 1 6 4-6 4z" fill="currentColor" />
      </svg>
      {hasGiven ? (
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => onOpen(from.id)}
          className="rounded px-1 font-medium text-rewrite text-small hover:bg-rewrite-tint"
        >
          handed over
        </button>
      ) : (
        <span className="text-faint text-small">nothing given</span>
      )}
    </div>
  )
}

function Window({ agent, link, chosen }: { readonly agent: string; readonly link: ChainLink; readonly chosen: number | null }) {
  const { session, subagents } = link
  return (
    <div className="flex w-48 flex-col gap-1">
      <SessionBox agent={agent} session={session} isChosen={session.id === chosen} />
      {subagents.map(subagent => (
        <div key={subagent.id} className="flex">
          <span aria-hidden="true" className="mr-1 ml-3 h-4 w-3 shrink-0 rounded-bl border-b border-l" />
          <Link
            page="fleet"
            id={agent}
            params={{ session: subagent.id }}
            aria-current={subagent.id === chosen ? 'true' : undefined}
            className={`min-w-0 flex-1 truncate rounded px-1 text-small ${subagent.id === chosen ? 'bg-chosen' : 'text-quiet hover:bg-hover'}`}
            title={`sub-agent ${plainLine(subagent.subagent ?? '', 80)}, ${subagent.messages} messages`}
          >
            {plainLine(subagent.subagent ?? '', 40)}
          </Link>
        </div>
      ))}
    </div>
  )
}

function SessionBox({ agent, session, isChosen }: { readonly agent: string; readonly session: SessionView; readonly isChosen: boolean }) {
  const { id, startedAt, endedAt, context, cost, messages } = session
  return (
    <Link
      page="fleet"
      id={agent}
      params={{ session: id }}
      aria-current={isChosen ? 'true' : undefined}
      title={`${plainLine(session.hostSession, 80)}, since ${dayAndClock(startedAt)}`}
      className={`flex flex-col gap-0.5 rounded-md border p-2 text-small ${isChosen ? 'border-accent bg-chosen' : 'bg-surface hover:bg-hover'} ${endedAt === null ? '' : 'border-dashed'}`}
    >
      <span className="flex justify-between gap-2">
        <strong className="font-semibold">session {id}</strong>
        <span className={endedAt === null ? 'text-allow' : 'text-faint'}>{endedAt === null ? 'open' : 'ended'}</span>
      </span>
      <span className="text-faint">
        {clock(startedAt)} – {endedAt === null ? 'now' : clock(endedAt)}
      </span>
      <span className="flex items-center justify-between gap-2 text-faint">
        <Gauge value={context} label={`context used in session ${id}`} />
        {cost !== null && <span>${cost.toFixed(2)}</span>}
      </span>
      <span className="text-faint">
        {messages} {messages === 1 ? 'message' : 'messages'}
      </span>
    </Link>
  )
}
