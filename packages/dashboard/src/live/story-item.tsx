// One call of a story with its hooks, its approval, what it changed and what was given to the model; or a mark between calls.
import { useMemo } from 'react'
import type { StoryEntry } from '#page/story.ts'
import { setParam } from '../frame/url.ts'
import { Age } from '../part/age.tsx'
import { FileChange, linesOf, readUnified } from '../part/diff.tsx'
import { eventWords } from '../part/event-words.ts'
import { Icon } from '../part/icon.tsx'
import { plainLine, plainText, withoutProject } from '../part/plain-text.ts'
import { briefly, clock, milliseconds } from '../part/time.ts'
import { TONES } from '../part/tone.ts'
import { VerdictMark } from '../part/verdict-mark.tsx'
import { heldMs, RUNS, resultOf } from './call-result.ts'
import { isEnd } from './join-calls.ts'
import { lineOf } from './list-lines.ts'
import type { StoryBranch, StoryCall } from './tell-story.ts'
import type { IsRunning } from './use-running.ts'

interface BranchProps {
  readonly branch: StoryBranch
  readonly isRunning: IsRunning
}

export function StoryBranchView({ branch, isRunning }: BranchProps) {
  const name = plainLine(branch.type ?? branch.id, 60)
  return (
    <li className="border-line/60 border-b last:border-b-0">
      <section aria-label={`Sub-agent ${name}`} className="ml-6 border-accent/50 border-l-2">
        <h3 className="px-3 pt-1 text-small">
          <span className="font-medium text-accent">sub-agent {name}</span> <span className="text-faint">{plainLine(branch.id, 60)}</span>
        </h3>
        <ol>
          {branch.items.map(item => (
            <StoryItem key={item.entries[0]?.row.seq} item={item} isRunning={isRunning} />
          ))}
        </ol>
      </section>
    </li>
  )
}

interface ItemProps {
  readonly item: StoryCall
  readonly isRunning: IsRunning
}

export function StoryItem({ item: { kind, entries }, isRunning }: ItemProps) {
  return (
    <li className="border-line/60 border-b px-3 py-1 last:border-b-0">
      {kind === 'mark' ? <MarkLine entry={entries[0]} /> : <CallLine entries={entries} isRunning={isRunning} />}
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

/** Below the command, which stands behind time, verdict and tool. */
const BELOW = 'ml-[90px] md:ml-[240px]'

function CallLine({ entries, isRunning }: { readonly entries: readonly StoryEntry[]; readonly isRunning: IsRunning }) {
  const line = lineOf({ rows: entries.map(({ row }) => row) })
  const { row, request } = line
  const { words, tone } = resultOf({ ...line, isRunning: isRunning(row) })
  const held = heldMs(line)
  return (
    <div className="grid grid-cols-[56px_18px_minmax(0,1fr)] items-baseline gap-x-2 md:grid-cols-[56px_70px_90px_minmax(0,1fr)_auto]">
      <time dateTime={row.time} className="text-faint text-small">
        {clock(entries[0]?.row.time ?? row.time)}
      </time>
      <span className="max-md:[&_[data-word]]:sr-only">
        <VerdictMark verdict={row.verdict} rewritten={row.isRewritten} failed={row.hasFailedHook} plain />
      </span>
      <span className="truncate font-medium max-md:hidden">{plainLine(row.tool ?? eventWords(row), 60)}</span>
      <button
        type="button"
        data-seq={row.seq}
        onClick={() => setParam('event', String(row.seq))}
        className="mono min-w-0 text-left wrap-anywhere hover:underline"
      >
        <span className="font-medium font-sans md:hidden">{plainLine(row.tool ?? eventWords(row), 60)} </span>
        {plainLine(withoutProject(row.summary, row.project), 400)}
      </button>
      <span className={`text-small max-md:col-start-3 md:whitespace-nowrap ${tone === null ? 'text-faint' : TONES[tone].text}`}>
        {held === null ? '' : `held ${briefly(held)}${words === '' ? '' : ', '}`}
        {words} {words === RUNS && <Age time={row.time} />}
      </span>
      <p className="col-start-3 flex flex-wrap gap-x-3 text-faint text-tiny md:col-span-2 md:col-start-4">
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
        <Hooks when="" entries={entries.filter(entry => !isEnd(entry.row))} />
        <Hooks when="after it: " entries={entries.filter(entry => isEnd(entry.row))} />
      </p>
    </div>
  )
}

/** Who took less and said nothing is not part of the story. */
const WORTH_MS = 0.1

function Hooks({ when, entries }: { readonly when: string; readonly entries: readonly StoryEntry[] }) {
  const hooks = entries.flatMap(entry => entry.hooks).filter(({ ms, verdict }) => ms !== null && (ms >= WORTH_MS || verdict !== 'none'))
  return hooks.map(({ name, ms, verdict }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the hooks of one entry never move
    <span key={index} className={verdict === 'deny' ? 'text-deny' : ''}>
      {index === 0 ? when : ''}
      {plainLine(name, 40)} {milliseconds(ms)}
    </span>
  ))
}

/** What hooks gave the model to read. */
export function Given({ entries, className = BELOW }: { readonly entries: readonly StoryEntry[]; readonly className?: string }) {
  const given = entries.flatMap(({ context }) => context)
  if (given.length === 0) return null
  return (
    <details className={`text-small ${className}`}>
      <summary className="w-fit text-rewrite">context given to the model</summary>
      <p className="whitespace-pre-wrap text-quiet wrap-anywhere">{plainText(given.join('\n'), 4000)}</p>
    </details>
  )
}

function Changes({ entries }: { readonly entries: readonly StoryEntry[] }) {
  const changes = useMemo(() => changesOf(entries), [entries])
  return (
    <div className={BELOW}>
      {changes.map(({ path, project, lines }) => (
        <FileChange key={path} path={withoutProject(path, project)} lines={lines} />
      ))}
    </div>
  )
}

/** By the evidence where there is some, else by what the call was told. */
function changesOf(entries: readonly StoryEntry[]) {
  const project = entries.find(({ row }) => row.project !== null)?.row.project ?? null
  const evidence = entries.flatMap(({ diffs }) => diffs.map(({ path, text }) => ({ path, project, lines: readUnified(text) })))
  if (evidence.length > 0) return evidence
  return entries.flatMap(({ change }) =>
    change === null ? [] : [{ path: change.path, project, lines: linesOf(change.before, change.after) }],
  )
}
