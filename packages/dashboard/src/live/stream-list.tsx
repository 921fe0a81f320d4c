// The list itself: only the lines near the screen exist. While it is scrolled away from the top, or paused, nothing in it moves.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { setParam, useView } from '../frame/url.ts'
import { Icon } from '../part/icon.tsx'
import { useKeys } from '../part/keys.tsx'
import { COLUMNS, Line } from './line.tsx'
import { type LineList, listLines } from './list-lines.ts'
import type { Rows } from './use-rows.ts'
import { useRunning } from './use-running.ts'
import { LINE_PX, useWindow } from './use-window.ts'

export interface StreamProps {
  readonly rows: Rows
  readonly isPaused: boolean
  readonly isFiltered: boolean
  readonly onResume: () => void
}

const NEAR_END = 200

export function Stream({ rows: { store, shown, loadOlder }, isPaused, isFiltered, onResume }: StreamProps) {
  const box = useRef<HTMLElement>(null)
  const [opened, toggle] = useOpened()
  const isRunning = useRunning()
  const lines = useMemo(() => listLines(shown, opened), [shown, opened])
  const { first, end, isAtTop } = useWindow(box, lines.count)
  const { params } = useView()
  const chosen = Number(params.get('event') ?? 0)
  const isHeld = isPaused || !isAtTop
  useEffect(() => store.hold(isHeld), [store, isHeld])
  const isNearEnd = end > lines.count - NEAR_END
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page that came may not be enough
  useEffect(() => {
    if (isNearEnd && shown.next !== null && !(isAtTop && shown.rows >= NEAR_END)) loadOlder()
  }, [isNearEnd, shown.next, isAtTop])
  useChoosing(box, lines, chosen, toggle)
  function showNewest(): void {
    onResume()
    box.current?.scrollTo({ top: 0 })
  }
  return (
    <div className="@container relative flex min-h-0 flex-1 flex-col">
      <Headings />
      {shown.waiting > 0 && !isAtTop && (
        <button
          type="button"
          onClick={showNewest}
          className="absolute top-8 left-1/2 z-10 flex -translate-x-1/2 items-center gap-1 rounded-full bg-accent px-3 py-1 font-medium text-on-accent text-small shadow-float"
        >
          <Icon name="up" size={13} /> {shown.waiting.toLocaleString('en')} new
        </button>
      )}
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Events"
        className="thin-scroll min-h-0 flex-1 overflow-y-scroll bg-surface [overflow-anchor:none]"
      >
        <ul aria-label="Events, newest first" style={{ height: lines.count * LINE_PX, paddingTop: first * LINE_PX }}>
          {linesBetween(lines, first, end).map(({ key, ...line }) => (
            <Line
              key={`${line.inner ?? ''} ${key}`}
              {...line}
              burst={key}
              isChosen={line.row.seq === chosen && !line.isOpen}
              isRunning={isRunning(line.row)}
              href={hrefOfEvent(params, line.row.seq)}
              onToggle={toggle}
            />
          ))}
        </ul>
        {shown.next === null && (
          <p className="p-3 text-center text-faint text-small">
            {isFiltered ? 'Nothing older matches.' : 'This is where the ledger begins.'}
          </p>
        )}
      </section>
    </div>
  )
}

/** As wide as a line: where the list has its scrollbar, so have they. */
function Headings() {
  const cell = 'truncate'
  return (
    <div
      aria-hidden="true"
      className={`thin-scroll grid shrink-0 gap-2 overflow-y-scroll border-b bg-raised pr-3 pl-7 text-faint text-tiny [scrollbar-color:transparent_transparent] ${COLUMNS}`}
    >
      <span className={`hidden @xl:block ${cell}`}>time</span>
      <span className={`@max-xl:invisible ${cell}`}>verdict</span>
      <span className={cell}>agent</span>
      <span className={`hidden @xl:block ${cell}`}>tool</span>
      <span className={cell}>call</span>
      <span className={`hidden @5xl:block ${cell}`}>decided by</span>
      <span className={`hidden text-right @3xl:block ${cell}`}>result</span>
    </div>
  )
}

/** j and k walk, Enter opens a burst. The line stays in sight. */
function useChoosing(box: { readonly current: HTMLElement | null }, lines: LineList, chosen: number, toggle: (seq: number) => void): void {
  function step(by: number): void {
    const next = nextIndex(lines, chosen, by)
    const line = lines.at(next)
    if (line === undefined) return
    setParam('event', String(line.row.seq), { replace: chosen > 0 })
    keepInSight(box.current, next)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    Enter: () => {
      const line = lines.at(indexOfSeq(lines, chosen))
      if (line !== undefined && line.inside > 0) toggle(line.key)
    },
  })
}

function nextIndex(lines: LineList, chosen: number, by: number): number {
  const at = chosen === 0 ? -1 : indexOfSeq(lines, chosen)
  return at < 0 ? 0 : Math.min(lines.count - 1, Math.max(0, at + by))
}

function indexOfSeq(lines: LineList, seq: number): number {
  for (let index = 0; index < lines.count; index++) if (lines.at(index)?.row.seq === seq) return index
  return -1
}

function keepInSight(box: HTMLElement | null, index: number): void {
  if (box === null) return
  const top = index * LINE_PX
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + LINE_PX > box.scrollTop + box.clientHeight) box.scrollTop = top + LINE_PX - box.clientHeight
}

function linesBetween(lines: LineList, first: number, end: number) {
  return Array.from({ length: Math.max(0, end - first) }, (_, index) => lines.at(first + index)).filter(line => line !== undefined)
}

function hrefOfEvent(params: URLSearchParams, seq: number): string {
  const next = new URLSearchParams(params)
  next.set('event', String(seq))
  return `/live?${next}`
}

/** On its own: a callback that stays keeps everything its function closes over, and in the list that would be all rows of its time. */
function useOpened(): [ReadonlySet<number>, (seq: number) => void] {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const toggle = useCallback((seq: number) => setOpened(known => toggled(known, seq)), [])
  return [opened, toggle]
}

function toggled(known: ReadonlySet<number>, seq: number): ReadonlySet<number> {
  const next = new Set(known)
  if (!next.delete(seq)) next.add(seq)
  return next
}
