// A map that forgets: once it holds too many entries, the one that came first and may go is dropped.

const MAX_KEPT = 20_000

export function keepRow<V>(rows: Map<string, V>, key: string, row: V, mayGo: (row: V) => boolean): V {
  if (rows.size >= MAX_KEPT && !rows.has(key)) forgetOldest(rows, mayGo)
  rows.set(key, row)
  return row
}

function forgetOldest<V>(rows: Map<string, V>, mayGo: (row: V) => boolean): void {
  for (const [key, row] of rows) {
    if (!mayGo(row)) continue
    rows.delete(key)
    return
  }
}
