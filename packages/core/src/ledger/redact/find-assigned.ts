// Secrets told by the name beside them: `NAME=value`, `name: value`, `"name": "value"` at any depth of escaping,
// `--name value`, `?name=value`, `Name: Scheme value`, `<name>value</name>`, a value alone on the line below `name:`, and "the token is
// value" in prose. Driven by keywords, so text without any costs one scan; all looking around is bounded, so no input is slow.

import { fitsKind, isSecretName, kindOfName, secretKeys } from './secret-name.ts'
import type { SecretSpan } from './secret-span.ts'
import { isPlaceholder, isSecretValue, looksRandom, type ValuePlace } from './secret-value.ts'

const keyword = new RegExp(
  `passw|passphrase|passcode|pass(?![a-z])|pwd|secret|token|cred|api[ _-]?key|(?:${[...secretKeys].join('|')})[_-]?key|authorization|cookie|bearer|jwt|mnemonic|[ct]?otp(?![a-z])|connection[ _-]?string|_pat(?![a-z])`,
  'gi',
)

const longestName = 64
/** Enough to decide on; an accepted value is then taken whole. */
const longestLook = 256
const longestQuoted = 65_536

export function findAssigned(text: string): SecretSpan[] {
  const found: SecretSpan[] = []
  keyword.lastIndex = 0
  for (let match = keyword.exec(text); match !== null; match = keyword.exec(text)) {
    const name = nameAround(text, match.index, match.index + match[0].length)
    const spans = isSecretName(name.text) ? valuesAfter(text, name) : []
    found.push(...spans)
    keyword.lastIndex = Math.max(name.end, spans.at(-1)?.end ?? 0, match.index + 1)
  }
  return found
}

interface Name {
  readonly text: string
  readonly start: number
  readonly end: number
}

function nameAround(text: string, from: number, to: number): Name {
  let start = from
  while (start > 0 && from - start < longestName && isNameChar(text.charCodeAt(start - 1))) start -= 1
  // `-Dpassword=...` of Java, `-Ptoken=...` of Gradle.
  if (start + 2 <= from && /-[DP][a-z]/y.test(text.slice(start, start + 3))) start += 2
  let end = to
  while (end < text.length && end - to < longestName && isNameChar(text.charCodeAt(end))) end += 1
  return { text: text.slice(start, end), start, end }
}

function isNameChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46
  )
}

function valuesAfter(text: string, name: Name): SecretSpan[] {
  const kind = kindOfName(name.text)
  const separator = stick(/(\\{0,6}["'`])?\]?[ \t]*(:=|=>|=(?!=)|:|%3[AaDd])[ \t]*/y, text, name.end)
  if (separator !== null) {
    const at = name.end + separator[0].length
    const isQuotedName = separator[1] !== undefined
    if (isQuotedName && '{['.includes(text.charAt(at) || 'x')) return isSchemaAt(text, at) ? [] : membersOf(text, at, kind)
    const given = { name, kind, at, separator: separator[2] ?? '', isQuotedName }
    return listOf(assigned(text, given) ?? valueBelow(text, given))
  }
  return listOf(elementValue(text, name, kind) ?? elsewhere(text, name, kind))
}

/** `<password>value</password>` */
function elementValue(text: string, name: Name, kind: string): SecretSpan | null {
  if (text.charAt(name.start - 1) !== '<') return null
  const value = stick(/>([^<>\s]{1,256})(?=<\/)/y, text, name.end)?.[1]
  return value === undefined ? null : accept(text, { start: name.end + 1, end: name.end + 1 + value.length, kind }, 'data')
}

function listOf(span: SecretSpan | null): SecretSpan[] {
  return span === null ? [] : [span]
}

/** A description of a field called `password` holds no password. */
function isSchemaAt(text: string, at: number): boolean {
  return stick(/\{\s*\\{0,6}"(?:type|\$ref|description|anyOf|oneOf|enum)\\{0,6}"/y, text, at) !== null
}

/** Every string in the object or list that opens here: `"credentials": {"user": "...", ...}`. */
function membersOf(text: string, at: number, kind: string): SecretSpan[] {
  const found: SecretSpan[] = []
  const limit = Math.min(text.length, at + longestLook * 2)
  let depth = 0
  for (let here = at; here < limit; here += 1) {
    const char = text.charAt(here)
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    if (depth === 0) return found
    if (char !== '"' && char !== '\\') continue
    const quoted = quotedAt(text, here)
    if (quoted === null) continue
    const isName = stick(/\\{0,6}["']\s*:/y, text, quoted.end) !== null
    const span = isName ? null : accept(text, { ...quoted, kind }, 'data')
    if (span !== null) found.push(span)
    here = quoted.end + (stick(/\\{0,6}/y, text, quoted.end)?.[0].length ?? 0)
  }
  return found
}

/** A value that no `=` or `:` leads to: of a flag, of a member in two pieces, or in prose. */
function elsewhere(text: string, name: Name, kind: string): SecretSpan | null {
  const isFlag = name.text.startsWith('-')
  const pair = stick(/\\{0,6}["'](?:\s*,\s*\\{0,6}["'](?:value|val|default)\\{0,6}["']\s*:\s*|\s+value=)/iy, text, name.end)
  if (pair !== null) return flagValue(text, name.end + pair[0].length, kind)
  const next = stick(/\\{0,6}["']\s*,\s*(?=\\{0,6}["'])/y, text, name.end)
  if (next !== null) {
    const quoted = quotedAt(text, name.end + next[0].length)
    if (quoted === null || (!isFlag && /_|^.{0,7}$/.test(text.slice(quoted.start, quoted.end)))) return null
    return accept(text, { ...quoted, kind }, isFlag ? 'data' : 'code')
  }
  const blank = stick(/\\{0,6}["']?[ \t]+/y, text, name.end)
  if (isFlag && blank !== null) return flagValue(text, name.end + blank[0].length, kind)
  return nearby(text, name.end, kind)
}

interface Assignment {
  readonly name: Name
  readonly kind: string
  readonly at: number
  readonly separator: string
  readonly isQuotedName: boolean
}

function assigned(text: string, given: Assignment): SecretSpan | null {
  const { kind, name } = given
  const at = given.at + (stick(schemeExpression, text, given.at)?.[0].length ?? 0)
  if (kind === 'cookie') return cookieValue(text, given.at)
  const quoted = quotedAt(text, at)
  if (quoted !== null) {
    if (/^\s*(?:[,);+\]}]|$)/.test(text.slice(quoted.start, quoted.start + 8))) return null
    const scheme = stick(schemeExpression, text, quoted.start)?.[0].length ?? 0
    const start = scheme < quoted.end - quoted.start ? quoted.start + scheme : quoted.start
    const isWord = quoted.end - start < 200 && !/\s/.test(text.slice(start, quoted.end))
    const isPhrase = /mnemonic|passphrase/i.test(name.text) && text.slice(start, quoted.end).split(/\s+/).length > 3
    const isData = isPhrase || (given.isQuotedName && isWord)
    return accept(text, { start, end: quoted.end, kind }, isData ? 'data' : 'quoted')
  }
  const run = runAt(text, at)
  if (run === null) return null
  const hasScheme = at > given.at && !/^[a-z]{1,15}$/.test(text.slice(at, run))
  return accept(text, { start: at, end: run, kind }, hasScheme ? 'data' : placeOf(text, name, given, run))
}

/** `password:` and nothing else on the line: a string, or the only word of the next line. */
function valueBelow(text: string, given: Assignment): SecretSpan | null {
  const lineEnd = stick(/(?:\r?\n|(?:\\{1,6}r)?\\{1,6}n)\+?[ \t]*/y, text, given.at)
  if (lineEnd === null || given.separator.startsWith('%')) return null
  const at = given.at + lineEnd[0].length
  if (quotedAt(text, at) !== null) return assigned(text, { ...given, at })
  const word = stick(/([^\s"'`\\]{1,256})(?=[ \t]*(?:$|[\r\n]|\\))/y, text, at)?.[1]
  if (word === undefined || /[,;:]$/.test(word)) return null
  const isAlone =
    given.separator === ':' && /(?:^|\n|\\n)\+?[ \t]*$/.test(text.slice(Math.max(0, given.name.start - longestName), given.name.start))
  const place = isAlone ? 'line' : 'code'
  return accept(text, { start: at, end: at + word.length, kind: given.kind }, place)
}

const schemeExpression = /(?:Bearer|Basic|Token|Digest|Negotiate|ApiKey|AWS4-HMAC-SHA256)[ \t]+/iy

function accept(text: string, span: SecretSpan, place: ValuePlace): SecretSpan | null {
  const look = Math.min(span.end, span.start + longestLook)
  const value = text.slice(span.start, look)
  if (!isSecretValue(value, place) || !fitsKind(value, span.kind)) return null
  const rest = span.end - span.start === longestLook ? (stick(/[^\s"'`,;&|<>(){}[\]\\]+/y, text, span.end)?.[0].length ?? 0) : 0
  return { ...span, end: span.end + rest }
}

/** An upper-case name, a flag or a query holds data; a word alone after a colon may; anything else may be code. */
function placeOf(text: string, name: Name, given: Assignment, end: number): ValuePlace {
  const bare = name.text.replace(/^-+/, '')
  const isTight = given.separator.startsWith('%') || (given.separator === '=' && given.at === name.end + 1)
  const before = text.charAt(name.start - 1)
  if (isTight && (name.text.startsWith('-') || /^[A-Z][A-Z0-9_]*$/.test(bare) || '?&;'.includes(before || 'x') || given.separator !== '='))
    return 'data'
  if (given.isQuotedName) return 'code'
  const after = text.charAt(end)
  const isLine = given.separator === ':' && (after === '' || after === '\n' || after === '\r' || text.startsWith('\\n', end))
  return isLine || (isTight && (after === '' || after === '\n' || after === '&')) ? 'line' : 'code'
}

/** The whole of `a=b; c=d`, up to the end of the line or of the quotes around the header. */
function cookieValue(text: string, at: number): SecretSpan | null {
  const quoted = quotedAt(text, at)
  const start = quoted?.start ?? at
  const end = quoted?.end ?? at + (stick(/[^\r\n"'\\`]{1,4096}/y, text, at)?.[0].length ?? 0)
  const value = text.slice(start, end)
  return /=[^\s=;]{4,}/.test(value) && !isPlaceholder(value) ? { start, end, kind: 'cookie' } : null
}

function flagValue(text: string, at: number, kind: string): SecretSpan | null {
  const quoted = quotedAt(text, at)
  if (quoted !== null) return accept(text, { ...quoted, kind }, 'data')
  const end = runAt(text, at)
  if (end === null || text.charAt(at) === '-' || /^\w+=/.test(text.slice(at, at + 20))) return null
  return accept(text, { start: at, end, kind }, /^[a-z]+$/.test(text.slice(at, end)) ? 'line' : 'data')
}

/** "the token is ..." and the like: only what looks generated, within a few words. */
function nearby(text: string, from: number, kind: string): SecretSpan | null {
  const gap = stick(
    /["'`)]{0,2}[ \t]*(?:(?:is|was|are|of|to|for|here|value|set|now|equals|and|the|this|my|your|our|below)[ \t:]+){0,4}["'`]{0,2}/y,
    text,
    from,
  )
  const at = from + (gap?.[0].length ?? 0)
  const candidate = stick(/[A-Za-z0-9+/_=~!@#$%^&*-]{12,512}/y, text, at)?.[0].replace(/[!,.]+$/, '')
  if (candidate === undefined || !/[ \t]/.test(gap?.[0] ?? '')) return null
  const isHash = /^[a-f0-9]+$/.test(candidate) || /^[a-f0-9]{8}-(?:[a-f0-9]{4}-){3}[a-f0-9]{12}$/i.test(candidate)
  const isPath = candidate.includes('/') && /^[\w@.-]*(?:\/[\w@.-]+)+$/.test(candidate) && !/\d[A-Za-z]\w*\d/.test(candidate)
  if (isHash || isPath || isPlaceholder(candidate) || !looksRandom(candidate)) return null
  return { start: at, end: at + candidate.length, kind }
}

/** What stands between quotes that open here; a text that was cut off ends at its line. */
function quotedAt(text: string, at: number): { start: number; end: number } | null {
  const open = stick(/[rbfuRBFU]{0,2}(\\{0,6})(["'`])/y, text, at)
  if (open === null) return null
  const slashes = open[1]?.length ?? 0
  const quote = open[2] ?? '"'
  const start = at + open[0].length
  const limit = Math.min(text.length, start + longestQuoted)
  let run = 0
  for (let end = start; end < limit; end += 1) {
    const char = text.charAt(end)
    if (char === '\n' && quote !== '`') return { start, end }
    if (char === quote && (slashes === 0 ? run % 2 === 0 : run === slashes)) return { start, end: end - slashes }
    run = char === '\\' ? run + 1 : 0
  }
  return { start, end: limit }
}

/** Where the unquoted value that starts here ends, as far as one must look to judge it. */
function runAt(text: string, at: number): number | null {
  const look = stick(/[^\s"'`,;&|<>(){}[\]\\]{1,256}/y, text, at)
  if (look === null) return null
  const next = text.charAt(at + look[0].length)
  return next === '(' || next === '[' || next === '{' ? null : at + look[0].length
}

function stick(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at
  return expression.exec(text)
}
