// Bursts that were opened, written out line by line; newest first.
import type { RecordRow } from '#page/record.ts'
import type { RowSnapshot } from './row-store.ts'

export interface ListLine {
  /** Of a burst the newest. */
  readonly row: RecordRow
  /** Stays while a burst grows. */
  readonly key: number
  readonly count: number
  readonly isOpen: boolean
  readonly isInner: boolean
}

export interface LineList {
  readonly count: number
  at(index: number): ListLine | undefined
}

/** `opened`: the seq of the first row of each opened burst. */
export function listLines(shown: RowSnapshot, opened: ReadonlySet<number>): LineList {
  if (opened.size === 0) return { count: shown.count, at: index => headOf(shown, index, false) }
  const lines: ListLine[] = []
  for (let index = 0; index < shown.count; index++) {
    const group = shown.lineAt(index)
    const first = group?.rows[0]
    if (group === undefined || first === undefined) continue
    const isOpen = group.rows.length > 1 && opened.has(first.seq)
    const head = headOf(shown, index, isOpen)
    if (head !== undefined) lines.push(head)
    if (isOpen) for (const row of group.rows.toReversed()) lines.push({ row, key: row.seq, count: 1, isOpen: false, isInner: true })
  }
  return { count: lines.length, at: index => lines[index] }
}

function headOf(shown: RowSnapshot, index: number, isOpen: boolean): ListLine | undefined {
  const group = shown.lineAt(index)
  const first = group?.rows[0]
  const row = group?.rows.at(-1)
  if (group === undefined || first === undefined || row === undefined) return undefined
  return { row, key: first.seq, count: group.rows.length, isOpen, isInner: false }
}
