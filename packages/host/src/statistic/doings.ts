// What each agent is at: as it was counted since this daemon started, and read back from the ledger for the time before. Of those thousands of
// bodies calls are searched, not parsed.

import type { RunningCall } from '../page/overview.ts'
import type { Store } from '../store/store.ts'
import { sharedText, wholeBody } from '../store/table/form.ts'
import type { AgentDoing, DoingTally } from './doing-tally.ts'
import { type Fields, fieldsIn, parseFields, textIn } from './read-fields.ts'

/** Without secrets. */
export interface Doing {
  /** What it called last, or calls now; null: nothing that is known. */
  readonly tool: string | null
  /** What it is called with; null: no field says it alone. */
  readonly text: string | null
  /** Since when that call runs; null: it does not, or its agent does not say when calls end. */
  readonly runsSince: string | null
  /** What it was asked last. */
  readonly asked: string | null
  /** What it said when its turn ended; null: it is at work, or says nothing. */
  readonly said: string | null
}

export interface Doings {
  get(agentId: string): Doing
  /** Of all agents, the newest of each first; as many as a screen can hold. */
  running(): readonly RunningCall[]
  /** Resolves when what was before this daemon's time is known too. */
  ready(): Promise<void>
}

export interface DoingsOptions {
  readonly counted: Pick<DoingTally, 'of' | 'all'>
  redact(text: string): string
  /** Earlier entries, newest first. */
  readBack(): Promise<readonly EarlierEntry[]>
}

export interface EarlierEntry {
  readonly kind: string
  readonly body: string
}

type Earlier = Pick<Doing, 'tool' | 'asked' | 'said'>

const NOTHING: Earlier = { tool: null, asked: null, said: null }

export function createDoings({ counted, redact, readBack }: DoingsOptions): Doings {
  let earlier: ReadonlyMap<string, Earlier> = new Map()
  let reading: Promise<void> | null = null
  const shown = (text: string | null) => (text === null ? null : cutText(redact(text)))
  return {
    get(agentId) {
      const before = earlier.get(agentId) ?? NOTHING
      const now = counted.of(agentId)
      if (now === undefined) return { ...before, text: null, runsSince: null }
      const running = [...now.running.values()].at(-1)
      const call = running ?? now.call
      return {
        tool: call === null ? before.tool : redact(call.tool),
        text: shown(call?.text ?? null),
        runsSince: running === undefined ? null : new Date(running.sinceMs).toISOString(),
        asked: now.asked === undefined ? before.asked : shown(now.asked),
        said: isUntouched(now) ? before.said : shown(now.said),
      }
    },
    running() {
      const found: RunningCall[] = []
      for (const [agentId, { running }] of counted.all())
        for (const { callId, tool, text } of [...running.values()].reverse())
          if (found.length < MAX_RUNNING)
            found.push({ agentId, callId, tool: redact(tool), text: callId === null ? redact(text ?? '').slice(0, NAMED_BY) : '' })
      return found
    },
    ready() {
      reading ??= readBack()
        .then(entries => {
          earlier = sumUp(entries)
        })
        .catch(error => {
          reading = null
          throw error
        })
      return reading
    },
  }
}

/** Nothing that ends or begins a turn was counted. */
function isUntouched({ asked, said, call }: AgentDoing): boolean {
  return asked === undefined && said === null && call === null
}

const MAX_RUNNING = 200
/** Characters that tell calls apart which run at once. */
const NAMED_BY = 100
const TEXT_CHARACTERS = 200

/** Only after its secrets are out: half of one would not be known. */
export function cutText(text: string): string {
  return text.length <= TEXT_CHARACTERS ? text : `${text.slice(0, TEXT_CHARACTERS)}…`
}

/** As far back as is quickly read. */
const READ_BACK = 5000
const KINDS = ['pre_tool_use', 'user_prompt_submit', 'stop']

export function readEarlier({ db }: Pick<Store, 'db'>): () => Promise<readonly EarlierEntry[]> {
  return async () => {
    const last = await db.selectFrom('ledger').select('seq').orderBy('seq', 'desc').limit(1).executeTakeFirst()
    const rows = await db
      .selectFrom('ledger')
      .select(['kind', 'body', sharedText().as('shared')])
      .where('seq', '>', (last?.seq ?? 0) - READ_BACK)
      .where('kind', 'in', KINDS)
      .orderBy('seq', 'desc')
      .limit(READ_BACK)
      .execute()
    return rows.map(row => ({ kind: row.kind, body: wholeBody(row) }))
  }
}

/** Of the newest entries of each agent. */
function sumUp(entries: readonly EarlierEntry[]): ReadonlyMap<string, Earlier> {
  const found = new Map<string, Earlier>()
  /** Those of whom something newer than a turn's end is known. */
  const begun = new Set<string>()
  for (const { kind, body } of entries) {
    const entry = kind === 'pre_tool_use' ? findCall(body) : findWords(kind, body)
    if (entry === null) continue
    const { agentId, ...words } = entry
    const before = found.get(agentId) ?? NOTHING
    found.set(agentId, {
      tool: before.tool ?? words.tool,
      asked: before.asked ?? words.asked,
      said: before.said ?? (begun.has(agentId) ? null : words.said),
    })
    begun.add(agentId)
  }
  return found
}

type Found = Earlier & { readonly agentId: string }

function findWords(kind: string, body: string): Found | null {
  const all: Fields = parseFields(body)
  const agentId = textIn(all.agentId)
  const fields = fieldsIn(all.fields)
  if (agentId === null || fields === null) return null
  const words = (value: unknown) => cutText(textIn(value)?.trim() ?? '') || null
  return kind === 'stop'
    ? { ...NOTHING, agentId, said: words(fields.lastAssistantMessage) }
    : { ...NOTHING, agentId, asked: words(fields.prompt) }
}

/** Keys are sorted: of a call's own fields none that nests stands before `agentId` or behind `tool`. */
function findCall(body: string): Found | null {
  const agentId = readText(body, body.indexOf('"agentId":"'), '"agentId":')
  const tool = readText(body, body.lastIndexOf('"tool":"'), '"tool":')
  return agentId === null || tool === null ? null : { ...NOTHING, agentId, tool }
}

function readText(text: string, at: number, key: string): string | null {
  if (at < 0) return null
  const from = at + key.length
  let end = text.indexOf('"', from + 1)
  while (end > 0 && text[end - 1] === '\\') end = text.indexOf('"', end + 1)
  if (end < 0) return null
  try {
    return JSON.parse(text.slice(from, end + 1))
  } catch {
    return null
  }
}
