// page.story: the entries of one session with what tells its story: prompts, hooks with their times, context that was given, changes.
import type { Entry } from '@belay/core/ledger'
import { queryEntries } from '../../ledger/read-entry.ts'
import type { Story, StoryEntry, StoryHook } from '../../page/story.ts'
import { RPC_REFUSED, RpcError } from '../../rpc/rpc.ts'
import { type Fields, fieldsIn, listIn, numberIn, parseFields, textIn, textsIn } from '../../statistic/read-fields.ts'
import { rowOf, verdictIn } from '../../statistic/record-row.ts'
import type { PageParts } from './page-parts.ts'
import { diffsOf } from './record-detail.ts'

const MAX_ENTRIES = 1000
const MAX_DIFFS = 100
const TEXT_CHARACTERS = 4000
const DIFF_CHARACTERS = 20_000

export async function readStory(parts: PageParts, session: string): Promise<Story> {
  const { store } = parts.ledger
  const newest = await queryEntries(store, { session }, { limit: MAX_ENTRIES + 1, newestFirst: true })
  if (newest.length === 0) throw new RpcError(RPC_REFUSED, `nothing is recorded of a session ${session}`)
  const isPartial = newest.length > MAX_ENTRIES
  const entries: StoryEntry[] = []
  let diffs = 0
  for (const entry of newest.slice(0, MAX_ENTRIES).toReversed()) {
    const made = await entryOf(parts, entry, diffs < MAX_DIFFS)
    diffs += made.diffs.length
    entries.push(made)
  }
  const facts = await readFacts(parts, session)
  const known = entries.find(({ row }) => row.agentId !== null)?.row
  return {
    session,
    agentId: facts?.agent_id ?? known?.agentId ?? null,
    project: facts?.project_root ?? known?.project ?? null,
    startedAt: facts?.created_at ?? entries[0]?.row.time ?? null,
    endedAt: facts?.ended_at ?? null,
    tokens: tokensOf(facts),
    cost: facts?.cost ?? null,
    context: facts?.context_usage ?? null,
    entries,
    isPartial,
  }
}

function tokensOf(facts: Awaited<ReturnType<typeof readFacts>>): Story['tokens'] {
  const { context_usage: usage, context_window: window } = facts ?? { context_usage: null, context_window: null }
  return usage === null || window === null ? null : { used: Math.round(usage * window), window }
}

/** Of the session's own agent, the newest window of it. */
async function readFacts({ state, ledger: { store } }: PageParts, session: string) {
  await state.parts.rows.flush()
  return store.db
    .selectFrom('sessions')
    .select(['agent_id', 'project_root', 'created_at', 'ended_at', 'cost', 'context_usage', 'context_window'])
    .where('host_session', '=', session)
    .where('subagent', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

async function entryOf({ ledger: { store } }: PageParts, entry: Entry, mayDiff: boolean): Promise<StoryEntry> {
  const body = parseFields(entry.body)
  const fields = fieldsIn(body.fields) ?? {}
  const id = textIn(fields.agentId)
  const diffs = mayDiff ? await diffsOf(store, { entry, body }) : []
  return {
    row: rowOf(entry, body),
    subagent: id === null || id === '' ? null : { id, type: textIn(fields.agentType) },
    text: cut(textIn(fields.prompt) ?? textIn(fields.lastAssistantMessage) ?? textIn(fields.message), TEXT_CHARACTERS),
    context: textsIn(body.context),
    hooks: listIn(body.hooks).map(hookOf),
    diffs: diffs.map(({ path, text }) => ({ path, text: cut(text, DIFF_CHARACTERS) ?? '' })),
    change: entry.kind === 'post_tool_use' ? changeOf(fieldsIn(body.input) ?? {}) : null,
  }
}

/** null: the call changes no file, or what it writes stands elsewhere. */
function changeOf({ file_path: path, old_string: before, new_string: after, content }: Fields): StoryEntry['change'] {
  const [from, to] = typeof content === 'string' ? ['', content] : [before, after]
  if (typeof path !== 'string' || typeof from !== 'string' || typeof to !== 'string') return null
  return { path, before: cut(from, DIFF_CHARACTERS) ?? '', after: cut(to, DIFF_CHARACTERS) ?? '' }
}

function hookOf(run: Fields): StoryHook {
  return { name: textIn(run.hook) ?? '', ms: numberIn(run.ms), verdict: verdictIn(run.verdict), outcome: textIn(run.outcome) ?? '' }
}

function cut(text: string | null, longest: number): string | null {
  return text === null || text.length <= longest ? text : `${text.slice(0, longest)}…`
}
