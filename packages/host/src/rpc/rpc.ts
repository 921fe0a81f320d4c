// JSON-RPC 2.0, single and batch. Methods are a table; a method that fails expectedly throws an RpcError, anything else is a bug and
// is reported as an internal error without its details.
import { isObject } from '@belay/core/value'

export const RPC_INVALID_REQUEST = -32600
export const RPC_METHOD_NOT_FOUND = -32601
export const RPC_INVALID_PARAMS = -32602
export const RPC_INTERNAL = -32603
/** The request was understood and refused; `data` says more. */
export const RPC_REFUSED = -32000

/** The caller has to show `data.show` first. */
export const RPC_PROVE = -32001

export class RpcError extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

export type RpcMethod<Caller> = (params: Readonly<Record<string, unknown>>, caller: Caller) => Promise<unknown> | unknown

export type RpcMethods<Caller> = ReadonlyMap<string, RpcMethod<Caller>>

type Id = string | number | null

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | {
      readonly jsonrpc: '2.0'
      readonly id: Id
      readonly error: { readonly code: number; readonly message: string; readonly data?: unknown }
    }

export interface RpcOptions<Caller> {
  readonly methods: RpcMethods<Caller>
  readonly caller: Caller
  /** Before a method runs; throws an RpcError to keep the caller out. */
  admit(method: string, params: Readonly<Record<string, unknown>>, caller: Caller): Promise<void>
  onBug(error: unknown, method: string): void
}

const MAX_BATCH = 1000

/** null: only notifications, nothing to answer. */
export async function answerRpc<Caller>(body: unknown, options: RpcOptions<Caller>): Promise<RpcResponse | readonly RpcResponse[] | null> {
  if (!Array.isArray(body)) return answerOne(body, options)
  if (body.length === 0) return failure(null, RPC_INVALID_REQUEST, 'A batch holds at least one request.')
  if (body.length > MAX_BATCH) return failure(null, RPC_INVALID_REQUEST, `A batch holds at most ${MAX_BATCH} requests.`)
  const answers: RpcResponse[] = []
  // In order: a batch is how a caller says "first this, then that".
  for (const request of body) {
    const answer = await answerOne(request, options)
    if (answer !== null) answers.push(answer)
  }
  return answers.length > 0 ? answers : null
}

async function answerOne<Caller>(request: unknown, { methods, caller, admit, onBug }: RpcOptions<Caller>): Promise<RpcResponse | null> {
  if (!isObject(request)) return failure(null, RPC_INVALID_REQUEST, 'A request is a JSON object.')
  const { jsonrpc, method, params = {} } = request
  const notification = !Object.hasOwn(request, 'id')
  const id = readId(request.id)
  if (id === undefined) return failure(null, RPC_INVALID_REQUEST, 'An id is a string, a number or null.')
  if (jsonrpc !== '2.0') return failure(id, RPC_INVALID_REQUEST, 'jsonrpc must be "2.0".')
  if (typeof method !== 'string') return failure(id, RPC_INVALID_REQUEST, 'method must be a string.')
  const run = methods.get(method)
  if (run === undefined)
    return notification ? null : failure(id, RPC_METHOD_NOT_FOUND, `There is no method ${method}; /openapi.json lists them.`)
  if (!isObject(params)) return failure(id, RPC_INVALID_PARAMS, 'params must be an object with named fields.')
  try {
    await admit(method, params, caller)
    const result = await run(params, caller)
    return notification ? null : { jsonrpc: '2.0', id, result: result ?? null }
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error.code, error.message, error.data)
    onBug(error, method)
    return failure(id, RPC_INTERNAL, `${method} failed in the daemon; its log says why (belay logs).`)
  }
}

function failure(id: Id, code: number, message: string, data?: unknown): RpcResponse {
  return { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } }
}

function readId(id: unknown): Id | undefined {
  if (id === undefined) return null
  return typeof id === 'string' || id === null || (typeof id === 'number' && Number.isFinite(id)) ? id : undefined
}
