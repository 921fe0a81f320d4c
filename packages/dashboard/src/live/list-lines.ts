// Lines as they are drawn: a call, a burst of calls, and below an opened one its steps or its calls; newest first.
import type { RecordRow } from '#page/record.ts'
import { firstSeq, type Group } from './group-rows.ts'
import { type Call, createCallJoiner, isEnd } from './join-calls.ts'
import type { RowSnapshot } from './row-store.ts'

export interface ListLine {
  /** What stands for the call: its judgement where there is one. Of a burst the newest. */
  readonly row: RecordRow
  /** How it ended; null: it has not, or nobody said so. */
  readonly end: RecordRow | null
  /** What became of the person's decision; null: nobody was asked. */
  readonly request: RecordRow | null
  /** When it began: lines stand in this order. */
  readonly time: string
  /** Stays while a burst grows. */
  readonly key: number
  /** Calls of a burst. */
  readonly count: number
  /** Lines that open below it; 0: none do. */
  readonly inside: number
  readonly isOpen: boolean
  readonly inner: 'call' | 'step' | null
}

export interface LineList {
  readonly count: number
  at(index: number): ListLine | undefined
}

/** `opened`: the seq of the first row of each opened line. */
export function listLines(shown: RowSnapshot, opened: ReadonlySet<number>): LineList {
  if (opened.size === 0) return { count: shown.count, at: index => headOf(shown.lineAt(index), false) }
  const lines: ListLine[] = []
  for (let index = 0; index < shown.count; index++) {
    const group = shown.lineAt(index)
    const head = headOf(group, group !== undefined && opened.has(firstSeq(group)))
    if (group === undefined || head === undefined) continue
    lines.push(head)
    if (head.isOpen) lines.push(...innerOf(group))
  }
  return { count: lines.length, at: index => lines[index] }
}

function headOf(group: Group | undefined, isWanted: boolean): ListLine | undefined {
  const newest = group?.calls.at(-1)
  if (group === undefined || newest === undefined) return undefined
  const count = group.calls.length
  const inside = count > 1 ? count : newest.rows.length > 1 ? newest.rows.length : 0
  const time = group.calls[0]?.rows[0]?.time ?? ''
  return { ...lineOf(newest), time, key: firstSeq(group), count, inside, isOpen: isWanted && inside > 0, inner: null }
}

function innerOf({ calls }: Group): readonly ListLine[] {
  const [only] = calls
  const closed = { count: 1, inside: 0, isOpen: false }
  if (calls.length > 1) return calls.toReversed().map(call => ({ ...lineOf(call), ...closed, ...beginOf(call), inner: 'call' }))
  return (only?.rows ?? []).map(row => ({ row, end: null, request: null, ...closed, time: row.time, key: row.seq, inner: 'step' }))
}

/** A few entries, newest first, one line for each call; an end whose beginning is not among them is no line. */
export function listCalls(rows: readonly RecordRow[]): readonly ListLine[] {
  const joiner = createCallJoiner()
  const calls: Call[] = []
  for (const row of rows.toReversed()) if (joiner.join(row) === null) calls.push(joiner.begin(row))
  const closed = { count: 1, inside: 0, isOpen: false, inner: null }
  return calls
    .filter(({ rows: [first] }) => first !== undefined && !isEnd(first))
    .reverse()
    .map(call => ({ ...lineOf(call), ...closed, ...beginOf(call) }))
}

function beginOf({ rows: [first] }: Call): Pick<ListLine, 'time' | 'key'> {
  return { time: first?.time ?? '', key: first?.seq ?? 0 }
}

/** What a burst's line leaves to its newest call. */
export function lineOf({ rows }: Call): Pick<ListLine, 'row' | 'end' | 'request'> {
  const judged = rows.find(({ kind }) => kind === 'pre_tool_use')
  const asked = rows.findLast(({ kind }) => kind.startsWith('approval_') && kind !== 'approval_used') ?? null
  const row = judged ?? rows.find(({ kind }) => kind === 'approval_requested') ?? rows[0]
  if (row === undefined) throw new Error('a call without a row')
  return { row, end: rows.find(isEnd) ?? null, request: asked }
}
