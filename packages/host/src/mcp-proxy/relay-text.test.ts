// However a line is written, no reader of what goes on finds a call in it that was denied.

import { isObject } from '@belay/core/value'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from './message.ts'
import { createMessageGate } from './message-gate.ts'
import { createQuestions } from './questions.ts'
import { relayClientText } from './relay-text.ts'

const RUNS = Number(process.env.BELAY_FUZZ_RUNS ?? 2000)

function openGate() {
  return createMessageGate({
    session: 's',
    judge: {
      before: async ({ tool }) => (tool === 'erase' ? { kind: 'deny', reason: 'no' } : { kind: 'run', input: null, context: null }),
      after: async () => ({ output: null, notes: [], isDenied: false }),
    },
    visibleTools: async names => new Set(names),
    noteTools: () => new Map(),
    noteInstructions: () => null,
    noteCatalog: () => null,
    now: () => 0,
    questions: createQuestions(),
  })
}

/** Spellings that some parser takes for the key, and the key itself most of the time. */
const keyLike = (key: string) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(key) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(key.toUpperCase(), `${key[0]?.toUpperCase()}${key.slice(1)}`, key.replace('s', 'ſ'), `${key} `),
    },
  )
const oneOf = (...texts: string[]) => fc.constantFrom(...texts.map(text => JSON.stringify(text)))
const member = (key: string, value: fc.Arbitrary<string>) =>
  fc.tuple(keyLike(key), value).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
const object = (...members: fc.Arbitrary<string>[]) =>
  fc.shuffledSubarray(members, { minLength: members.length - 1 }).chain(chosen => fc.tuple(...chosen).map(parts => `{${parts.join(', ')}}`))
const name = member('name', oneOf('erase', 'echo'))
const params = object(name, name, member('arguments', fc.constantFrom('{}', '{"a":1}', '[]', 'null')))
const method = member('method', oneOf('tools/call', 'tools/call', 'ping', 'notifications/cancelled'))
const id = member('id', fc.constantFrom('1', '"1"', 'null', '1e400', '1152921504606846976'))
const message = object(member('jsonrpc', oneOf('2.0')), id, method, method, member('params', params))
const line = fc.oneof(
  message,
  fc.array(message, { maxLength: 4 }).map(all => `[${all.join(',')}]`),
  message.map(text => text.slice(0, -1)),
)

/** As a parser reads that does not mind the case of keys: the last one counts. */
function readLoosely(value: unknown, key: string): unknown {
  const found = isObject(value) ? Object.keys(value).filter(each => each.toUpperCase().toLowerCase() === key) : []
  return (value as Json)[found.at(-1) ?? '']
}

test('no reader finds a denied call in what goes on', async () => {
  const property = fc.asyncProperty(line, async text => {
    const { on } = await relayClientText(text, openGate())
    const sent: unknown = on === null ? [] : JSON.parse(on)
    for (const each of Array.isArray(sent) ? sent : [sent]) {
      const isErase = readLoosely(each, 'method') === 'tools/call' && readLoosely(readLoosely(each, 'params') ?? {}, 'name') === 'erase'
      expect(isErase).toBe(false)
    }
  })
  await fc.assert(property, { numRuns: RUNS })
})

test('what only passes keeps its bytes', async () => {
  const text = '  {"jsonrpc": "2.0", "id": 1.0, "method": "ping", "n": 123456789012345678901234567890}\r'
  expect(await relayClientText(text, openGate())).toEqual({ on: text, back: [], dropped: [], isBatch: false })
})
