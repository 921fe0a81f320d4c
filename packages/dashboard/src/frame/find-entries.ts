// What the palette offers for what was typed: every word must be somewhere; where the text begins with it comes first.

export interface PaletteEntry {
  readonly key: string
  readonly group: 'Pages' | 'Agents' | 'Events' | 'Commands'
  readonly text: string
  readonly hint?: string
  run(): void
}

const MOST = 60

export function findEntries(entries: readonly PaletteEntry[], typed: string): readonly PaletteEntry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const scored = entries.flatMap(entry => {
    const text = `${entry.text} ${entry.hint ?? ''}`.toLowerCase()
    if (!words.every(word => text.includes(word))) return []
    return [{ entry, score: words.length > 0 && text.startsWith(words[0] ?? '') ? 0 : 1 }]
  })
  return scored
    .sort((a, b) => a.score - b.score)
    .slice(0, MOST)
    .map(({ entry }) => entry)
}
