// Takes values out of a body before it leaves the machine, by JSON pointer (RFC 6901). What is taken out of a call's input is said again in
// what Belay says of the call (its parts, the reason, what the agent was told): that goes too, and so does any text that repeats it.
import { canonicalJson } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'

export interface Erased {
  readonly body: string
  /** Places at which there was something. */
  readonly erased: readonly string[]
}

/** Words about a call, wherever they stand. */
const WORDS: ReadonlySet<string> = new Set([
  ...[
    'always',
    'answer',
    'command',
    'context',
    'error',
    'evidence',
    'note',
    'parts',
    'path',
    'paths',
    'reason',
    'rewrites',
    'source',
    'stop',
    'told',
    'why',
  ],
])
/** What a machine calls things by: no agent has written it for this call. */
const NAMES: ReadonlySet<string> = new Set([
  'agent',
  'agentId',
  'cwd',
  'event',
  'inputHash',
  'judge',
  'root',
  'rule',
  'seal',
  'tool',
  'toolUseId',
  'verdict',
])
/** A text that has so many characters in a row of what was taken out repeats it. */
const REPEATED = 8

/** Undefined: these pointers can be used. */
export function eraseProblem(pointers: readonly string[], upload: string): string | undefined {
  if (pointers.length > 0 && upload !== 'bodies') return '--erase goes with --upload bodies: otherwise no body is sent at all'
  const bad = pointers.find(pointer => !/^(\/([^~/]|~[01])*)+$/.test(pointer))
  return bad === undefined ? undefined : `--erase is a JSON pointer as /input/command, this one is ${JSON.stringify(bad)}`
}

export function eraseFields(body: string, pointers: readonly string[]): Erased {
  if (pointers.length === 0) return { body, erased: [] }
  const value: unknown = JSON.parse(body)
  const taken: string[] = []
  const erased = pointers.filter(pointer => eraseAt(value, pointer.slice(1).split('/').map(unescapeKey), taken))
  const isOfInput = pointers.some(pointer => pointer === '/input' || pointer.startsWith('/input/'))
  if (isOfInput && isObject(value)) eraseWords(value, '', findRepeats(taken), erased)
  return erased.length === 0 ? { body, erased } : { body: canonicalJson(value), erased }
}

/** `taken`: every text below it is added. */
function eraseAt(value: unknown, [key = '', ...rest]: readonly string[], taken: string[]): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false
  const fields = value as Record<string, unknown>
  if (!Object.hasOwn(fields, key)) return false
  if (rest.length > 0) return eraseAt(fields[key], rest, taken)
  collectTexts(fields[key], taken)
  takeOut(fields, key)
  return true
}

function takeOut(fields: Record<string, unknown>, key: string): void {
  if (Array.isArray(fields)) fields[Number(key)] = null
  else delete fields[key]
}

function collectTexts(value: unknown, taken: string[]): void {
  if (typeof value === 'string') taken.push(value)
  else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collectTexts(each, taken)
}

/** Whether a text repeats one of these. */
function findRepeats(taken: readonly string[]): (text: string) => boolean {
  const pieces = new Map<number, Set<string>>()
  for (const text of taken.map(flatten)) {
    const length = Math.min(REPEATED, text.length)
    if (length === 0) continue
    const known = pieces.get(length) ?? new Set()
    pieces.set(length, known)
    for (let at = 0; at + length <= text.length; at++) known.add(text.slice(at, at + length))
  }
  return text => {
    const flat = flatten(text)
    for (const [length, known] of pieces)
      for (let at = 0; at + length <= flat.length; at++) if (known.has(flat.slice(at, at + length))) return true
    return false
  }
}

/** However often it was quoted, and however its lines were broken. */
function flatten(text: string): string {
  return text.replaceAll(/\\+[nrt]|[\\\s"']+/g, ' ')
}

function eraseWords(value: object, above: string, isRepeat: (text: string) => boolean, erased: string[]): void {
  const fields = value as Record<string, unknown>
  for (const [key, each] of Object.entries(fields)) {
    const place = `${above}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
    // What stands in the input is for whoever wrote the pointers.
    if (place === '/input' || (above === '' && NAMES.has(key))) continue
    // Who decided is a person, the number of a part, or a part that stands there whole.
    const isWords = WORDS.has(key) ? each !== null && each !== '' : key === 'decidedBy' && isObject(each)
    if (isWords || (typeof each === 'string' && isRepeat(each))) {
      takeOut(fields, key)
      erased.push(place)
    } else if (typeof each === 'object' && each !== null) eraseWords(each, place, isRepeat, erased)
  }
}

function unescapeKey(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}
