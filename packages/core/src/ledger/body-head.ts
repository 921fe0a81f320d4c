// What of a body is part of the head of its entry. From the text: to parse a whole body takes longer than all else that is done to it.
import { endOfText, endOfValue, QUOTE } from './json-text.ts'

export interface BodyHead {
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
}

const OPEN_BRACE = 0x7b

const NO_HEAD: BodyHead = { judge: null, rule: null, tool: null, verdict: null }

/**
 * Of canonical JSON. Other values than text are no part of the head, and neither is text with a NUL, which not every database holds; the rule
 * of a decision is known by its id. `besides`: what a part of the body says that is not here.
 */
export function readBodyHead(body: string, besides: BodyHead = NO_HEAD): BodyHead {
  let judge: string | undefined
  let rule: string | undefined
  let tool: string | undefined
  let verdict: string | undefined
  // A row of another hand may hold anything: whatever is found there, no hash fits it.
  for (let at = 1; body.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfText(body, at)
    const end = endOfValue(body, keyEnd + 1)
    const length = keyEnd - at
    if (length === 6 && body.startsWith('"tool"', at)) tool = body.slice(keyEnd + 1, end)
    else if (length === 6 && body.startsWith('"rule"', at)) rule = body.slice(keyEnd + 1, end)
    else if (length === 7 && body.startsWith('"judge"', at)) judge = body.slice(keyEnd + 1, end)
    else if (length === 9 && body.startsWith('"verdict"', at)) verdict = body.slice(keyEnd + 1, end)
    at = end + 1
  }
  return {
    judge: judge === undefined ? besides.judge : readText(judge),
    rule: rule === undefined ? besides.rule : readRule(rule),
    tool: tool === undefined ? besides.tool : readText(tool),
    verdict: verdict === undefined ? besides.verdict : readText(verdict),
  }
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
