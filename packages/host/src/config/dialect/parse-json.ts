// JSON text -> tree. Comments and trailing commas are read too, but said: most agents skip a whole file that has one.
// Built on a scanner and a stack of its own, because a recursive parser dies on hostile nesting.
import { createScanner, type JSONScanner } from 'jsonc-parser'
import { type ConfigEntry, type ConfigNode, DEEPEST, makeObject, makeScalar, type Scalar, type TextProblem } from './config-node.ts'

export interface JsonTree {
  readonly parse: 'strict' | 'tolerant' | 'invalid'
  readonly root: ConfigNode | null
  /** The first comment or trailing comma. */
  readonly looseAt: number | null
  readonly problems: readonly TextProblem[]
}

export function parseJson(text: string): JsonTree {
  const reading: Reading = {
    scanner: createScanner(text, false),
    stack: [],
    problems: [],
    root: null,
    expected: 'value',
    afterComma: false,
    looseAt: null,
  }
  const isWhole = readAll(reading)
  const { root, looseAt, problems } = reading
  if (!isWhole) return { parse: 'invalid', root: null, looseAt, problems }
  return { parse: looseAt === null ? 'strict' : 'tolerant', root, looseAt, problems }
}

interface Frame {
  readonly kind: 'object' | 'array'
  readonly at: number
  readonly entries: ConfigEntry[]
  readonly items: ConfigNode[]
  key: string
  keyAt: number
}

interface Reading {
  readonly scanner: JSONScanner
  readonly stack: Frame[]
  readonly problems: TextProblem[]
  root: ConfigNode | null
  expected: 'value' | 'key' | 'comma' | 'end'
  afterComma: boolean
  looseAt: number | null
}

/** The scanner's token kinds; its own names are a const enum, which this build cannot read. */
const Token = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  end: 17,
} as const

/** Indexed by the scanner's error codes. */
const SCAN_ERRORS = [
  null,
  'the comment has no end',
  'the string has no end on this line',
  'the number is not complete',
  'a bad \\u escape',
  'a bad escape in the string',
  'a control character in the string',
] as const

function readAll(reading: Reading): boolean {
  for (;;) {
    const token = scan(reading)
    if (token === Token.end && reading.expected === 'end') return true
    const wrong = SCAN_ERRORS[reading.scanner.getTokenError()] ?? takeToken(reading, token)
    if (wrong === null) continue
    reading.problems.push({ severity: 'error', at: reading.scanner.getTokenOffset(), message: `not JSON: ${wrong}` })
    return false
  }
}

/** Takes one token; returns what is wrong with it. */
function takeToken(reading: Reading, token: number): string | null {
  switch (reading.expected) {
    case 'end':
      return 'text after the end of the value'
    case 'key':
      return takeKey(reading, token)
    case 'comma':
      return takeComma(reading, token)
    case 'value':
      return takeValue(reading, token)
  }
}

function takeKey(reading: Reading, token: number): string | null {
  const frame = reading.stack.at(-1)
  if (token === Token.closeBrace && (reading.afterComma || frame?.entries.length === 0)) return close(reading, 'object')
  if (token !== Token.string || frame === undefined) return 'a name in double quotes is expected'
  frame.key = reading.scanner.getTokenValue()
  frame.keyAt = reading.scanner.getTokenOffset()
  if (scan(reading) !== Token.colon) return 'a colon is expected after the name'
  reading.expected = 'value'
  reading.afterComma = false
  return null
}

function takeComma(reading: Reading, token: number): string | null {
  if (token === Token.closeBrace) return close(reading, 'object')
  if (token === Token.closeBracket) return close(reading, 'array')
  if (token !== Token.comma) return 'a comma or the closing bracket is expected'
  reading.expected = reading.stack.at(-1)?.kind === 'object' ? 'key' : 'value'
  reading.afterComma = true
  return null
}

function takeValue(reading: Reading, token: number): string | null {
  const at = reading.scanner.getTokenOffset()
  if (token === Token.openBrace) return open(reading, 'object', at)
  if (token === Token.openBracket) return open(reading, 'array', at)
  const frame = reading.stack.at(-1)
  const mayClose = frame?.kind === 'array' && (reading.afterComma || frame.items.length === 0)
  if (token === Token.closeBracket && mayClose) return close(reading, 'array')
  const value = scalarOf(token, reading.scanner.getTokenValue())
  if (value === undefined) return token === Token.end ? 'the text ends where a value is expected' : 'a value is expected'
  return add(reading, makeScalar(at, value))
}

function open(reading: Reading, kind: Frame['kind'], at: number): null {
  reading.stack.push({ kind, at, entries: [], items: [], key: '', keyAt: at })
  reading.expected = kind === 'object' ? 'key' : 'value'
  reading.afterComma = false
  return null
}

function close(reading: Reading, kind: Frame['kind']): string | null {
  const frame = reading.stack.pop()
  if (frame === undefined || frame.kind !== kind) return 'this bracket closes nothing'
  if (reading.afterComma) reading.looseAt ??= reading.scanner.getTokenOffset()
  const { at, entries, items } = frame
  if (reading.stack.length >= DEEPEST) return add(reading, tooDeep(reading, at))
  return add(reading, kind === 'object' ? makeObject(at, entries, reading.problems) : { kind, at, items })
}

function tooDeep({ stack, problems }: Reading, at: number): ConfigNode {
  if (stack.length === DEEPEST) problems.push({ severity: 'warning', at, message: `nested deeper than ${DEEPEST} levels; not read` })
  return makeScalar(at, null)
}

function add(reading: Reading, node: ConfigNode): null {
  const frame = reading.stack.at(-1)
  reading.afterComma = false
  reading.expected = frame === undefined ? 'end' : 'comma'
  if (frame === undefined) reading.root = node
  else if (frame.kind === 'array') frame.items.push(node)
  else frame.entries.push({ key: frame.key, at: frame.keyAt, value: node })
  return null
}

/** The next token that is neither blank nor comment. */
function scan(reading: Reading): number {
  for (;;) {
    const token: number = reading.scanner.scan()
    if (token === Token.lineComment || token === Token.blockComment) reading.looseAt ??= reading.scanner.getTokenOffset()
    else if (token !== Token.blank && token !== Token.lineBreak) return token
  }
}

function scalarOf(token: number, text: string): Scalar | undefined {
  switch (token) {
    case Token.string:
      return text
    case Token.number:
      return Number(text)
    case Token.true:
      return true
    case Token.false:
      return false
    case Token.null:
      return null
    default:
      return undefined
  }
}
