// A call that a person must agree to, put to the user of a client that can be asked.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { openTestGate, POLICY } from './fixtures/gate.ts'
import type { Json } from './message.ts'
import { createQuestions } from './questions.ts'

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
})
afterAll(() => daemon.stop())

const initialize = (capabilities: Json) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { capabilities } })
const call = (name: string) => ({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: { amount: 5 } } })

/** `answer`: what the client says to the question. */
async function callWith(name: string, capabilities: Json, answer: Json) {
  const gate = openTestGate(daemon)(`mcp-${Math.random()}`)
  const asked: Json[] = []
  const answered: unknown[] = []
  gate.reach(message => {
    asked.push(message)
    setImmediate(() => answered.push(gate.fromClient({ jsonrpc: '2.0', id: message.id, ...answer })))
  })
  gate.fromClient(initialize(capabilities))
  const passage = await gate.fromClient(call(name))
  return { passage, asked, answered }
}

const able = { elicitation: {} }
const says = (action: string) => ({ result: { action, content: {} } })

test('the user agrees: the call goes on, and its question and answer stay between Belay and the client', async () => {
  const { passage, asked, answered } = await callWith('pay', able, says('accept'))
  expect(passage).toEqual({ kind: 'pass' })
  expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: expect.stringContaining('pay {"amount":5}') } }])
  expect(answered).toEqual([{ kind: 'drop', why: 'it answers a question of Belay' }])
})

test.each([
  ['declines', says('decline')],
  ['closes it', says('cancel')],
  ['answers something else', { result: { action: 'ACCEPT' } }],
])('the user %s: the call is refused', async (_what, answer) => {
  const { passage } = await callWith('pay', able, answer)
  expect(passage).toMatchObject({ kind: 'answer', message: { id: 2, result: { isError: true } } })
})

test.each([
  ['has said nothing', {}],
  ['only opens addresses', { elicitation: { url: {} } }],
])('a client that %s is not asked, and the call is refused', async (_what, capabilities) => {
  const { passage, asked } = await callWith('pay', capabilities, says('accept'))
  expect([asked, passage]).toMatchObject([[], { kind: 'answer', message: { result: { isError: true } } }])
})

test('a client that cannot show the question after all: the call is refused with how to approve it', async () => {
  const { passage } = await callWith('pay', able, { error: { code: -32601, message: 'no such method' } })
  expect(JSON.stringify(passage)).toMatch(/belay(?:\.cjs)? approvals/)
})

test('what is denied is not asked about', async () => {
  const { passage, asked } = await callWith('erase', able, says('accept'))
  expect([asked, passage]).toMatchObject([[], { kind: 'answer', message: { result: { isError: true } } }])
})

test('nobody answers in time', async () => {
  const questions = createQuestions(10)
  questions.meet({ capabilities: able })
  questions.reach(() => undefined)
  expect(await questions.ask('really?')).toBe('unheard')
})

test('an answer that nobody waits for is none of ours', () => {
  expect(createQuestions().answer({ id: 'belay-1', result: { action: 'accept' } })).toBe(false)
})
