// What of a body is part of the head of its entry. From the text: to parse a whole body takes longer than all else that is done to it.
import { endOfText, endOfValue, OPEN_BRACE, QUOTE } from './json-text.ts'

export interface BodyHead {
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
}

const NO_HEAD: BodyHead = { judge: null, rule: null, tool: null, verdict: null }

/** Collects what the head needs from the fields of a body, as they are passed by. */
export class HeadTexts {
  #judge: string | undefined
  #rule: string | undefined
  #tool: string | undefined
  #verdict: string | undefined

  /** The field whose key stands from `at` to `keyEnd`, and its value behind that to `end`. */
  see(json: string, at: number, keyEnd: number, end: number): void {
    const length = keyEnd - at
    if (length === 6 && json.startsWith('"tool"', at)) this.#tool = json.slice(keyEnd + 1, end)
    else if (length === 6 && json.startsWith('"rule"', at)) this.#rule = json.slice(keyEnd + 1, end)
    else if (length === 7 && json.startsWith('"judge"', at)) this.#judge = json.slice(keyEnd + 1, end)
    else if (length === 9 && json.startsWith('"verdict"', at)) this.#verdict = json.slice(keyEnd + 1, end)
  }

  /** `besides`: what a part of the body says that was not seen here. */
  head(besides: BodyHead = NO_HEAD): BodyHead {
    return {
      judge: this.#judge === undefined ? besides.judge : readText(this.#judge),
      rule: this.#rule === undefined ? besides.rule : readRule(this.#rule),
      tool: this.#tool === undefined ? besides.tool : readText(this.#tool),
      verdict: this.#verdict === undefined ? besides.verdict : readText(this.#verdict),
    }
  }
}

/**
 * Of canonical JSON. Other values than text are no part of the head, and neither is text with a NUL, which not every database holds; the rule
 * of a decision is known by its id.
 */
export function readBodyHead(body: string): BodyHead {
  const found = new HeadTexts()
  // A row of another hand may hold anything: whatever is found there, no hash fits it.
  for (let at = 1; body.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(body, at)
    const end = endOfValue(body, keyEnd + 1)
    found.see(body, at, keyEnd, end)
    at = end + 1
  }
  return found.head()
}

function readText(json: string): string | null {
  if (json.charCodeAt(0) !== QUOTE) return null
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

function readRule(json: string): string | null {
  if (json.charCodeAt(0) !== OPEN_BRACE) return null
  for (let at = 1; json.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(json, at)
    const end = endOfValue(json, keyEnd + 1)
    if (keyEnd - at === 4 && json.startsWith('"id"', at)) return readText(json.slice(keyEnd + 1, end))
    at = end + 1
  }
  return null
}
