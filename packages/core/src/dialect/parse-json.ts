// JSON text -> tree. Comments and trailing commas are read too, but said: most agents skip a whole file that has one.
// It keeps a stack of its own, because a recursive parser dies on hostile nesting.
import { type ConfigEntry, type ConfigNode, DEEPEST, makeObject, makeScalar, type TextProblem } from './config-node.ts'
import { type JsonToken, scanJson } from './scan-json.ts'

export interface JsonTree {
  readonly parse: 'strict' | 'tolerant' | 'invalid'
  readonly root: ConfigNode | null
  /** The first comment or trailing comma. */
  readonly looseAt: number | null
  readonly problems: readonly TextProblem[]
}

export function parseJson(text: string): JsonTree {
  const reading: Reading = {
    next: scanJson(text),
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
  readonly next: () => JsonToken
  readonly stack: Frame[]
  readonly problems: TextProblem[]
  root: ConfigNode | null
  expected: 'value' | 'key' | 'colon' | 'comma' | 'end'
  afterComma: boolean
  looseAt: number | null
}

function readAll(reading: Reading): boolean {
  for (;;) {
    const token = reading.next()
    if (token.kind === 'end' && reading.expected === 'end') return true
    const wrong = token.kind === 'error' ? token.message : takeToken(reading, token)
    if (wrong === null) continue
    reading.problems.push({ severity: 'error', at: token.at, message: `not JSON: ${wrong}` })
    return false
  }
}

/** Takes one token; returns what is wrong with it. */
function takeToken(reading: Reading, token: JsonToken): string | null {
  if (token.kind === 'comment') {
    reading.looseAt ??= token.at
    return null
  }
  switch (reading.expected) {
    case 'end':
      return 'text after the end of the value'
    case 'key':
      return takeKey(reading, token)
    case 'colon':
      reading.expected = 'value'
      return token.kind === ':' ? null : 'a colon is expected after the name'
    case 'comma':
      return takeComma(reading, token)
    case 'value':
      return takeValue(reading, token)
  }
}

function takeKey(reading: Reading, token: JsonToken): string | null {
  const frame = reading.stack.at(-1)
  if (token.kind === '}' && (reading.afterComma || frame?.entries.length === 0)) return close(reading, 'object', token.at)
  if (token.kind !== 'scalar' || typeof token.value !== 'string' || frame === undefined) return 'a name in double quotes is expected'
  frame.key = token.value
  frame.keyAt = token.at
  reading.expected = 'colon'
  reading.afterComma = false
  return null
}

function takeComma(reading: Reading, token: JsonToken): string | null {
  if (token.kind === '}') return close(reading, 'object', token.at)
  if (token.kind === ']') return close(reading, 'array', token.at)
  if (token.kind !== ',') return 'a comma or the closing bracket is expected'
  reading.expected = reading.stack.at(-1)?.kind === 'object' ? 'key' : 'value'
  reading.afterComma = true
  return null
}

function takeValue(reading: Reading, token: JsonToken): string | null {
  const frame = reading.stack.at(-1)
  const mayClose = frame?.kind === 'array' && (reading.afterComma || frame.items.length === 0)
  switch (token.kind) {
    case '{':
      return open(reading, 'object', token.at)
    case '[':
      return open(reading, 'array', token.at)
    case 'scalar':
      return add(reading, makeScalar(token.at, token.value))
    case ']':
      return mayClose ? close(reading, 'array', token.at) : 'a value is expected'
    default:
      return token.kind === 'end' ? 'the text ends where a value is expected' : 'a value is expected'
  }
}

function open(reading: Reading, kind: Frame['kind'], at: number): null {
  reading.stack.push({ kind, at, entries: [], items: [], key: '', keyAt: at })
  reading.expected = kind === 'object' ? 'key' : 'value'
  reading.afterComma = false
  return null
}

function close(reading: Reading, kind: Frame['kind'], closedAt: number): string | null {
  const frame = reading.stack.pop()
  if (frame === undefined || frame.kind !== kind) return 'this bracket closes nothing'
  if (reading.afterComma) reading.looseAt ??= closedAt
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
