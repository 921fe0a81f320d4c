// JSON that a model put between two fences, as models do in spite of what they were told. Only where nothing else was said: an answer
// among other words may be one that the model quotes.

const FENCE = '```'

export function isFenced(text: string): boolean {
  const said = text.trim()
  return said.length > 2 * FENCE.length && said.startsWith(FENCE) && said.endsWith(FENCE)
}

/** undefined: it is not JSON. */
export function parseFenced(text: string): unknown {
  const said = text.trim()
  const inner = isFenced(said) ? said.slice(FENCE.length, -FENCE.length).replace(/^[a-z]+(?=\s)/i, '') : said
  try {
    return JSON.parse(inner)
  } catch {
    return undefined
  }
}
