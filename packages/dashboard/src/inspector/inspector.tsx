// Everything about one event, beside the page it was opened from. It keeps its place while the stream goes on; `?event=SEQ` opens it
// anywhere, Escape closes it. It has the focus while it is new, and gives it back to the line it was opened from.
import { type RefObject, useEffect, useRef } from 'react'
import type { RecordDetail } from '#page/record.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { dayAndClock, milliseconds } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { Actions } from './actions.tsx'
import { Answer } from './answer.tsx'
import { CommandUnits } from './command-units.tsx'
import { Evidence } from './evidence.tsx'
import { Input } from './input.tsx'
import { Rejudge } from './rejudge.tsx'
import { Waterfall } from './waterfall.tsx'

/** An entry never changes; what is related to it may grow. */
const FRESH_MS = 5000

export function Inspector({ seq }: { readonly seq: number }) {
  const record = useVerb('page.record', { seq }, { staleTime: FRESH_MS })
  const close = () => setParam('event', null)
  const detail = record.data
  const box = useRef<HTMLElement>(null)
  useFocus(box, seq)
  return (
    <aside
      ref={box}
      aria-label="Event"
      tabIndex={-1}
      className="slide-in outline-none absolute inset-0 z-20 flex flex-col border-l bg-surface shadow-float lg:static lg:w-[min(46vw,620px)] lg:shrink-0 lg:shadow-none"
    >
      <header className="flex h-10 shrink-0 items-center gap-2 border-b px-3">
        <h2 className="flex min-w-0 items-center gap-2 font-semibold">
          <span className="whitespace-nowrap">Event {seq}</span>
          {detail !== undefined && (
            <VerdictMark verdict={detail.row.verdict} rewritten={detail.row.isRewritten} failed={detail.row.hasFailedHook} />
          )}
        </h2>
        {detail !== undefined && (
          <span className="ml-auto truncate text-faint text-small">
            {dayAndClock(detail.row.time)} · {milliseconds(detail.row.tookMs)}
          </span>
        )}
        <Button look="quiet" onClick={close} aria-label="Close the event" title="Esc" className={detail === undefined ? 'ml-auto' : ''}>
          <Icon name="close" />
        </Button>
      </header>
      {record.error !== null && <Problem error={record.error} retry={() => void record.refetch()} />}
      {detail === undefined && record.error === null && <Loading what="Reading the entry" />}
      {detail !== undefined && <Content key={detail.row.seq} detail={detail} />}
    </aside>
  )
}

function useFocus(box: RefObject<HTMLElement | null>, seq: number): void {
  const latest = useRef(seq)
  latest.current = seq
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      // Whoever closed it by going elsewhere is there already.
      if (document.activeElement !== document.body) return
      const line = document.querySelector(`[data-seq="${latest.current}"]`) ?? opener
      if (line instanceof HTMLElement) line.focus({ preventScroll: true })
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another event, as if newly opened
  useEffect(() => box.current?.focus({ preventScroll: true }), [box, seq])
}

function Content({ detail }: { readonly detail: RecordDetail }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="About the event" tabIndex={0} className="thin-scroll flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto px-4 py-3">
      <div>
        <p className="text-[15px] leading-6 wrap-anywhere">{plainText(detail.sentence, 1500)}</p>
        <WhichAgent detail={detail} />
      </div>
      <Actions detail={detail} />
      <CommandUnits detail={detail} />
      <Waterfall detail={detail} />
      <Rejudge detail={detail} />
      <Input detail={detail} />
      <Answer detail={detail} />
      <Evidence detail={detail} />
    </section>
  )
}

/** The sentence names the role; several agents may have the same. */
function WhichAgent({ detail: { row } }: { readonly detail: RecordDetail }) {
  if (row.agentId === null || row.actor.endsWith(row.agentId)) return null
  return (
    <p className="text-quiet text-small">
      by{' '}
      <Link page="fleet" id={row.agentId} className="text-accent hover:underline">
        {plainLine(row.agentId, 80)}
      </Link>
    </p>
  )
}
