// Agents as lanes over time: calls, held ones, refusals, idle stretches, compactions. Drawing over a stretch looks closer; a click goes to
// the call.
import { useEffect, useState } from 'react'
import type { LaneItem, Lane as LaneView } from '#page/lanes.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { setParam, useView, visit } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { Empty } from '../part/empty.tsx'
import { Gauge } from '../part/gauge.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { clock } from '../part/time.ts'
import { cutRange, move, type Range, readRange, zoom } from './lane-range.ts'

const EVERY_MS = 3000
const SPANS = [
  [5, '5 min'],
  [15, '15 min'],
  [60, 'hour'],
  [360, '6 hours'],
  [1440, 'day'],
] as const

export function Lanes() {
  const { params } = useView()
  const [first, setFirst] = useState<number | null>(null)
  const range = useRange(params, first)
  const asked = { from: new Date(range.from).toISOString(), until: new Date(range.until).toISOString() }
  const found = useVerb('page.lanes', asked)
  const isFree = !params.has('span') && !params.has('from')
  const earliest = isFree && found.data !== undefined ? firstOf(found.data.lanes) : null
  useEffect(() => {
    // Later answers begin where this one did: what came before it is known.
    if (earliest !== null) setFirst(known => known ?? earliest)
  }, [earliest])
  if (found.data === undefined)
    return found.error === null ? (
      <Loading what="Reading what happened" />
    ) : (
      <Problem error={found.error} retry={() => void found.refetch()} />
    )
  const { lanes, isPartial } = found.data
  const drawn = { from: Date.parse(found.data.from), until: Date.parse(found.data.until) }
  return (
    <div className="flex flex-col gap-2 p-3">
      <Controls range={range} span={params.get('span')} />
      {isPartial && <p className="text-ask text-small">There is more than can be shown at once: this is its newest part. Look closer.</p>}
      {lanes.length === 0 ? (
        <Empty title="No agent did anything here">Choose another stretch of time above.</Empty>
      ) : (
        <div className="overflow-hidden rounded border bg-surface">
          <Axis range={drawn} />
          <ul aria-label="Lanes">
            {lanes.map(lane => (
              <Lane key={lane.agent} lane={lane} range={drawn} />
            ))}
          </ul>
        </div>
      )}
      <Legend />
    </div>
  )
}

function firstOf(lanes: readonly LaneView[]): number | null {
  const first = Math.min(...lanes.flatMap(({ items }) => items[0]?.from ?? []))
  return Number.isFinite(first) ? first : null
}

/** Moves on with the clock where nothing was chosen, a step at a time. */
function useRange(params: URLSearchParams, first: number | null): ReturnType<typeof readRange> {
  const [now, setNow] = useState(Date.now)
  const range = readRange(params, now, first)
  useEffect(() => {
    if (!range.isLive) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), EVERY_MS)
    return () => clearInterval(timer)
  }, [range.isLive])
  return range
}

function show({ from, until }: Range): void {
  const url = new URL(location.href)
  url.searchParams.delete('span')
  url.searchParams.set('from', new Date(from).toISOString())
  url.searchParams.set('until', new Date(until).toISOString())
  visit(url.pathname + url.search)
}

function follow(minutes: number): void {
  const url = new URL(location.href)
  url.searchParams.delete('from')
  url.searchParams.delete('until')
  url.searchParams.set('span', String(minutes))
  visit(url.pathname + url.search)
}

function Controls({ range, span }: { readonly range: ReturnType<typeof readRange>; readonly span: string | null }) {
  return (
    <div className="flex flex-wrap items-center gap-1">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">The last</legend>
        {SPANS.map(([minutes, word]) => {
          // From the first thing that happened it is shorter than any of them.
          const isHere = range.isLive && (span === null ? range.until - range.from === minutes * 60_000 : span === String(minutes))
          return (
            <Button key={minutes} look={isHere ? 'main' : 'plain'} aria-pressed={isHere} onClick={() => follow(minutes)}>
              {word}
            </Button>
          )
        })}
      </fieldset>
      <Button onClick={() => show(move(range, -0.5))} aria-label="Earlier">
        <Icon name="left" size={13} />
      </Button>
      <Button onClick={() => show(move(range, 0.5))} aria-label="Later">
        <Icon name="right" size={13} />
      </Button>
      <Button onClick={() => show(zoom(range, 0.5))}>Closer</Button>
      <Button onClick={() => show(zoom(range, 2))}>Further</Button>
      <Moment label="from" at={range.from} onAt={from => from < range.until && show({ from, until: range.until })} />
      <Moment label="until" at={range.until} onAt={until => range.from < until && show({ from: range.from, until })} />
    </div>
  )
}

/** Free choice of a moment, to the second, in the person's own zone. */
function Moment({ label, at, onAt }: { readonly label: string; readonly at: number; readonly onAt: (at: number) => void }) {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
  return (
    <label className="flex items-center gap-1 text-quiet text-small max-md:hidden">
      {label}
      <input
        type="datetime-local"
        step={1}
        value={local}
        onChange={event => {
          const chosen = new Date(event.target.value).getTime()
          if (!Number.isNaN(chosen)) onAt(chosen)
        }}
        className="h-7 rounded border border-edge/60 bg-surface px-1 text-ink text-small"
      />
    </label>
  )
}

const NAME_PX = 'w-28 md:w-44'

function Axis({ range }: { readonly range: Range }) {
  const shares = [0, 0.25, 0.5, 0.75]
  return (
    <div aria-hidden="true" className="flex border-b text-faint text-tiny">
      <span className={`shrink-0 ${NAME_PX}`} />
      <span className="relative h-5 min-w-0 flex-1">
        {shares.map(share => (
          <span key={share} className="absolute top-0.5 border-l pl-1" style={{ left: `${share * 100}%` }}>
            {clock(range.from + (range.until - range.from) * share)}
          </span>
        ))}
      </span>
    </div>
  )
}

function Lane({ lane, range }: { readonly lane: LaneView; readonly range: Range }) {
  const { agent, waits, calls, denied, asked, context } = lane
  const counts = [`${calls} calls`, ...(denied === 0 ? [] : [`${denied} denied`]), ...(asked === 0 ? [] : [`${asked} asked`])]
  const said = counts.join(', ')
  return (
    <li className="flex items-stretch border-line/60 border-b last:border-b-0">
      <Link page="fleet" id={agent} className={`flex shrink-0 flex-col justify-center border-r px-2 py-1 hover:bg-hover ${NAME_PX}`}>
        <span className="truncate font-medium">{plainLine(agent, 60)}</span>
        {waits && <span className="truncate text-ask text-tiny">waits for you</span>}
        <span className="truncate text-faint text-tiny">{said}</span>
        <span className="max-md:hidden">
          <Gauge value={context} label="context used" />
        </span>
      </Link>
      <Drawing lane={lane} range={range} label={`${agent}: ${said}${waits ? ', waits for you' : ''}`} />
    </li>
  )
}

const WIDTH = 1000
const HEIGHT = 40

function Drawing({ lane, range, label }: { readonly lane: LaneView; readonly range: Range; readonly label: string }) {
  const [begun, setBegun] = useState<number | null>(null)
  const [reached, setReached] = useState<number | null>(null)
  const shareOf = (event: { readonly clientX: number; readonly currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    return (event.clientX - left) / width
  }
  const x = (at: number) => ((at - range.from) / (range.until - range.from)) * WIDTH
  return (
    <svg
      role="img"
      aria-label={plainLine(label, 200)}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-auto min-h-10 w-full min-w-0 flex-1 touch-pan-y select-none"
      onPointerDown={event => setBegun(shareOf(event))}
      onPointerMove={event => begun !== null && setReached(shareOf(event))}
      onPointerLeave={() => setBegun(null)}
      onPointerUp={event => {
        const cut = begun === null ? null : cutRange(range, begun, shareOf(event))
        setBegun(null)
        setReached(null)
        if (cut !== null) show(cut)
      }}
    >
      <line x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className="stroke-line" vectorEffect="non-scaling-stroke" />
      {lane.items
        .toSorted((a, b) => Number(isCompaction(a)) - Number(isCompaction(b)))
        .map(item => (
          <Item key={`${item.kind} ${item.seq}`} item={item} from={x(item.from)} until={x(item.until)} />
        ))}
      {begun !== null && reached !== null && (
        <rect
          x={Math.min(begun, reached) * WIDTH}
          width={Math.abs(reached - begun) * WIDTH}
          y={0}
          height={HEIGHT}
          className="fill-accent/20"
        />
      )}
    </svg>
  )
}

/** Drawn last: a turn often ends in the same moment. */
function isCompaction({ kind, words }: LaneItem): boolean {
  return kind === 'mark' && words.includes('compact')
}

const FILLS = { allow: 'fill-allow', deny: 'fill-deny', ask: 'fill-ask', none: 'fill-none' } as const
/** Thinner would not be seen, or hit. */
const THINNEST = 3

function Item({ item, from, until }: { readonly item: LaneItem; readonly from: number; readonly until: number }) {
  const words = plainLine(`${clock(item.from)} ${item.words}${item.count > 1 ? ` and ${item.count - 1} more` : ''}`, 200)
  const open = () => setParam('event', String(item.seq))
  if (item.kind === 'mark')
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the pointer; the same entry is reached by keyboard in Live
      <line
        x1={from}
        x2={from}
        y1={2}
        y2={HEIGHT - 2}
        onClick={open}
        className={`cursor-pointer stroke-2 ${isCompaction(item) ? 'stroke-rewrite' : 'stroke-edge'}`}
        strokeDasharray="3 3"
        vectorEffect="non-scaling-stroke"
      >
        <title>{words}</title>
      </line>
    )
  // What was refused or held stands taller: it is told apart without its colour.
  const isTall = item.verdict === 'deny' || item.verdict === 'ask' || item.kind === 'held'
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut of the pointer; the same call is reached by keyboard in Live
    <rect
      data-seq={item.seq}
      x={from}
      width={Math.max(THINNEST, until - from)}
      y={isTall ? 4 : 12}
      height={isTall ? HEIGHT - 8 : HEIGHT - 24}
      onClick={open}
      className={`cursor-pointer hover:opacity-70 ${item.kind === 'held' ? 'fill-ask' : FILLS[item.verdict]}`}
    >
      <title>{words}</title>
    </rect>
  )
}

function Legend() {
  const sorts = [
    ['w-3 bg-allow h-2', 'call'],
    ['w-3 bg-ask h-3.5', 'held or asked'],
    ['w-3 bg-deny h-3.5', 'denied'],
    ['w-3 bg-edge h-px', 'nothing runs'],
    ['w-0.5 bg-edge h-3.5', 'prompt, turn, session'],
    ['w-0.5 bg-rewrite h-3.5', 'compaction'],
  ] as const
  return (
    <ul aria-label="What the shapes mean" className="flex flex-wrap gap-x-4 gap-y-1 text-faint text-small">
      {sorts.map(([look, word]) => (
        <li key={word} className="flex items-center gap-1.5">
          <span aria-hidden="true" className={`inline-block ${look}`} /> {word}
        </li>
      ))}
      <li className="max-md:hidden">draw over a stretch to look closer</li>
    </ul>
  )
}
