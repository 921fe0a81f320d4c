// The thin strip on top: is everything well, at a glance. Widths are reserved, so that nothing moves when a figure changes.
import type { ReactNode } from 'react'
import type { Frame } from '#page/overview.ts'
import { useStreamState } from '../daemon/stream.ts'
import { TimeLeft } from '../part/age.tsx'
import { Badge } from '../part/badge.tsx'
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { Keys } from '../part/keys.tsx'
import { plainLine } from '../part/plain-text.ts'
import { clock, milliseconds } from '../part/time.ts'
import { TONES, toneOfStatus } from '../part/tone.ts'
import { Link } from './link.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

export interface StripProps {
  readonly frame: Frame | undefined
  readonly onPalette: () => void
  readonly onHelp: () => void
}

export function Strip({ frame, onPalette, onHelp }: StripProps) {
  return (
    <header className="flex h-9 shrink-0 items-center gap-4 overflow-hidden border-b bg-surface px-3 text-small">
      <DaemonState frame={frame} />
      {frame !== undefined && (
        <>
          <PolicyState policy={frame.policy} />
          <Figure label="events/s" className="hidden w-24 sm:inline-flex">
            {frame.eventsPerSecond.toFixed(1)}
          </Figure>
          <Figure label="p99" className="hidden w-24 lg:inline-flex">
            {milliseconds(frame.p99Ms)}
          </Figure>
          <Agents agents={frame.agents} />
          {frame.paused !== null && (
            <Badge tone="ask" title={plainLine(frame.paused.reason ?? 'Nothing is judged until then. belay pause off ends it.')}>
              <Icon name="pause" size={12} /> paused, <TimeLeft until={frame.paused.until} /> left
            </Badge>
          )}
        </>
      )}
      <span className="flex-1" />
      <span className="flex shrink-0 items-center lg:gap-3">
        <Button look="quiet" onClick={onPalette}>
          <Icon name="search" size={14} />
          <span className="sr-only">Search and commands</span>
          <span className="hidden lg:inline">
            <Keys keys="Ctrl K" />
          </span>
        </Button>
        <Button look="quiet" onClick={onHelp} aria-label="Keyboard help" title="?" className="max-md:hidden">
          <Icon name="question" size={15} />
        </Button>
        <ThemeSwitch />
      </span>
    </header>
  )
}

function DaemonState({ frame }: { readonly frame: Frame | undefined }) {
  const { state } = useStreamState()
  const [tone, word] =
    state === 'live' ? (['allow', 'live'] as const) : state === 'ended' ? (['deny', 'ended'] as const) : (['ask', 'offline'] as const)
  const title = frame === undefined ? 'the daemon' : `belay ${frame.version}, up since ${clock(frame.startedAt)}, store ${frame.store}`
  return (
    <span title={title} className={`inline-flex w-[70px] shrink-0 items-center gap-1.5 font-medium ${TONES[tone].text}`}>
      <span aria-hidden="true" className={`size-2 rounded-full ${TONES[tone].fill}`} />
      <span className="sr-only">daemon </span>
      {word}
    </span>
  )
}

function PolicyState({ policy }: { readonly policy: Frame['policy'] }) {
  if (policy === null) return <span className="hidden text-faint sm:inline">no policy yet</span>
  const short = policy.hash?.replace(/^sha256:/, '').slice(0, 8) ?? 'none'
  if (policy.state === 'good')
    return (
      <Link
        page="policy"
        params={{ root: policy.root }}
        title={plainLine(`policy of ${policy.root}`)}
        className="hidden shrink-0 items-center gap-1 text-quiet hover:text-ink sm:inline-flex"
      >
        <Icon name="policy" size={14} /> <span className="mono">{short}</span>
      </Link>
    )
  const lastGood =
    policy.lastGoodAt === null
      ? 'none was ever good: gated calls are refused'
      : `the last good policy of ${clock(policy.lastGoodAt)} is in force`
  return (
    <Link page="policy" params={{ root: policy.root }} title={plainLine(policy.problem ?? '')} className="min-w-0 truncate">
      <Badge tone="deny">
        <Icon name="failed" size={12} />
        <span>
          policy {policy.state}
          <span className="max-sm:sr-only">: {lastGood}</span>
        </span>
      </Badge>
    </Link>
  )
}

function Agents({ agents }: { readonly agents: Frame['agents'] }) {
  const shown = ['waits', 'error', 'attention', 'working', 'checked', 'done'].flatMap(status => {
    const count = agents[status] ?? 0
    return count === 0 ? [] : [{ status, count }]
  })
  return (
    <span className="hidden min-w-0 items-center gap-3 overflow-hidden whitespace-nowrap md:inline-flex">
      {shown.map(({ status, count }) => (
        <Link key={status} page="fleet" className={`inline-flex items-center gap-1 hover:underline ${TONES[toneOfStatus(status)].text}`}>
          <span className="font-semibold">{count}</span> {status === 'waits' ? 'for you' : status}
        </Link>
      ))}
    </span>
  )
}

function Figure({ label, className, children }: { readonly label: string; readonly className: string; readonly children: ReactNode }) {
  return (
    <span className={`shrink-0 items-baseline gap-1 whitespace-nowrap ${className}`}>
      <span className="font-medium">{children}</span> <span className="text-faint">{label}</span>
    </span>
  )
}
