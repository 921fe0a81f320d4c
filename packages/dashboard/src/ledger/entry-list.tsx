// The entries that match as lines of one height; only those near the screen exist.
import { memo, useEffect, useRef } from 'react'
import type { RecordRow } from '#page/record.ts'
import { setParam, useView } from '../frame/url.ts'
import { LINE_PX, useWindow } from '../live/use-window.ts'
import { eventWords, stepWords } from '../part/event-words.ts'
import { Icon } from '../part/icon.tsx'
import { useKeys } from '../part/keys.tsx'
import { plainLine, withoutProject } from '../part/plain-text.ts'
import { dayAndClock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import type { Entries } from './use-entries.ts'

const NEAR_END = 60

const COLUMNS =
  'grid-cols-[56px_24px_minmax(0,1fr)] @2xl:grid-cols-[56px_104px_84px_112px_130px_minmax(0,1fr)] @5xl:grid-cols-[64px_112px_92px_130px_170px_minmax(0,1fr)_220px]'

export function EntryList({ entries: { rows, next, fresh, loadMore, reload } }: { readonly entries: Entries }) {
  const box = useRef<HTMLElement>(null)
  const { first, end } = useWindow(box, rows.length)
  const chosen = Number(useView().params.get('event') ?? 0)
  const isNearEnd = end > rows.length - NEAR_END
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that came may not have filled the screen
  useEffect(() => {
    if (isNearEnd && next !== null) loadMore()
  }, [isNearEnd, next, loadMore, rows.length])
  useKeys({ j: () => step(rows, chosen, 1, box.current), k: () => step(rows, chosen, -1, box.current) })
  return (
    <>
      {fresh > 0 && (
        <button
          type="button"
          onClick={() => {
            box.current?.scrollTo({ top: 0 })
            reload()
          }}
          className="absolute top-2 left-1/2 z-10 flex -translate-x-1/2 items-center gap-1 rounded-full bg-accent px-3 py-1 font-medium text-on-accent text-small shadow-float"
        >
          <Icon name="up" size={13} /> {fresh.toLocaleString('en')} recorded since
        </button>
      )}
      <Headings />
      <section
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Entries"
        className="thin-scroll min-h-0 flex-1 overflow-y-scroll bg-surface [overflow-anchor:none]"
      >
        <ul aria-label="Entries, newest first" style={{ height: rows.length * LINE_PX, paddingTop: first * LINE_PX }}>
          {rows.slice(first, end).map(row => (
            <EntryLine key={row.seq} row={row} isChosen={row.seq === chosen} />
          ))}
        </ul>
        {next === null && (
          <p className="p-3 text-center text-faint text-small">{rows.length.toLocaleString('en')} entries, all that match.</p>
        )}
      </section>
    </>
  )
}

/** As wide as a line: where the list has its scrollbar, so have they. */
function Headings() {
  return (
    <div
      aria-hidden="true"
      className={`thin-scroll grid shrink-0 gap-2 overflow-y-scroll border-b bg-raised px-3 text-faint text-tiny [scrollbar-color:transparent_transparent] ${COLUMNS}`}
    >
      <span className="text-right">entry</span>
      <span className="hidden @2xl:block">time</span>
      <span className="@max-2xl:invisible">verdict</span>
      <span className="hidden @2xl:block">agent</span>
      <span className="hidden @2xl:block">what</span>
      <span>call</span>
      <span className="hidden text-right @5xl:block">decided by, or kind</span>
    </div>
  )
}

const EntryLine = memo(function EntryLine({ row, isChosen }: { readonly row: RecordRow; readonly isChosen: boolean }) {
  return (
    <li className="h-[30px]">
      <button
        type="button"
        data-seq={row.seq}
        aria-pressed={isChosen}
        onClick={() => setParam('event', String(row.seq), { replace: false })}
        className={`grid h-full w-full items-center gap-2 border-line/50 border-b px-3 text-left ${COLUMNS} ${isChosen ? 'bg-chosen' : 'hover:bg-hover'}`}
      >
        <span className="mono text-right text-faint">{row.seq}</span>
        <time dateTime={row.time} className="hidden truncate text-faint text-small @2xl:block">
          {dayAndClock(row.time)}
        </time>
        <span className="flex @max-2xl:w-3.5 @max-2xl:overflow-hidden">
          <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
        </span>
        <span className="hidden truncate text-quiet @2xl:block" title={plainLine(row.actor, 80)}>
          {plainLine(row.agentId ?? row.actor, 60)}
        </span>
        <span className="hidden truncate font-medium @2xl:block" title={plainLine(row.kind, 80)}>
          {plainLine(whatOf(row), 60)}
        </span>
        <span className="mono min-w-0 truncate">
          <span className="@2xl:hidden">{plainLine(whatOf(row), 40)} </span>
          {plainLine(withoutProject(row.summary, row.project), 320)}
        </span>
        <span className="hidden truncate text-right text-faint text-small @5xl:block">
          {plainLine(row.by === null ? row.kind : `${row.by}${row.place === null ? '' : `, ${row.place}`}`, 120)}
        </span>
      </button>
    </li>
  )
})

/** A call by its tool, and which step of it this is. */
function whatOf(row: RecordRow): string {
  if (row.tool === null) return eventWords(row)
  return row.kind === 'pre_tool_use' ? row.tool : `${row.tool} ${stepWords(row)}`
}

function step(rows: readonly RecordRow[], chosen: number, by: 1 | -1, box: HTMLElement | null): void {
  const at = rows.findIndex(({ seq }) => seq === chosen)
  const next = at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))
  const row = rows[next]
  if (row === undefined || box === null) return
  setParam('event', String(row.seq), { replace: chosen > 0 })
  const top = next * LINE_PX
  if (top < box.scrollTop) box.scrollTop = top
  else if (top + LINE_PX > box.scrollTop + box.clientHeight) box.scrollTop = top + LINE_PX - box.clientHeight
}
