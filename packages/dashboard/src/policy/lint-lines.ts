// Lint messages by the line they stand at, the worst first, and within the text: a message about a line that is gone moves to the last one.
import type { Lint } from '#page/policy.ts'

const WORST = { error: 0, warning: 1, info: 2 } as const

export function lintByLine(lint: readonly Lint[], lines: number): ReadonlyMap<number, readonly Lint[]> {
  const byLine = new Map<number, Lint[]>()
  for (const message of [...lint].sort((a, b) => WORST[a.severity] - WORST[b.severity] || a.column - b.column)) {
    const line = Math.min(Math.max(1, message.line), Math.max(1, lines))
    byLine.set(line, [...(byLine.get(line) ?? []), message])
  }
  return byLine
}

/** Where a line begins in the text; lines count from 1. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0
  for (let at = 1; at < line; at++) {
    const end = text.indexOf('\n', start)
    if (end === -1) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + Math.max(0, column - 1), end === -1 ? text.length : end)
}
