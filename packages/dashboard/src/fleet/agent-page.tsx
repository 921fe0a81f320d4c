// One agent: how it stands, its windows with what they handed over, its efforts with their proofs, what was said.

import { type ReactNode, useEffect } from 'react'
import type { AgentView } from '#page/fleet.ts'
import { useAct, useForget, useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { Age } from '../part/age.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine, plainText, withoutProject } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { Section } from '../part/section.tsx'
import { Context, Doing, Heartbeat, nameOf, nowWord, reasonOf, Waiting } from './agent-facts.tsx'
import { CurrentSession } from './current-session.tsx'
import { EffortList } from './effort-list.tsx'
import { MessageList } from './message-list.tsx'
import { SessionChains } from './session-chains.tsx'
import { StatusMark } from './status-mark.tsx'

const EVERY_MS = 3000

export function AgentPage({ id, session }: { readonly id: string; readonly session: string | null }) {
  const found = useVerb('page.agent', { agent: id }, { refetchInterval: EVERY_MS })
  const data = found.data?.agent.agent === id ? found.data : undefined
  useLook(data)
  const { sessions = [], efforts = [] } = data ?? {}
  const chosen = sessions.find(({ id: known }) => String(known) === session) ?? sessions.findLast(({ subagent }) => subagent === null)
  return (
    <div className="flex flex-col gap-5 p-4">
      <Link page="fleet" className="flex w-fit items-center gap-1 text-accent hover:underline">
        <Icon name="left" /> Fleet
      </Link>
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {data === undefined && found.error === null && <Loading />}
      {data !== undefined && (
        <>
          <Head view={data} />
          {chosen !== undefined && <CurrentSession session={chosen} />}
          <Section title="Sessions">
            <SessionChains agent={id} sessions={sessions} chosen={chosen?.id ?? null} />
          </Section>
          <div className="grid gap-5 xl:grid-cols-2">
            <Section title="Efforts">
              <EffortList efforts={efforts} />
            </Section>
            {chosen !== undefined && (
              <Section title={`Messages of session ${chosen.id}`}>
                <MessageList session={chosen.id} count={chosen.messages} />
              </Section>
            )}
          </div>
        </>
      )}
    </div>
  )
}

/** Whoever opens it has looked: once, not for as long as the page stands open. */
function useLook(data: AgentView | undefined): void {
  const forget = useForget()
  const { mutate, isIdle } = useAct('page.markChecked', { onDone: () => forget('page.agent', 'fleet.list', 'page.frame') })
  const agent = data?.agent.agent ?? null
  const isOpen = data !== undefined && ['done', 'error', 'attention'].includes(data.agent.status)
  useEffect(() => {
    if (isIdle && isOpen && agent !== null) mutate({ agent })
  }, [agent, isOpen, isIdle, mutate])
}

function Head({ view: { agent } }: { readonly view: AgentView }) {
  const { status, stale, role, kind, task, project, asked, lastEventAt } = agent
  const reason = reasonOf(agent)
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2 className="font-semibold text-large wrap-anywhere">{nameOf(agent)}</h2>
        <StatusMark status={status} stale={stale} waits={agent.approvals > 0} />
        <Waiting agent={agent} />
        <span className="text-faint text-small">
          {[kind, role]
            .filter(text => text !== null)
            .map(text => plainLine(text, 60))
            .join(' · ')}
        </span>
        <Link page="ledger" params={{ agentId: agent.agent }} className="ml-auto text-accent hover:underline">
          Its events
        </Link>
      </div>
      {asked !== null && <p className="wrap-anywhere">{plainText(asked, 1000)}</p>}
      {nowWord(agent) !== null && (
        <p className="text-quiet wrap-anywhere">
          <Doing agent={agent} />
        </p>
      )}
      {reason !== null && <p className="text-quiet wrap-anywhere">{plainText(reason, 1000)}</p>}
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-small">
        <Fact name="heartbeat">
          <Heartbeat agent={agent} />
        </Fact>
        <Fact name="context">
          <Context agent={agent} />
        </Fact>
        <Fact name="heard of">
          <Age time={lastEventAt} /> ago
        </Fact>
        <Fact name={task === null ? 'project' : 'task'}>
          <span className="mono wrap-anywhere">{plainLine(task === null ? (project ?? '–') : withoutProject(task, project))}</span>
        </Fact>
      </dl>
    </header>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col">
      <dt className="text-faint text-tiny">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
