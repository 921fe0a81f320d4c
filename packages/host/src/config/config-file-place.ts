// Where a key stands in TOML text. Reads headers and the left sides of assignments only; keys of inline tables give their line.
import type { Place } from '@belay/core/policy'

export function findTomlPlace(text: string, file: string, path: readonly string[]): Place {
  let table: readonly string[] = []
  let best: { readonly place: Place; readonly depth: number } | null = null
  for (const [index, line] of text.split('\n').entries()) {
    const header = /^\s*\[\[?([^\]]+)\]/.exec(line)
    const keyText = header?.[1] ?? /^\s*([^=#[]+?)\s*=/.exec(line)?.[1]
    if (keyText === undefined) continue
    const keys = splitKeys(keyText)
    if (header !== null) table = keys
    const full = header === null ? [...table, ...keys] : keys
    const depth = commonDepth(full, path)
    const isHit = depth === Math.min(full.length, path.length) && depth > 0
    if (isHit && depth > (best?.depth ?? 0)) {
      best = { depth, place: { file, line: index + 1, column: line.indexOf(lastKeyText(keyText)) + 1 } }
    }
  }
  return best?.place ?? { file, line: 1, column: 1 }
}

function splitKeys(text: string): string[] {
  const keys = text.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? []
  return keys.map(key => key.replace(/^(["'])(.*)\1$/, '$2'))
}

function lastKeyText(text: string): string {
  return (text.match(/"[^"]*"|'[^']*'|[^.\s]+/g) ?? [text]).at(-1) ?? text
}

function commonDepth(full: readonly string[], path: readonly string[]): number {
  let depth = 0
  while (depth < full.length && depth < path.length && full[depth] === path[depth]) depth += 1
  return depth
}
