// page.lanes: agents over time. Calls last from their judgement to their end; what falls into one column of the picture is one item.
import { isDoctors } from '../../fleet/doctor-name.ts'
import { readLastSeq } from '../../ledger/read-entry.ts'
import type { Lane, LaneItem, Lanes } from '../../page/lanes.ts'
import type { RecordRow, Verdict } from '../../page/record.ts'
import { needText, type Params } from '../../rpc/param.ts'
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

export function readRange(params: Params): Range {
  const [from, until] = [Date.parse(needText(params, 'from')), Date.parse(needText(params, 'until'))]
  if (!(from < until)) throw invalid('from and until must be times, the first before the second.')
  return { from, until }
}

type Growing = { -readonly [K in keyof LaneItem]: LaneItem[K] }

interface GrowingLane {
  calls: number
  denied: number
  asked: number
  readonly items: Growing[]
}

export async function readLanes(parts: PageParts, range: Range): Promise<Lanes> {
  const [from, until] = [new Date(range.from).toISOString(), new Date(range.until).toISOString()]
  const { rows, isPartial } = await readRows(parts, from, until)
  const lanes = new Map<string, GrowingLane>()
  const open = new Map<string, Growing>()
  for (const row of rows.toReversed())
    if (row.agentId !== null && !isDoctors(row.agentId, row.time)) add(lanes, open, { ...row, agentId: row.agentId })
  const contexts = await readContexts(parts)
  const columnMs = (range.until - range.from) / COLUMNS
  const made = [...lanes].map(
    ([agent, { items, ...counts }]): Lane => ({ agent, ...counts, context: contexts.get(agent) ?? null, items: fold(items, columnMs) }),
  )
  return { from, until, lanes: made.sort((a, b) => b.calls - a.calls || a.agent.localeCompare(b.agent)).slice(0, MAX_LANES), isPartial }
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

function add(lanes: Map<string, GrowingLane>, open: Map<string, Growing>, row: RecordRow & { readonly agentId: string }): void {
  const lane = lanes.get(row.agentId) ?? { calls: 0, denied: 0, asked: 0, items: [] }
  lanes.set(row.agentId, lane)
  const at = Date.parse(row.time)
  const key = `${row.session} ${row.callId ?? `${row.tool} ${row.summary}`}`
  const mark = MARKS[row.event ?? '']
  if (row.kind === 'pre_tool_use') {
    lane.calls++
    if (row.verdict === 'deny') lane.denied++
    if (row.verdict === 'ask') lane.asked++
    const isHeld = row.approval !== null
    // The record is made when the answer is there: it was held before that.
    const from = isHeld ? at - (row.tookMs ?? 0) : at
    const item: Growing = { ...itemOf(row, 'call'), from, until: at, kind: isHeld ? 'held' : 'call' }
    lane.items.push(item)
    open.set(key, item)
  } else if (row.kind === 'post_tool_use' || row.kind === 'post_tool_use_failure') {
    const begun = open.get(key)
    if (begun !== undefined) begun.until = at
    open.delete(key)
  } else if (mark !== undefined) lane.items.push({ ...itemOf(row, 'mark'), words: `${mark} ${row.summary}`.trim() })
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
