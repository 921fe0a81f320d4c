import { expect, test } from 'vitest'
import { answerRpc, RPC_REFUSED, RpcError, type RpcMethod, type RpcMethods } from './rpc.ts'

const bugs: string[] = []
const methods: RpcMethods<string> = new Map<string, RpcMethod<string>>([
  ['echo', (params, caller) => ({ params, caller })],
  ['nothing', () => undefined],
  [
    'refuse',
    () => {
      throw new RpcError(RPC_REFUSED, 'not you', { who: 'x' })
    },
  ],
  [
    'bug',
    () => {
      throw new TypeError('secret detail')
    },
  ],
])
const ask = (body: unknown) =>
  answerRpc(body, { methods, caller: 'me', admit: async () => undefined, onBug: (_error, method) => void bugs.push(method) })
const ok = (id: unknown, result: unknown) => ({ jsonrpc: '2.0', id, result })
const bad = (id: unknown, code: number) => ({ jsonrpc: '2.0', id, error: { code, message: expect.any(String) } })

const cases: readonly [title: string, body: unknown, answer: unknown][] = [
  ['a call', { jsonrpc: '2.0', id: 1, method: 'echo', params: { a: 1 } }, ok(1, { params: { a: 1 }, caller: 'me' })],
  ['no params', { jsonrpc: '2.0', id: 'x', method: 'echo' }, ok('x', { params: {}, caller: 'me' })],
  ['no result is null', { jsonrpc: '2.0', id: 1, method: 'nothing' }, ok(1, null)],
  ['a notification', { jsonrpc: '2.0', method: 'echo' }, null],
  ['a notification to nobody', { jsonrpc: '2.0', method: 'none' }, null],
  ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'none' }, bad(1, -32601)],
  ['a prototype name is no method', { jsonrpc: '2.0', id: 1, method: 'constructor' }, bad(1, -32601)],
  ['positional params', { jsonrpc: '2.0', id: 1, method: 'echo', params: [1] }, bad(1, -32602)],
  ['another version', { id: 1, method: 'echo' }, bad(1, -32600)],
  ['an id that is none', { jsonrpc: '2.0', id: {}, method: 'echo' }, bad(null, -32600)],
  ['not an object', 'hello', bad(null, -32600)],
  ['an empty batch', [], bad(null, -32600)],
  ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'nothing' }, 1, { jsonrpc: '2.0', method: 'echo' }], [ok(1, null), bad(null, -32600)]],
  ['a batch of notifications', [{ jsonrpc: '2.0', method: 'echo' }], null],
  [
    'a refusal says why',
    { jsonrpc: '2.0', id: 1, method: 'refuse' },
    { jsonrpc: '2.0', id: 1, error: { code: RPC_REFUSED, message: 'not you', data: { who: 'x' } } },
  ],
]

test.each(cases)('%s', async (_title, body, answer) => {
  expect(await ask(body)).toEqual(answer)
})

test('a bug is reported and its details stay inside', async () => {
  expect(JSON.stringify(await ask({ jsonrpc: '2.0', id: 1, method: 'bug' }))).not.toContain('secret detail')
  expect(bugs).toEqual(['bug'])
})
