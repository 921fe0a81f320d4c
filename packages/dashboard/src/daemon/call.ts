// One verb of the daemon. The session cookie goes along by itself, the page's key does not; the answer is a result or a DaemonError, nothing else.
import type { PageApi } from '#page/api.ts'
import { DaemonError, NOBODY_ANSWERED, SESSION_ENDED } from './daemon-error.ts'
import { pageHeaders } from './page-key.ts'
import { endSession } from './session.ts'

export type Method = keyof PageApi
export type Params<M extends Method> = PageApi[M]['params']
export type Result<M extends Method> = PageApi[M]['result']

let lastId = 0

export async function call<M extends Method>(method: M, params: Params<M>, signal?: AbortSignal): Promise<Result<M>> {
  lastId += 1
  const response = await post(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }), signal)
  if (response.status === SESSION_ENDED) {
    endSession()
    throw new DaemonError('This session has ended. Run `belay dashboard` for a new link.', SESSION_ENDED)
  }
  const answer = await readAnswer(response)
  if (answer.error !== undefined) throw new DaemonError(answer.error.message, answer.error.code, answer.error.data ?? null)
  if (!response.ok) throw new DaemonError(`The daemon answered ${response.status} to ${method}.`, response.status)
  return answer.result as Result<M>
}

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly code: number; readonly data?: unknown }
}

async function post(body: string, signal: AbortSignal | undefined): Promise<Response> {
  try {
    return await fetch('/v1/rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...pageHeaders() },
      credentials: 'same-origin',
      body,
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted === true) throw error
    throw new DaemonError('The daemon does not answer. This page reconnects by itself; `belay up` starts it.', NOBODY_ANSWERED)
  }
}

async function readAnswer(response: Response): Promise<Answer> {
  try {
    return (await response.json()) as Answer
  } catch {
    throw new DaemonError(`The daemon answered ${response.status} with something that is not JSON.`, response.status)
  }
}
