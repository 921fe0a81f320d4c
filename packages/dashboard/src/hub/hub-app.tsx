// The frame of the hub's page: who looks, is everything well, the way around.
import { type ReactNode, useEffect, useState } from 'react'
import type { HubApi } from '#hub/api.ts'
import { useAttention } from '../frame/attention.ts'
import { CatchError } from '../frame/catch-error.tsx'
import { ThemeSwitch } from '../frame/theme-switch.tsx'
import { setDaemonClock } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Icon, type IconName } from '../part/icon.tsx'
import { useKeys } from '../part/keys.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { TONES } from '../part/tone.ts'
import { ActsPage } from './acts-page.tsx'
import { ApprovalsPage } from './approvals-page.tsx'
import { useHub, useHubAct } from './ask-hub.ts'
import { HubLink } from './hub-link.tsx'
import { goHub, type HubPage, hubHref, useHubView } from './hub-url.ts'
import { LivePage } from './live-page.tsx'
import { LoginPage } from './login-page.tsx'
import { MachinesPage } from './machines-page.tsx'
import { RollOutPage } from './roll-out-page.tsx'
import { SearchPage } from './search-page.tsx'

type Me = HubApi['/v1/me']

const WORDS: Readonly<Record<HubPage, { readonly name: string; readonly key: string; readonly icon: IconName }>> = {
  machines: { name: 'Machines', key: 'm', icon: 'fleet' },
  live: { name: 'Live', key: 'l', icon: 'live' },
  approvals: { name: 'Approvals', key: 'a', icon: 'approvals' },
  rollout: { name: 'Roll-out', key: 'r', icon: 'policy' },
  search: { name: 'Search', key: 's', icon: 'search' },
  acts: { name: 'Acts', key: 'c', icon: 'ledger' },
}

const LOGGED_OUT = 401

export function HubApp() {
  const me = useHub('/v1/me')
  const { page } = useHubView()
  useAttention(me.data?.waiting ?? 0, WORDS[page].name)
  const now = me.data?.now
  useEffect(() => {
    if (now !== undefined) setDaemonClock(Date.parse(now), me.dataUpdatedAt)
  }, [now, me.dataUpdatedAt])
  useKeys(Object.fromEntries(Object.entries(WORDS).map(([name, { key }]) => [`g ${key}`, () => goHub(name as HubPage)])))
  if (useIsOut(me.error?.code === LOGGED_OUT, me.isSuccess)) return <LoginPage />
  if (me.data === undefined) return me.error === null ? <Loading /> : <HubAway message={me.error.message} />
  return <Frame me={me.data} problem={me.error?.message ?? null} />
}

/** Until somebody is in: a question that is asked once more must not take away what they are typing. */
function useIsOut(isRefused: boolean, isIn: boolean): boolean {
  const [isOut, setOut] = useState(false)
  useEffect(() => {
    if (isRefused) setOut(true)
    else if (isIn) setOut(false)
  }, [isRefused, isIn])
  return isRefused || (isOut && !isIn)
}

function HubAway({ message }: { readonly message: string }) {
  return (
    <main>
      <Empty title="The hub does not answer">{message}</Empty>
    </main>
  )
}

function Frame({ me, problem }: { readonly me: Me; readonly problem: string | null }) {
  const { page, isUnknown } = useHubView()
  return (
    <div className="flex h-full flex-col md:flex-row">
      <Rail me={me} page={page} />
      <div className="flex min-h-0 min-w-0 flex-1 flex-col">
        <Strip me={me} isAway={problem !== null} />
        {problem !== null && (
          <p role="status" className="shrink-0 border-b bg-ask-tint px-3 py-1 text-ask text-small">
            {problem}
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
        <main tabIndex={0} className="thin-scroll min-h-0 min-w-0 flex-1 overflow-auto">
          <CatchError of={page}>
            {isUnknown ? <Empty title="There is nothing here">The pages are beside this.</Empty> : shown(page, me)}
          </CatchError>
        </main>
      </div>
    </div>
  )
}

function shown(page: HubPage, me: Me): ReactNode {
  switch (page) {
    case 'machines':
      return <MachinesPage />
    case 'live':
      return <LivePage />
    case 'approvals':
      return <ApprovalsPage canDecide={me.role !== 'viewer'} />
    case 'rollout':
      return <RollOutPage />
    case 'search':
      return <SearchPage />
    case 'acts':
      return <ActsPage />
  }
}

function Strip({ me, isAway }: { readonly me: Me; readonly isAway: boolean }) {
  const out = useHubAct<Record<string, never>>('/v1/session/end')
  const tone = isAway ? 'ask' : 'allow'
  return (
    <header className="flex h-9 shrink-0 items-center gap-4 overflow-hidden border-b bg-surface px-3 text-small">
      <span
        title={`${me.hub}, version ${me.version}`}
        className={`inline-flex shrink-0 items-center gap-1.5 font-medium ${TONES[tone].text}`}
      >
        <span aria-hidden="true" className={`size-2 rounded-full ${TONES[tone].fill}`} />
        {isAway ? 'offline' : 'hub'}
      </span>
      <HubLink href={hubHref('machines')} className="shrink-0 text-quiet hover:text-ink">
        {me.machines} {me.machines === 1 ? 'machine' : 'machines'}
      </HubLink>
      {me.named > 0 && (
        <HubLink href={hubHref('machines')} className="shrink-0">
          <Badge tone="deny">
            <Icon name="failed" size={12} /> {me.named} in doubt
          </Badge>
        </HubLink>
      )}
      <span className="flex-1" />
      <span title={`role ${me.role}`} className="truncate text-quiet max-sm:hidden">
        {plainLine(me.name, 40)}, {me.role}
      </span>
      <Button look="quiet" onClick={() => out.mutate({})}>
        Log out
      </Button>
      <ThemeSwitch />
    </header>
  )
}

function Rail({ me, page }: { readonly me: Me; readonly page: HubPage }) {
  const names = (Object.keys(WORDS) as HubPage[]).filter(name => name !== 'acts' || me.role === 'admin')
  return (
    <nav
      aria-label="Pages"
      className="order-last flex shrink-0 justify-around border-t bg-surface md:order-first md:w-[72px] md:flex-col md:justify-start md:gap-1 md:border-t-0 md:border-r md:pt-2"
    >
      {names.map(name => (
        <HubLink
          key={name}
          href={hubHref(name)}
          title={`${WORDS[name].name} (g ${WORDS[name].key})`}
          aria-current={name === page ? 'page' : undefined}
          className={`relative flex min-w-12 flex-1 flex-col items-center gap-0.5 py-1.5 text-tiny md:mx-1.5 md:flex-none md:rounded-md ${name === page ? 'bg-chosen text-ink' : 'text-quiet hover:bg-hover hover:text-ink'}`}
        >
          <Icon name={WORDS[name].icon} size={18} />
          {WORDS[name].name}
          {name === 'approvals' && me.waiting > 0 && (
            <span className="absolute top-0.5 right-[calc(50%-20px)] min-w-4 rounded-full bg-ask px-1 text-center font-semibold text-surface text-tiny">
              {me.waiting > 99 ? '99+' : me.waiting}
              <span className="sr-only"> waiting</span>
            </span>
          )}
        </HubLink>
      ))}
    </nav>
  )
}
