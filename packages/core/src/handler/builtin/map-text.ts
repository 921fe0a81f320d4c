// Applies a change to every text inside a JSON value and gives back the same value where nothing changed.

export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value.map(item => mapTexts(item, change))
    return items.some((item, index) => item !== value[index]) ? items : value
  }
  const entries = Object.entries(value)
  const changed = entries.map(([key, item]) => [key, mapTexts(item, change)] as const)
  return changed.some(([, item], index) => item !== entries[index]?.[1]) ? Object.fromEntries(changed) : value
}
