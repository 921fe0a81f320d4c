// One call of a story with its hooks, its approval, what it changed and what was given to the model; or a mark between calls.
import type { StoryEntry } from '#page/story.ts'
import { setParam } from '../frame/url.ts'
import { Diff, UnifiedDiff } from '../part/diff.tsx'
import { eventWords } from '../part/event-words.ts'
import { Icon } from '../part/icon.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { briefly, clock, milliseconds } from '../part/time.ts'
import { TONES } from '../part/tone.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { heldMs, resultOf } from './call-result.ts'
import { lineOf } from './list-lines.ts'
import type { StoryBranch, StoryCall } from './tell-story.ts'

export function StoryBranchView({ branch }: { readonly branch: StoryBranch }) {
  const name = plainLine(branch.type ?? branch.id, 60)
  return (
    <li className="border-line/60 border-b last:border-b-0">
      <section aria-label={`Sub-agent ${name}`} className="ml-6 border-accent/50 border-l-2">
        <h3 className="px-3 pt-1 text-small">
          <span className="font-medium text-accent">sub-agent {name}</span> <span className="text-faint">{plainLine(branch.id, 60)}</span>
        </h3>
        <ol>
          {branch.items.map(item => (
            <StoryItem key={item.entries[0]?.row.seq} item={item} />
          ))}
        </ol>
      </section>
    </li>
  )
}

export function StoryItem({ item: { kind, entries } }: { readonly item: StoryCall }) {
  return (
    <li className="border-line/60 border-b px-3 py-1 last:border-b-0">
      {kind === 'mark' ? <MarkLine entry={entries[0]} /> : <CallLine entries={entries} />}
      <Given entries={entries} />
      <Changes entries={entries} />
    </li>
  )
}

function MarkLine({ entry }: { readonly entry: StoryEntry | undefined }) {
  if (entry === undefined) return null
  const { row, text } = entry
  return (
    <div className="flex items-baseline gap-3 text-small">
      <span className="shrink-0 text-faint">{clock(row.time)}</span>
      <Icon name="none" size={12} className="self-center text-faint" />
      <p className="min-w-0 text-quiet wrap-anywhere">
        {eventWords(row)} <span className="text-faint">{plainText(text ?? row.summary, 1000)}</span>
      </p>
    </div>
  )
}

/** Who took less and said nothing is not part of the story. */
const WORTH_MS = 0.1

function CallLine({ entries }: { readonly entries: readonly StoryEntry[] }) {
  const line = lineOf({ rows: entries.map(({ row }) => row) })
  const { row, request } = line
  const { words, tone } = resultOf(line)
  const held = heldMs(line)
  const hooks = entries.flatMap(entry => entry.hooks).filter(({ ms, verdict }) => ms !== null && (ms >= WORTH_MS || verdict !== 'none'))
  return (
    <div className="grid grid-cols-[56px_70px_minmax(0,1fr)] items-baseline gap-x-2 md:grid-cols-[56px_70px_90px_minmax(0,1fr)_auto]">
      <span className="text-faint text-small">{clock(row.time)}</span>
      <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
      <span className="truncate font-medium max-md:hidden">{plainLine(row.tool ?? eventWords(row), 60)}</span>
      <button
        type="button"
        data-seq={row.seq}
        onClick={() => setParam('event', String(row.seq))}
        className="mono min-w-0 text-left wrap-anywhere hover:underline"
      >
        {plainLine(withoutProject(row.summary, row.project), 400)}
      </button>
      <span className={`whitespace-nowrap text-small max-md:col-start-3 ${tone === null ? 'text-faint' : TONES[tone].text}`}>
        {held === null ? '' : `held ${briefly(held)}${words === '' ? '' : ', '}`}
        {words}
      </span>
      <p className="col-start-3 flex flex-wrap gap-x-3 text-faint text-tiny md:col-start-4">
        {row.by !== null && (
          <span>
            {plainLine(row.by, 120)} {plainLine(row.place ?? '', 60)}
          </span>
        )}
        {request !== null && request.kind === 'approval_decided' && (
          <span className={TONES[request.verdict].text}>
            {request.verdict === 'allow' ? 'allowed' : 'denied'} by {plainLine(request.actor, 60)}
          </span>
        )}
        {hooks.map(({ name, ms, verdict }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the hooks of one entry never move
          <span key={index} className={verdict === 'deny' ? 'text-deny' : ''}>
            {plainLine(name, 40)} {milliseconds(ms)}
          </span>
        ))}
      </p>
    </div>
  )
}

/** What hooks gave the model to read. */
function Given({ entries }: { readonly entries: readonly StoryEntry[] }) {
  const given = entries.flatMap(({ context }) => context)
  if (given.length === 0) return null
  return (
    <details className="ml-16 text-small">
      <summary className="w-fit text-rewrite">context given to the model</summary>
      <p className="whitespace-pre-wrap text-quiet wrap-anywhere">{plainText(given.join('\n'), 4000)}</p>
    </details>
  )
}

/** By the evidence where there is some, else by what the call was told. */
function Changes({ entries }: { readonly entries: readonly StoryEntry[] }) {
  const evidence = entries.flatMap(({ row, diff }) =>
    diff === null ? [] : [{ seq: row.seq, path: diff.path, shown: <UnifiedDiff text={diff.text} /> }],
  )
  const told = entries.flatMap(({ row, change }) =>
    change === null ? [] : [{ seq: row.seq, path: change.path, shown: <Diff before={change.before} after={change.after} /> }],
  )
  return (evidence.length > 0 ? evidence : told).map(({ seq, path, shown }) => (
    <details key={seq} className="ml-16 text-small">
      <summary className="w-fit text-accent">changed {plainLine(path.split('/').slice(-2).join('/'), 120)}</summary>
      {shown}
    </details>
  ))
}

function withoutProject(summary: string, project: string | null): string {
  return project !== null && summary.startsWith(`${project}/`) ? summary.slice(project.length + 1) : summary
}
