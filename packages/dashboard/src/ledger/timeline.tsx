// What happened under a commitment, oldest first; an entry opens to its diff or its record.
import { useState } from 'react'
import type { RecordRow } from '#page/record.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { setParam } from '../frame/url.ts'
import { Button } from '../part/button.tsx'
import { UnifiedDiff } from '../part/diff.tsx'
import { Icon } from '../part/icon.tsx'
import { Json } from '../part/json.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { dayAndClock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'

export function Timeline({ rows }: { readonly rows: readonly RecordRow[] }) {
  if (rows.length === 0) return <p className="text-quiet">Nothing happened under it yet.</p>
  return (
    <ol className="border-l-2 pl-0">
      {rows.map(row => (
        <Moment key={row.seq} row={row} />
      ))}
    </ol>
  )
}

function Moment({ row }: { readonly row: RecordRow }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="relative pl-4">
      <span aria-hidden="true" className="absolute top-2.5 -left-[5px] size-2 rounded-full bg-edge" />
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="flex min-h-[30px] w-full items-center gap-2 rounded px-1 text-left hover:bg-hover"
      >
        <Icon name={isOpen ? 'down' : 'right'} size={12} className="text-faint" />
        <span className="shrink-0 font-medium">{plainLine(wordOf(row), 60)}</span>
        {row.verdict !== 'none' && <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />}
        <span className="mono min-w-0 flex-1 truncate">{plainLine(row.summary, 200)}</span>
        <span className="hidden shrink-0 text-faint text-small sm:inline">{plainLine(row.actor, 40)}</span>
        <span className="hidden shrink-0 text-faint text-small sm:inline">{dayAndClock(row.time)}</span>
      </button>
      {isOpen && <Opened seq={row.seq} />}
    </li>
  )
}

const AFTER: Readonly<Record<string, string>> = { post_tool_use: ' done', post_tool_use_failure: ' failed' }

/** A call by its tool, everything else by its kind. */
function wordOf({ kind, tool }: RecordRow): string {
  if (tool !== null && (kind === 'pre_tool_use' || kind in AFTER)) return `${tool}${AFTER[kind] ?? ''}`
  return kind.replaceAll('_', ' ')
}

function Opened({ seq }: { readonly seq: number }) {
  const found = useVerb('page.record', { seq })
  if (found.error !== null) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading />
  const { diffs, body, sentence } = found.data
  return (
    <div className="flex flex-col gap-2 py-2 pl-5">
      <p className="text-quiet wrap-anywhere">{plainLine(sentence, 600)}</p>
      {diffs.length === 0 ? (
        <Json value={body} label="recorded body" />
      ) : (
        diffs.map(({ path, text }) => <UnifiedDiff key={path} text={text} />)
      )}
      <div>
        <Button onClick={() => setParam('event', String(seq), { replace: false })}>Inspect entry {seq}</Button>
      </div>
    </div>
  )
}
