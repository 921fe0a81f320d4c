// What of a body is part of the head of its entry. From the text: to parse a whole body takes longer than all else that is done to it.

export interface BodyHead {
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Of canonical JSON. Other values than text are no part of the head, and neither is text with a NUL, which not every database holds; the rule
 * of a decision is known by its id.
 */
export function readBodyHead(body: string): BodyHead {
  const found: Record<string, string> = {}
  // A row of another hand may hold anything: whatever is found there, no hash fits it.
  for (let at = 1; body.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(body, at)
    const end = endOfValue(body, keyEnd + 1)
    if (isHeadKey(body, at + 1, keyEnd - 1)) found[body.slice(at + 1, keyEnd - 1)] = body.slice(keyEnd + 1, end)
    at = end + 1
  }
  const { judge, rule, tool, verdict } = found
  return { judge: readText(judge), rule: readRule(rule), tool: readText(tool), verdict: readText(verdict) }
}

function isHeadKey(body: string, start: number, end: number): boolean {
  const length = end - start
  if (length === 4) return body.startsWith('tool', start) || body.startsWith('rule', start)
  return length === 5 ? body.startsWith('judge', start) : length === 7 && body.startsWith('verdict', start)
}

function readText(json: string | undefined): string | null {
  if (json === undefined || json.charCodeAt(0) !== QUOTE) return null
  return json.includes('\\') ? parseText(json) : json.slice(1, -1)
}

function parseText(json: string): string | null {
  try {
    const text = JSON.parse(json) as string
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}

function readRule(json: string | undefined): string | null {
  if (json === undefined || json.charCodeAt(0) !== OPEN_BRACE) return null
  for (let at = 1; json.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(json, at)
    const end = endOfValue(json, keyEnd + 1)
    if (keyEnd - at === 4 && json.startsWith('"id"', at)) return readText(json.slice(keyEnd + 1, end))
    at = end + 1
  }
  return null
}

/** Behind the quote that ends the text which begins at `at`. */
function endOfText(json: string, at: number): number {
  for (let end = json.indexOf('"', at + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2 === 1) return end + 1
  }
  return json.length
}

function endOfValue(json: string, start: number): number {
  let depth = 0
  for (let at = start; at < json.length; ) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else {
      if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++
      else if ((code === CLOSE_BRACE || code === CLOSE_BRACKET) && depth-- === 0) return at
      else if (code === COMMA && depth === 0) return at
      at++
    }
  }
  return json.length
}
