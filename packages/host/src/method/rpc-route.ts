// POST /v1/rpc: JSON-RPC 2.0, single and batch.

import { readJson } from '../http/body.ts'
import { CALL_HEADERS } from '../http/hook-route.ts'
import type { Route, RouteCall } from '../http/route.ts'
import { sendJson, sendProblem } from '../http/server.ts'
import { answerRpc, type RpcMethods } from '../rpc/rpc.ts'
import { admitCaller, type People } from './person.ts'

export interface RpcRouteOptions {
  readonly methods: RpcMethods<RouteCall>
  readonly people: People
  onBug(error: unknown, method: string): void
}

export function createRpcRoute({ methods, people, onBug }: RpcRouteOptions): Route {
  return {
    method: 'POST',
    path: '/v1/rpc',
    summary: 'JSON-RPC 2.0, one request or several: the fifteen hook methods and the verbs of state, ledger and approvals.',
    takes: {
      body: { anyOf: [{ $ref: '#/components/schemas/RpcRequest' }, { type: 'array', items: { $ref: '#/components/schemas/RpcRequest' } }] },
      headers: { ...CALL_HEADERS, 'belay-agent': 'whose payload the params of a hook method are; default claude-code' },
    },
    async run(call) {
      const body = await readJson(call.request)
      if (!body.ok) return sendProblem(call.response, body.status, body.message)
      const answer = await answerRpc(body.value, {
        methods,
        caller: call,
        admit: (method, params, caller) => admitCaller(people, method, params, caller),
        onBug,
      })
      if (answer !== null) return sendJson(call.response, 200, answer)
      call.response.writeHead(204)
      call.response.end()
    },
  }
}
