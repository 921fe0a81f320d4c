// Private keys in text form, whole or cut off at either end, with real or escaped line ends.
import type { SecretSpan } from './secret-span.ts'

const kind = 'private-key'
const longestBlock = 65_536

export function findBlocks(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  if (!text.includes('PRIVATE KEY') && !text.includes('Private-Lines')) return found
  const edge = /-----(BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:|Private-Lines: \d+/g
  let open = -1
  let openEnd = -1
  for (let match = edge.exec(text); match !== null; match = edge.exec(text)) {
    const after = match.index + match[0].length
    if (match[1] === 'END') {
      const start = open >= 0 && match.index - open <= longestBlock ? open : bodyBefore(text, match.index)
      if (isKeyBody(text.slice(open >= 0 ? openEnd : start, match.index))) found.push({ start, end: after, kind })
      open = -1
      continue
    }
    if (open >= 0) pushCut(text, open, found)
    open = match.index
    openEnd = after
  }
  if (open >= 0) pushCut(text, open, found)
  return found
}

/** A long line of base64 somewhere, or nothing but base64: code that looks for the marks has other characters between them. */
function isKeyBody(body: string): boolean {
  return /[A-Za-z0-9+/=]{24,}/.test(body) || (/[A-Za-z0-9+/=]{8}/.test(body) && /^(?:[A-Za-z0-9+/=\s>|]|\\+[nrt])+$/.test(body))
}

/** A block whose end is missing: as far as it looks like one. A header alone is no secret. */
function pushCut(text: string, open: number, found: SecretSpan[]): void {
  const line =
    /(?:\s|\\+[nr]|[>|])*(?:[A-Za-z0-9+/=]{16,}|(?:Proc-Type|DEK-Info|Version|Comment|Encryption|Public-Lines|Private-MAC): ?[^\r\n\\]{0,200})/y
  const header = /[^\r\n\\"]{1,100}/y
  header.lastIndex = open
  const headerEnd = open + (header.exec(text)?.[0].length ?? 0)
  let end = headerEnd
  for (;;) {
    line.lastIndex = end
    const next = line.exec(text)
    if (next === null) break
    end += next[0].length
  }
  if (end === headerEnd) return
  // The last line is shorter; PuTTY's code stands after it.
  const rest = /(?:\s|\\+[nr])*[A-Za-z0-9+/=]{1,24}(?=[ \t]*(?:["'\\\r\n]|$))(?:(?:\s|\\+[nr])*Private-MAC: ?[0-9a-f]{1,128})?/y
  rest.lastIndex = end
  found.push({ start: open, end: end + (rest.exec(text)?.[0].length ?? 0), kind })
}

/** Where the lines before an end mark begin that has lost its start. */
function bodyBefore(text: string, end: number): number {
  let start = end
  while (start > 0 && end - start < longestBlock && /[A-Za-z0-9+/=\s\\]/.test(text.charAt(start - 1))) start -= 1
  const body = text.slice(start, end)
  const firstLine = body.search(/[A-Za-z0-9+/=]{24,}/)
  return firstLine < 0 ? end : start + firstLine
}
