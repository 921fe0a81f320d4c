// Somebody waits for you: who, for what, how long still, and the decision, on every page. A call that is shown stays until it is settled, and its
// buttons take a moment to work: a press never meets another call than the one that was read.
import { useEffect, useState } from 'react'
import type { Frame, Waiting } from '#page/overview.ts'
import { useAct, useForget } from '../daemon/use-verb.ts'
import { useNow } from '../part/age.tsx'
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { isHeld } from '../part/time-left.ts'
import { WaitsFor } from '../part/waits-for.tsx'
import { Link } from './link.tsx'
import { canNotify, useAskToNotify } from './notification.ts'
import type { View } from './url.ts'

export interface WaitingBarProps {
  readonly frame: Frame | undefined
  readonly view: View
}

const ARMING_MS = 500

export function WaitingBar({ frame, view }: WaitingBarProps) {
  const all = frame?.waiting ?? NOBODY
  const shown = usePinned(all)
  if (frame === undefined || shown === null) return null
  const isInbox = view.page === 'approvals' && !view.isUnknown
  if (isInbox && (view.id === shown.request || all.length === 1) && shown.request !== null) return null
  return (
    <section
      aria-label="Waiting for you"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-ask border-b-2 bg-ask-tint px-3 py-2 md:min-h-11 md:py-1"
    >
      <Who waiting={shown} />
      <span className="flex items-center gap-2 max-md:w-full">
        {/* Two pairs of buttons about two calls would be one too many. */}
        {shown.request !== null && !isInbox && <Decide key={shown.request} id={shown.request} isWhole={shown.isWhole} />}
        <Look waiting={shown} isMain={!shown.isWhole} />
        <More count={all.length - 1} />
        <Notify />
      </span>
    </section>
  )
}

const NOBODY: readonly Waiting[] = []

function keyOf({ request, agentId }: Waiting): string {
  return request ?? `window ${agentId}`
}

function usePinned(all: readonly Waiting[]): Waiting | null {
  const [pinned, setPinned] = useState<string | null>(null)
  const known = all.find(waiting => keyOf(waiting) === pinned)
  const [first] = all
  // Who asks in its own window makes room for a call that can be decided here: that one's time runs out.
  const shown = (known?.request === null && first?.request !== null ? first : known) ?? first ?? null
  const key = shown === null ? null : keyOf(shown)
  useEffect(() => setPinned(key), [key])
  return shown
}

function Who({ waiting }: { readonly waiting: Waiting }) {
  const { agentId, tool, summary, project, heldUntil } = waiting
  const now = useNow()
  const kind = waiting.kind === 'held' && !isHeld(heldUntil, now) ? 'refused' : waiting.kind
  return (
    <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2 max-md:w-full max-md:flex-none">
      <Icon name="ask" size={15} className="self-center text-ask" />
      <strong className="font-semibold">{plainLine(agentId, 60)}</strong>
      <span className="text-quiet">{WORDS[kind]}</span>
      {tool !== null && <span className="font-medium">{plainLine(tool, 60)}</span>}
      <span className={`min-w-0 wrap-anywhere ${kind === 'asks' ? '' : 'mono'}`}>{plainLine(summary, 200)}</span>
      {project !== null && <span className="text-faint text-small">in {plainLine(folderOf(project), 60)}</span>}
      <Left waiting={waiting} />
    </p>
  )
}

const WORDS: Readonly<Record<Waiting['kind'], string>> = {
  held: 'waits for you to decide',
  refused: 'asked for',
  gate: 'waits for an approver of',
  asks: 'waits for you in its own window:',
}

function Left({ waiting: { kind, heldUntil, expiresAt } }: { readonly waiting: Waiting }) {
  if (expiresAt === null) return null
  return <WaitsFor heldUntil={heldUntil} expiresAt={expiresAt} isGate={kind === 'gate'} />
}

function Decide({ id, isWhole }: { readonly id: string; readonly isWhole: boolean }) {
  const forget = useForget()
  const done = () => forget('approvals.list', 'page.approval', 'page.frame', 'fleet.list')
  const allow = useAct('approvals.allow', { onDone: done })
  const deny = useAct('approvals.deny', { onDone: done })
  const [isArmed, setArmed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setArmed(true), ARMING_MS)
    return () => clearTimeout(timer)
  }, [])
  const error = allow.error ?? deny.error
  const canDecide = isArmed && allow.isIdle && deny.isIdle
  return (
    <>
      {error !== null && <Problem error={error} />}
      {isWhole && (
        <Button tone="allow" disabled={!canDecide} onClick={() => allow.mutate({ ids: [id] })} className={THUMB}>
          <Icon name="allow" size={13} /> Allow
        </Button>
      )}
      <Button tone="deny" disabled={!canDecide} onClick={() => deny.mutate({ ids: [id] })} className={THUMB}>
        <Icon name="deny" size={13} /> Deny
      </Button>
    </>
  )
}

const THUMB = 'max-md:min-h-11 max-md:flex-1'

/** Where the line cannot say all of the call, reading it comes before allowing it. */
function Look({ waiting: { request, agentId }, isMain }: { readonly waiting: Waiting; readonly isMain: boolean }) {
  const look = `inline-flex min-h-7 items-center justify-center rounded border px-2.5 font-medium text-small ${THUMB} ${
    isMain ? 'border-accent bg-accent text-on-accent hover:opacity-90' : 'bg-surface hover:bg-hover'
  }`
  return request === null ? (
    <Link page="fleet" id={agentId} className={look} title="w">
      Look
    </Link>
  ) : (
    <Link page="approvals" id={request} className={look} title="w">
      {isMain ? 'Read and decide' : 'Look'}
    </Link>
  )
}

function More({ count }: { readonly count: number }) {
  if (count <= 0) return null
  return (
    <Link page="approvals" className="whitespace-nowrap px-1 font-medium text-ask text-small underline">
      {count} more
    </Link>
  )
}

function Notify() {
  const { state, ask } = useAskToNotify()
  if (!canNotify() || state !== 'default') return null
  return (
    <Button look="quiet" onClick={ask} className="max-md:hidden">
      Notify me
    </Button>
  )
}

function folderOf(path: string): string {
  return path.split('/').filter(Boolean).at(-1) ?? path
}
