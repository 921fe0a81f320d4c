// Whether a daemon runs for this home, and what it says of itself.
import { findHome } from '../config/home.ts'
import type { CommandIo } from '../terminal/io.ts'
import { askDaemon, type DaemonAnswer, type DaemonRequest } from '../wire/daemon-client.ts'
import { runPaths } from '../wire/run-paths.ts'

export interface DaemonFacts {
  readonly pid: number
  readonly version: string
  readonly socket: string
  readonly store: string
  readonly url: string
  readonly uptimeMs: number
  /** A person has switched deciding off until then. */
  readonly paused: { readonly until: number; readonly by: string } | null
}

export type DaemonState = { readonly running: true; readonly facts: DaemonFacts } | { readonly running: false; readonly why: string | null }

export async function readDaemonState(io: Pick<CommandIo, 'env'>, timeoutMs = 5000): Promise<DaemonState> {
  const { socket } = runPaths(findHome(io.env), io.env)
  const answer = await callDaemon(socket, 'daemon.status', {}, timeoutMs)
  if (answer.kind !== 'result') return { running: false, why: answer.kind === 'absent' ? null : answer.why }
  return { running: true, facts: answer.value as DaemonFacts }
}

export type RpcAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  /** The daemon understood and refused; `isBadUsage`: what was asked for makes no sense. */
  | { readonly kind: 'refused'; readonly why: string; readonly isBadUsage: boolean; readonly data?: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string }

/** Of JSON-RPC. */
const INVALID_PARAMS = -32602

type Params = Readonly<Record<string, unknown>>

/** As far as the call may wait. */
type CallOptions = Pick<DaemonRequest, 'timeoutMs' | 'signal'>

/** What is for people asks this process to show a code as its name: only the process itself can, so that is who calls. */
export async function callDaemon(socket: string, method: string, params: Params, options: number | CallOptions = {}): Promise<RpcAnswer> {
  const { pid } = process
  const limits = typeof options === 'number' ? { timeoutMs: options } : options
  const call = async (proof: Params): Promise<RpcAnswer> => {
    const body = { jsonrpc: '2.0', id: 1, method, params: { ...params, callerProof: proof } }
    return readRpcAnswer(await askDaemon({ socket, method: 'POST', path: '/v1/rpc', body, ...limits }))
  }
  const answer = await call({ pid })
  const code = answer.kind === 'refused' ? (answer.data as { readonly show?: unknown } | undefined)?.show : undefined
  if (typeof code !== 'string') return answer
  const { title } = process
  process.title = code
  try {
    return await call({ pid, code })
  } finally {
    process.title = title
  }
}

export function readRpcAnswer(answer: DaemonAnswer): RpcAnswer {
  if (answer.kind !== 'answer') return answer
  const value = answer.value as { result?: unknown; error?: { code?: number; message?: string; data?: unknown } } | null
  if (answer.status !== 200) return { kind: 'failed', why: value?.error?.message ?? `status ${answer.status}` }
  if (value?.error !== undefined) {
    const { code, message, data } = value.error
    return { kind: 'refused', why: message ?? 'refused', isBadUsage: code === INVALID_PARAMS, data }
  }
  return { kind: 'result', value: value?.result ?? null }
}
