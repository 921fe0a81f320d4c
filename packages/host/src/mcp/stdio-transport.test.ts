// What the short way answers itself, and what it leaves to the package.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { createAnswerCall } from './create-mcp-server.ts'
import { createStdioTransport } from './stdio-transport.ts'

const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: {} }
const call = (name: string, input: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
})

test.each<[string, readonly object[], boolean]>([
  ['a verb with its fields', [initialize, call('log', { text: 'x' })], true],
  ['before the session has begun', [call('log', { text: 'x' })], false],
  ['a missing field', [initialize, call('log', {})], false],
  ['a field of another kind', [initialize, call('log', { text: 7 })], false],
  ['a field too many', [initialize, call('log', { text: 'x', actor: 'agent:boss' })], false],
  ['a choice that is none', [initialize, call('mentu_commit', { text: 'x', tier: 't9' })], false],
  ['a task', [initialize, call('log', { text: 'x' }, { task: {} })], false],
  ['no verb', [initialize, call('explain', { command: 'ls' })], false],
])('%s: %#', async (_what, messages, isOurs) => {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const passed: unknown[] = []
  const asked: unknown[] = []
  const answerCall = createAnswerCall({
    identity: { actor: 'agent:me' },
    async ask(method, params) {
      asked.push([method, params])
      return { ok: true, value: 1 }
    },
  })
  const transport = createStdioTransport({ stdin, stdout }, answerCall)
  transport.onmessage = message => passed.push(message)
  await transport.start()
  for (const message of messages) stdin.write(`${JSON.stringify(message)}\n`)
  await new Promise(resolve => setImmediate(resolve))
  const written = stdout.read()?.toString() ?? ''
  expect(passed).toEqual(isOurs ? messages.slice(0, -1) : messages)
  expect(written).toBe(isOurs ? '{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"1"}]}}\n' : '')
  expect(asked).toEqual(isOurs ? [['effort.log', { text: 'x', actor: 'agent:me' }]] : [])
})
