// One line of the stream: an event, or a burst of the same one. It is a link, so it can be copied, opened beside, reached by Tab.
import { memo } from 'react'
import type { RecordRow } from '#page/record.ts'
import { visit } from '../frame/url.ts'
import { plainLine } from '../part/plain-text.ts'
import { clock, milliseconds } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'

export interface LineProps {
  readonly row: RecordRow
  /** Names the line while its burst grows. */
  readonly burst: number
  /** How many of it; more than one: it opens and closes. */
  readonly count: number
  readonly isOpen: boolean
  /** One of an opened burst. */
  readonly isInner: boolean
  readonly isChosen: boolean
  readonly href: string
  readonly onToggle: (burst: number) => void
}

const COLUMNS =
  'grid-cols-[32px_84px_minmax(0,1fr)] @xl:grid-cols-[60px_88px_100px_100px_minmax(0,1fr)] @3xl:grid-cols-[60px_88px_132px_132px_minmax(0,1fr)_72px] @5xl:grid-cols-[60px_88px_150px_150px_minmax(0,1fr)_180px_72px]'

export const Line = memo(function Line({ row, burst, count, isOpen, isInner, isChosen, href, onToggle }: LineProps) {
  const ground = isChosen ? 'bg-chosen' : row.verdict === 'deny' ? 'bg-deny-tint/50 hover:bg-hover' : 'hover:bg-hover'
  const own = plainLine(withoutProject(row), 320)
  const summary = count > 1 && !isOpen ? `${own} and ${count - 1} more` : own
  const isRefused = row.verdict === 'deny' || row.verdict === 'ask'
  const why = plainLine(row.rule ?? (isRefused ? row.reason : null) ?? '', 120)
  return (
    <li className="h-[30px]">
      <a
        href={href}
        data-seq={row.seq}
        aria-current={isChosen ? 'true' : undefined}
        aria-expanded={count > 1 ? isOpen : undefined}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          if (count > 1) onToggle(burst)
          else visit(href, { replace: new URLSearchParams(location.search).has('event') })
        }}
        className={`grid h-full items-center gap-2 border-line/50 border-b px-3 ${COLUMNS} ${ground}`}
      >
        <time dateTime={row.time} className="hidden text-faint text-small @xl:block">
          {clock(row.time)}
        </time>
        <span className={`flex @max-xl:[&_[data-word]]:sr-only ${isInner ? '@xl:pl-3' : ''}`}>
          <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
        </span>
        <span
          className="hidden truncate text-quiet @xl:block"
          title={plainLine(`${row.actor}${row.session === null ? '' : `, session ${row.session}`}`, 200)}
        >
          {plainLine(row.agentId ?? row.actor, 80)}
        </span>
        <What row={row} count={count} isOpen={isOpen} />
        <span className="mono min-w-0 truncate">{summary}</span>
        <span className="hidden truncate text-right text-faint text-small @5xl:block">{why}</span>
        <span className="hidden text-right text-faint text-small @3xl:block">{row.tookMs === null ? '' : milliseconds(row.tookMs)}</span>
      </a>
    </li>
  )
})

function What({ row, count, isOpen }: { readonly row: RecordRow; readonly count: number; readonly isOpen: boolean }) {
  const isBefore = row.event === 'PreToolUse' || row.tool === null
  return (
    <span className="flex min-w-0 items-baseline gap-1 truncate font-medium">
      <span className="truncate">{plainLine(row.tool ?? row.event ?? row.kind, 60)}</span>
      {count > 1 && (
        <span className="shrink-0 rounded bg-raised px-1 text-quiet text-tiny">
          ×&thinsp;{count}
          {isOpen && <span className="sr-only"> open</span>}
        </span>
      )}
      {!isBefore && <span className="shrink-0 font-normal text-faint text-tiny">{AFTER[row.event ?? ''] ?? ''}</span>}
    </span>
  )
}

/** Everybody knows which project it is; the rest of the path is what differs. */
function withoutProject({ summary, project }: RecordRow): string {
  return project !== null && summary.startsWith(`${project}/`) ? summary.slice(project.length + 1) : summary
}

const AFTER: Readonly<Record<string, string>> = { PostToolUse: 'after', PostToolUseFailure: 'failed', PermissionRequest: 'asked' }
