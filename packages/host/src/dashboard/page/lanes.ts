// page.lanes: agents over time. Calls last from their judgement to their end; what falls into one column of the picture is one item.
import { isDoctors } from '../../fleet/doctor-name.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { Lane, LaneItem, Lanes } from '../../page/lanes.ts'
import type { RecordRow, Verdict } from '../../page/record.ts'
import { needText, type Params } from '../../rpc/param.ts'
import { saysHowCallsEnd } from '../../statistic/doing-tally.ts'
import { recordRow } from '../../statistic/record-row.ts'
import type { PageParts } from './page-parts.ts'
import { invalid } from './read-filter.ts'
import { scanBack } from './scan-entries.ts'

export interface Range {
  readonly from: number
  readonly until: number
}

const MAX_LOOKED = 20_000
/** Of the picture: more cannot be told apart. */
const COLUMNS = 500
const MAX_LANES = 50
/** Nothing runs for longer without a word: whoever ran it is gone. */
const SILENCE_MS = 10 * 60_000

export function readRange(params: Params): Range {
  const [from, until] = [Date.parse(needText(params, 'from')), Date.parse(needText(params, 'until'))]
  if (!(from < until)) throw invalid('from and until must be times, the first before the second.')
  return { from, until }
}

type Growing = { -readonly [K in keyof LaneItem]: LaneItem[K] }

interface GrowingLane {
  waits: boolean
  calls: number
  denied: number
  asked: number
  heardAt: number
  readonly items: Growing[]
}

interface Seen {
  readonly lanes: Map<string, GrowingLane>
  /** Calls that were let through and have not ended. */
  readonly open: Map<string, { readonly lane: GrowingLane; readonly item: Growing }>
  /** By request: whom nobody has answered yet. */
  readonly waiting: Map<string, { readonly lane: GrowingLane; readonly item: Growing }>
}

export async function readLanes(parts: PageParts, range: Range): Promise<Lanes> {
  const [from, until] = [new Date(range.from).toISOString(), new Date(range.until).toISOString()]
  const { rows, isPartial } = await readRows(parts, from, until)
  const seen: Seen = { lanes: new Map(), open: new Map(), waiting: new Map() }
  for (const row of rows.toReversed())
    if (row.agentId !== null && !isDoctors(row.agentId, row.time)) add(seen, { ...row, agentId: row.agentId })
  for (const { lane, item } of seen.waiting.values()) {
    item.until = Math.min(range.until, parts.now())
    lane.asked++
  }
  for (const { lane, item } of seen.open.values()) {
    item.until = Math.max(item.until, Math.min(range.until, parts.now(), lane.heardAt + SILENCE_MS))
    if (item.until >= parts.now()) item.words = `${item.words} (runs)`
  }
  // Also who was refused for now: a person may still decide, as the fleet says.
  for (const { agentId } of parts.approvals.pending()) {
    const lane = seen.lanes.get(agentId ?? '')
    if (lane !== undefined) lane.waits = true
  }
  const contexts = await readContexts(parts)
  const columnMs = (range.until - range.from) / COLUMNS
  const made = [...seen.lanes].map(
    ([agent, { items, heardAt: _heardAt, ...counts }]): Lane => ({
      agent,
      ...counts,
      context: contexts.get(agent) ?? null,
      items: fold(items, columnMs),
    }),
  )
  const order = (a: Lane, b: Lane) => Number(b.waits) - Number(a.waits) || b.calls - a.calls || a.agent.localeCompare(b.agent)
  return { from, until, lanes: made.sort(order).slice(0, MAX_LANES), isPartial }
}

/** Newest first. */
async function readRows({ ledger: { store } }: PageParts, since: string, until: string) {
  const rows: RecordRow[] = []
  let looked = 0
  for await (const step of scanBack(store, { since, until }, (await readLastSeq(store)) + 1)) {
    for (const entry of step.entries) if (entry.time >= since) rows.push(recordRow(entry))
    looked += step.looked
    if (looked >= MAX_LOOKED && step.from > 1) return { rows, isPartial: true }
  }
  return { rows, isPartial: false }
}

const MARKS: Readonly<Record<string, string>> = {
  UserPromptSubmit: 'prompt',
  PreCompact: 'compacting the context',
  PostCompact: 'context compacted',
  Stop: 'turn ended',
  SessionStart: 'session began',
  SessionEnd: 'session ended',
  Notification: 'notification',
}

/** No call goes on over these. */
const ENDS_CALLS: ReadonlySet<string> = new Set(['UserPromptSubmit', 'Stop', 'SessionStart', 'SessionEnd'])

type AgentRow = RecordRow & { readonly agentId: string }

function add(seen: Seen, row: AgentRow): void {
  const { lanes, open, waiting } = seen
  const lane = lanes.get(row.agentId) ?? { waits: false, calls: 0, denied: 0, asked: 0, heardAt: 0, items: [] }
  lanes.set(row.agentId, lane)
  lane.heardAt = Date.parse(row.time)
  const mark = MARKS[row.event ?? '']
  if (row.kind === 'approval_requested') {
    const item = itemOf(row, 'held')
    lane.items.push(item)
    waiting.set(row.approval ?? '', { lane, item })
  } else if (row.kind === 'approval_expired') waiting.delete(row.approval ?? '')
  else if (row.kind === 'pre_tool_use') addCall(seen, lane, row)
  else if (row.kind === 'post_tool_use' || row.kind === 'post_tool_use_failure') {
    const begun = open.get(keyOf(row))?.item
    open.delete(keyOf(row))
    if (begun === undefined) return
    begun.until = Date.parse(row.time)
    if (row.kind === 'post_tool_use_failure') begun.words = `${begun.words} (failed)`
  } else if (mark !== undefined) {
    if (ENDS_CALLS.has(row.event ?? '')) for (const [key, call] of open) if (call.lane === lane) open.delete(key)
    lane.items.push({ ...itemOf(row, 'mark'), words: `${mark} ${row.summary}`.trim() })
  }
}

function addCall({ open, waiting }: Seen, lane: GrowingLane, row: AgentRow): void {
  const at = Date.parse(row.time)
  const held = waiting.get(row.approval ?? '')?.item
  waiting.delete(row.approval ?? '')
  lane.calls++
  if (row.verdict === 'deny') lane.denied++
  if (row.verdict === 'ask' || row.approval !== null) lane.asked++
  // The record is made when the answer is there: it was held before that.
  const from = held?.from ?? (row.approval === null ? at : at - (row.tookMs ?? 0))
  const item: Growing = { ...itemOf(row, row.approval === null ? 'call' : 'held'), from, until: at }
  if (held === undefined) lane.items.push(item)
  else Object.assign(held, item)
  const isLetThrough = row.verdict === 'allow' || row.verdict === 'none'
  if (isLetThrough && saysHowCallsEnd(row.agent)) open.set(keyOf(row), { lane, item: held ?? item })
}

function keyOf({ session, callId, tool, summary }: RecordRow): string {
  return `${session} ${callId ?? `${tool} ${summary}`}`
}

function itemOf({ seq, time, verdict, tool, summary }: RecordRow, kind: LaneItem['kind']): Growing {
  const at = Date.parse(time)
  return { seq, from: at, until: at, kind, verdict, count: 1, words: `${tool ?? ''} ${summary}`.trim() }
}

const STRICTNESS: Readonly<Record<Verdict, number>> = { none: 0, allow: 1, ask: 2, deny: 3 }

/** Calls that cannot be told apart become one; marks and held ones stay. */
function fold(items: readonly Growing[], columnMs: number): readonly LaneItem[] {
  const folded: Growing[] = []
  for (const item of items) {
    const last = folded.at(-1)
    if (
      last === undefined ||
      last.kind !== 'call' ||
      item.kind !== 'call' ||
      item.from - last.until > columnMs ||
      last.until - last.from > columnMs
    ) {
      folded.push({ ...item })
      continue
    }
    last.until = Math.max(last.until, item.until)
    last.count += item.count
    if (STRICTNESS[item.verdict] < STRICTNESS[last.verdict]) continue
    last.verdict = item.verdict
    last.seq = item.seq
    last.words = item.words
  }
  return folded
}

async function readContexts({ state, ledger: { store } }: PageParts): Promise<ReadonlyMap<string, number | null>> {
  await state.parts.rows.flush()
  const rows = await store.db.selectFrom('fleet_status').select(['agent', 'context']).execute()
  return new Map(rows.map(({ agent, context }) => [agent, context]))
}
