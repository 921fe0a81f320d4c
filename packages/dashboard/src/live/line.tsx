// One line of the stream: a call with all that is known of it, a burst of calls, a step of an opened one, or a mark between them. It is a
// link, so it can be copied, opened beside, reached by Tab.
import { memo, type ReactNode } from 'react'
import type { RecordRow } from '#page/record.ts'
import { visit } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { eventWords, isMarker, stepWords } from '../part/event-words.ts'
import { Icon } from '../part/icon.tsx'
import { plainLine, withoutProject } from '../part/plain-text.ts'
import { briefly, clock } from '../part/time.ts'
import { TONES } from '../part/tone.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { heldMs, RUNS, resultOf } from './call-result.ts'
import type { ListLine } from './list-lines.ts'

export interface LineProps extends Omit<ListLine, 'key'> {
  /** Names the line while its burst grows. */
  readonly burst: number
  readonly isChosen: boolean
  readonly href: string
  readonly onToggle: (burst: number) => void
  /** Its newest call has not ended. */
  readonly isRunning: boolean
  /** Among lines of one agent its name says nothing. */
  readonly isNameless?: boolean
}

export const COLUMNS =
  'grid-cols-[28px_84px_minmax(0,1fr)] @xl:grid-cols-[56px_80px_100px_90px_minmax(0,1fr)] @3xl:grid-cols-[56px_80px_120px_100px_minmax(0,1fr)_116px] @5xl:grid-cols-[56px_80px_140px_120px_minmax(0,1fr)_minmax(0,240px)_164px]'

/** Without the agent. */
const NAMELESS_COLUMNS =
  'grid-cols-[28px_84px_minmax(0,1fr)] @xl:grid-cols-[56px_80px_90px_minmax(0,1fr)] @3xl:grid-cols-[56px_80px_100px_minmax(0,1fr)_116px] @5xl:grid-cols-[56px_80px_120px_minmax(0,1fr)_minmax(0,240px)_164px]'

export const Line = memo(function Line(props: LineProps) {
  const { row, time, inside, isOpen, inner, isChosen, href, burst, onToggle, isNameless = false } = props
  const isMark = inner !== 'step' && isMarker(row)
  const ground = isChosen ? 'bg-chosen' : row.verdict === 'deny' && inner !== 'step' ? 'bg-deny-tint/50 hover:bg-hover' : 'hover:bg-hover'
  return (
    <li className="relative h-[30px]">
      {inside > 0 && <Opener isOpen={isOpen} inside={inside} onToggle={() => onToggle(burst)} />}
      <a
        href={href}
        data-seq={row.seq}
        aria-current={isChosen ? 'true' : undefined}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          if (props.count > 1) onToggle(burst)
          else visit(href, { replace: new URLSearchParams(location.search).has('event') })
        }}
        className={`grid h-full items-center gap-2 border-line/50 border-b pr-3 ${isNameless ? 'pl-3' : 'pl-7'} ${isNameless ? NAMELESS_COLUMNS : COLUMNS} ${ground} ${inner === null ? '' : 'bg-raised/40'}`}
      >
        <time dateTime={time} className="hidden text-faint text-small @xl:block">
          {clock(time)}
        </time>
        {isMark ? <Mark row={row} isNameless={isNameless} /> : inner === 'step' ? <Step row={row} /> : <CallCells {...props} />}
      </a>
    </li>
  )
})

function Opener({ isOpen, inside, onToggle }: { readonly isOpen: boolean; readonly inside: number; readonly onToggle: () => void }) {
  return (
    <button
      type="button"
      onClick={onToggle}
      aria-expanded={isOpen}
      title="Enter"
      className="absolute inset-y-0 left-0 z-1 flex w-7 items-center justify-center text-faint hover:text-ink"
    >
      <Icon name={isOpen ? 'down' : 'right'} size={12} />
      <span className="sr-only">{inside} inside</span>
    </button>
  )
}

function CallCells(props: LineProps) {
  const { row, count, isOpen, inner, isNameless } = props
  const own = plainLine(withoutProject(row.summary, row.project), 320)
  const tool = plainLine(row.tool ?? eventWords(row), 60)
  return (
    <>
      <span className={`flex @max-xl:[&_[data-word]]:sr-only ${inner === null ? '' : '@xl:pl-3'}`}>
        <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
      </span>
      {!isNameless && <Who row={row} />}
      <span className={`min-w-0 items-baseline gap-1 font-medium ${isNameless ? 'flex' : 'hidden @xl:flex'}`}>
        <span className="truncate">{tool}</span>
        <Count {...props} />
      </span>
      <span className="flex min-w-0 items-baseline gap-1">
        {!isNameless && (
          <span className="flex max-w-1/2 shrink-0 items-baseline gap-1 font-medium @xl:hidden">
            <span className="truncate">{tool}</span>
            <Count {...props} />
          </span>
        )}
        <span className="mono min-w-0 flex-1 truncate">{count > 1 && !isOpen ? `${own} and ${count - 1} more` : own}</span>
        <BriefResult {...props} />
      </span>
      <Why row={row} />
      <Result {...props} />
    </>
  )
}

function Count({ count, isOpen }: LineProps) {
  if (count <= 1) return null
  return (
    <span className="shrink-0 rounded bg-raised px-1 text-quiet text-tiny">
      ×&thinsp;{count}
      {isOpen && <span className="sr-only"> open</span>}
    </span>
  )
}

function Who({ row }: { readonly row: RecordRow }) {
  return (
    <span className="truncate text-quiet" title={plainLine(`${row.actor}${row.session === null ? '' : `, session ${row.session}`}`, 200)}>
      {plainLine(row.agentId ?? row.actor, 80)}
    </span>
  )
}

/** What decided, in its own words, and where it is written. */
function Why({ row }: { readonly row: RecordRow }) {
  const isRefused = row.verdict === 'deny' || row.verdict === 'ask'
  const words = row.by ?? (isRefused ? row.reason : null) ?? ''
  return (
    <span className="hidden min-w-0 items-baseline gap-1.5 text-small @5xl:flex" title={plainLine(row.reason ?? words, 300)}>
      <span className="mono min-w-0 truncate text-quiet">{plainLine(words, 120)}</span>
      {row.place !== null && <span className="shrink-0 text-faint text-tiny">{plainLine(row.place, 60)}</span>}
    </span>
  )
}

function Result(line: LineProps) {
  const { words, tone } = resultOf(line)
  const held = heldMs(line)
  const said = held === null ? words : `held ${briefly(held)}${words === '' ? '' : `, ${words}`}`
  return (
    <span title={said} className={`hidden truncate text-right text-small @3xl:block ${tone === null ? 'text-faint' : TONES[tone].text}`}>
      {said} {words === RUNS && <Age time={line.row.time} />}
    </span>
  )
}

/** Where a line has no room for results: what did not go as asked; of a refusal, which its verdict says, what refused it. */
function BriefResult(line: LineProps) {
  const { row } = line
  const { brief, tone } = resultOf(line)
  if (row.verdict === 'deny' && row.by !== null)
    return (
      <span className="mono max-w-1/2 shrink-0 truncate text-quiet text-small @3xl:hidden">
        {plainLine(withoutTool(row.by, row.tool), 120)}
      </span>
    )
  if (brief === null || tone === null) return null
  return <span className={`shrink-0 text-small @3xl:hidden ${TONES[tone].text}`}>{brief}</span>
}

/** `git push *` of `Bash(git push *)`: its tool stands on the same line. */
function withoutTool(rule: string, tool: string | null): string {
  return rule.startsWith(`${tool}(`) && rule.endsWith(')') ? rule.slice(`${tool}(`.length, -1) : rule
}

/** A moment between calls: no verdict, no columns. */
function Mark({ row, isNameless }: { readonly row: RecordRow; readonly isNameless: boolean }) {
  return (
    <>
      <span className="flex justify-center text-faint @xl:justify-start">
        <Icon name="none" size={12} />
      </span>
      {!isNameless && <Who row={row} />}
      <Rest isShort={!isNameless}>
        <span className="shrink-0 text-quiet">{plainLine(eventWords(row), 60)}</span>
        <span className="min-w-0 truncate text-faint">{plainLine(row.summary, 320)}</span>
      </Rest>
    </>
  )
}

function Step({ row }: { readonly row: RecordRow }) {
  const who = row.kind === 'approval_decided' ? ` by ${row.actor}` : ''
  const took = row.tookMs === null ? '' : ` in ${briefly(row.tookMs)}`
  return (
    <>
      <span className="@xl:pl-3 @max-xl:[&_[data-word]]:sr-only">
        <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
      </span>
      <span className="hidden @xl:block" />
      <Rest isShort={false}>
        <span className="shrink-0">{plainLine(`${stepWords(row)}${who}${took}`, 120)}</span>
        <span className="min-w-0 truncate text-faint">{plainLine(row.by ?? row.reason ?? '', 200)}</span>
      </Rest>
    </>
  )
}

/** `isShort`: on the narrowest lines the agent stands before it. */
function Rest({ children, isShort }: { readonly children: ReactNode; readonly isShort: boolean }) {
  const narrow = isShort ? 'col-span-1' : 'col-span-2'
  return (
    <span className={`${narrow} flex min-w-0 items-baseline gap-2 text-small @xl:col-span-2 @3xl:col-span-3 @5xl:col-span-4`}>
      {children}
    </span>
  )
}
