// One session as a story, from its first prompt to its end. Its address can be sent to somebody: it opens here, after logging in too.
import type { ReactNode } from 'react'
import { useMemo } from 'react'
import type { Story } from '#page/story.ts'
import { useVerb } from '../daemon/use-verb.ts'
import { Link } from '../frame/link.tsx'
import { CopyButton } from '../part/copy-button.tsx'
import { Icon } from '../part/icon.tsx'
import { Loading } from '../part/loading.tsx'
import { plainLine, plainText } from '../part/plain-text.ts'
import { Problem } from '../part/problem.tsx'
import { clock, dayAndClock, span } from '../part/time.ts'
import { Given, StoryBranchView, StoryItem } from './story-item.tsx'
import { type StoryTurn, tellStory } from './tell-story.ts'
import { type IsRunning, useRunning } from './use-running.ts'

const EVERY_MS = 3000

export function StoryPage({ session }: { readonly session: string }) {
  const found = useVerb('page.story', { session }, { refetchInterval: EVERY_MS })
  const story = found.data?.session === session ? found.data : undefined
  const turns = useMemo(() => (story === undefined ? [] : tellStory(story.entries)), [story])
  const isRunning = useRunning()
  return (
    <div className="mx-auto flex max-w-5xl flex-col gap-4 p-4">
      {found.error !== null && <Problem error={found.error} retry={() => void found.refetch()} />}
      {story === undefined && found.error === null && <Loading />}
      {story !== undefined && (
        <>
          <Head story={story} turns={turns} />
          {turns.map((turn, index) => (
            <Turn
              key={turn.prompt?.row.seq ?? 'before'}
              turn={turn}
              number={turns[0]?.prompt === null ? index : index + 1}
              isRunning={isRunning}
            />
          ))}
          <p className="text-center text-faint text-small">
            {story.endedAt === null
              ? 'The session is open: what comes next appears here.'
              : `The session ended at ${clock(story.endedAt)}.`}
          </p>
        </>
      )}
    </div>
  )
}

function Head({ story, turns }: { readonly story: Story; readonly turns: readonly StoryTurn[] }) {
  const { session, agentId, project, startedAt, cost, context, tokens, entries, isPartial } = story
  const judged = entries.filter(({ row }) => row.kind === 'pre_tool_use')
  const count = (verdict: string) => judged.filter(({ row }) => row.verdict === verdict).length
  const files = new Set(
    entries.flatMap(({ diffs, change }) => [...diffs.map(({ path }) => path), ...(change === null ? [] : [change.path])]),
  )
  const last = entries.at(-1)?.row.time
  const tookMs = startedAt === null || last === undefined ? null : Date.parse(last) - Date.parse(startedAt)
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {agentId !== null && (
          <Link page="fleet" id={agentId} className="flex items-center gap-1 text-accent hover:underline">
            <Icon name="left" /> {plainLine(agentId, 60)}
          </Link>
        )}
        <h1 className="font-semibold text-large wrap-anywhere">Session {plainLine(session, 80)}</h1>
        <span className="ml-auto flex items-center gap-2">
          <CopyButton label="Copy link" text={location.href} />
          <Link page="live" params={{ session }} className="text-accent hover:underline">
            As a list
          </Link>
        </span>
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-small">
        <Fact name="project">{project === null ? '–' : plainLine(project.split('/').at(-1) ?? project, 60)}</Fact>
        <Fact name="began">{startedAt === null ? '–' : dayAndClock(startedAt)}</Fact>
        <Fact name="took">{tookMs === null ? '–' : span(tookMs)}</Fact>
        <Fact name="turns">{turns.filter(({ prompt }) => prompt !== null).length}</Fact>
        <Fact name="calls">{judged.length}</Fact>
        <Fact name="denied">{count('deny')}</Fact>
        <Fact name="asked">{count('ask')}</Fact>
        <Fact name="files changed">{files.size}</Fact>
        {context !== null && <Fact name="context used">{Math.round(context * 100)} %</Fact>}
        {tokens !== null && (
          <Fact name="tokens in its window">
            {thousands(tokens.used)} of {thousands(tokens.window)}
          </Fact>
        )}
        {cost !== null && <Fact name="cost">${cost.toFixed(2)}</Fact>}
      </dl>
      {isPartial && <p className="text-ask text-small">This session is longer than what is shown: the newest part of it follows.</p>}
    </header>
  )
}

function thousands(count: number): string {
  return count < 10_000 ? count.toLocaleString('en') : `${Math.round(count / 1000)}k`
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-col">
      <dt className="text-faint text-tiny">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}

interface TurnProps {
  readonly turn: StoryTurn
  readonly number: number
  readonly isRunning: IsRunning
}

function Turn({ turn: { prompt, items }, number, isRunning }: TurnProps) {
  return (
    <section
      aria-label={prompt === null ? 'Before the first prompt' : `Turn ${number}`}
      className="overflow-hidden rounded-md border bg-surface"
    >
      {prompt !== null && (
        <div className="flex items-baseline gap-3 border-b bg-raised px-3 py-2">
          <span className="shrink-0 text-faint text-small">{clock(prompt.row.time)}</span>
          <p className="min-w-0 flex-1 whitespace-pre-wrap font-medium wrap-anywhere">
            {plainText(prompt.text ?? prompt.row.summary, 4000)}
          </p>
          <span className="shrink-0 text-faint text-small">turn {number}</span>
        </div>
      )}
      {prompt !== null && <Given entries={[prompt]} className="border-line/60 border-b py-1 pl-[76px]" />}
      <ol>
        {items.map(item =>
          item.kind === 'branch' ? (
            <StoryBranchView key={`sub ${item.id}`} branch={item} isRunning={isRunning} />
          ) : (
            <StoryItem key={item.entries[0]?.row.seq} item={item} isRunning={isRunning} />
          ),
        )}
      </ol>
    </section>
  )
}
