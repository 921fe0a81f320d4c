// Entries as lines; each leads to the entry with its proof.

import { plainLine } from '../part/plain-text.ts'
import { clock } from '../part/time.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { HubLink } from './hub-link.tsx'
import { hubHref } from './hub-url.ts'

export interface EntryRow {
  readonly chain: number
  readonly seq: number
  readonly machine: string
  readonly time: string
  readonly received: string
  readonly actor: string
  readonly kind: string
  readonly tool: string | null
  readonly verdict: string | null
  readonly rule: string | null
  readonly summary?: string | null
}

const VERDICTS = ['allow', 'deny', 'ask', 'none'] as const

export function EntryRows({ entries, label }: { readonly entries: readonly EntryRow[]; readonly label: string }) {
  return (
    <ol aria-label={label}>
      {entries.map(entry => (
        <li key={`${entry.chain} ${entry.seq}`}>
          <Line entry={entry} />
        </li>
      ))}
    </ol>
  )
}

function Line({ entry }: { readonly entry: EntryRow }) {
  const verdict = VERDICTS.find(name => name === entry.verdict)
  const isDenied = verdict === 'deny'
  return (
    <HubLink
      href={hubHref('search', entry.chain, entry.seq)}
      className={`grid h-[30px] grid-cols-[84px_minmax(0,90px)_minmax(0,1fr)] items-center gap-2 border-line/50 border-b px-3 md:grid-cols-[64px_84px_140px_160px_120px_minmax(0,1fr)] ${isDenied ? 'bg-deny-tint/50 hover:bg-hover' : 'hover:bg-hover'}`}
    >
      <time dateTime={entry.received} title={`recorded ${entry.time}`} className="text-faint text-small max-md:hidden">
        {clock(entry.received)}
      </time>
      {verdict === undefined ? (
        <span className="truncate text-faint text-small">{plainLine(entry.kind.replaceAll('_', ' '), 40)}</span>
      ) : (
        <VerdictMark verdict={verdict} plain />
      )}
      <span className="truncate font-medium">{plainLine(entry.machine, 60)}</span>
      <span className="truncate text-quiet max-md:hidden">{plainLine(entry.actor, 60)}</span>
      <span className="truncate max-md:hidden">{plainLine(entry.tool ?? '', 40)}</span>
      <span className="mono min-w-0 truncate">{plainLine(wordsOf(entry), 200)}</span>
    </HubLink>
  )
}

/** Where only heads are sent, what decided is all there is to read. */
function wordsOf({ summary, rule, kind, verdict }: EntryRow): string {
  return summary ?? rule ?? (verdict === null ? '' : kind.replaceAll('_', ' '))
}
