// A command cut at the borders of the parts it was judged by; where parts are nested, the innermost has the say.
import type { RecordPart } from '#page/record.ts'

export interface Piece {
  readonly text: string
  readonly part: RecordPart | null
}

/** A command of thousands of parts is read as text. */
const MAX_PARTS = 400

export function cutUnits(command: string, parts: readonly RecordPart[]): readonly Piece[] {
  const placed = parts.flatMap(part => {
    const { start, end } = part
    return start !== null && end !== null && start >= 0 && end > start && end <= command.length ? [{ part, start, end }] : []
  })
  if (placed.length === 0 || placed.length > MAX_PARTS) return [{ text: command, part: null }]
  const borders = [...new Set([0, command.length, ...placed.flatMap(({ start, end }) => [start, end])])].sort((a, b) => a - b)
  const pieces: Piece[] = []
  for (const [index, from] of borders.entries()) {
    const to = borders[index + 1]
    if (to === undefined) break
    const around = placed.filter(({ start, end }) => start <= from && end >= to)
    const inner = around.reduce<(typeof placed)[number] | null>(
      (best, next) => (best === null || width(next) < width(best) ? next : best),
      null,
    )
    pieces.push({ text: command.slice(from, to), part: inner?.part ?? null })
  }
  return pieces
}

function width({ start, end }: { readonly start: number; readonly end: number }): number {
  return end - start
}
