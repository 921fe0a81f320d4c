// Rows for people. Names come from machines and people: what could steer a terminal is shown as U+FFFD.

export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map(row => row.map(cleanCell))
  const widths = head.map((_, at) => Math.max(...all.map(row => row[at]?.length ?? 0)))
  return all
    .map(
      row =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

export function cleanCell(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
