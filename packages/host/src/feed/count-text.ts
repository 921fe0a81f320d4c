// About how much memory a value takes: the length of all text in it.

/** What is nested deeper counts as nothing: it is never much. */
const DEEPEST = 5

export function countText(value: unknown, depth = DEEPEST): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth === 0) return 0
  let length = 0
  for (const name in value) length += countText((value as Readonly<Record<string, unknown>>)[name], depth - 1)
  return length
}
