// The supervisor's line to the daemon: makes the run known, listens for orders to start anew, and comes back when the daemon was away.
// Without a daemon there are no orders, and the agent runs all the same.
import { askDaemon } from '../wire/daemon-client.ts'
import { keepFollowing } from '../wire/follow-events.ts'
import type { RestartOrder } from './plan-restart.ts'

export interface RunLinkOptions {
  readonly socket: string
  readonly runId: string
  readonly agentId: string
  /** How long to wait before asking again for a daemon that was not there. */
  readonly retryMs: number
}

export interface RunLink {
  /** Told why, and what to go on with, whenever an order comes. */
  onRestart(listener: (order: RestartOrder) => void): void
  /** Asks for an order that is waiting. */
  next(): Promise<RestartOrder | null>
  /** The agent is not started again: said when the link is closed. */
  giveUp(why: string): void
  close(): Promise<void>
}

const ASK_MS = 2000

export function openRunLink(options: RunLinkOptions): RunLink {
  const { socket, runId, agentId, retryMs } = options
  const ended = new AbortController()
  let tell: (order: RestartOrder) => void = () => undefined
  let gaveUp: string | null = null

  async function call(method: string): Promise<unknown> {
    const body = { jsonrpc: '2.0', id: 1, method, params: { runId, agentId, ...(gaveUp === null ? {} : { gaveUp }) } }
    const answer = await askDaemon({ socket, method: 'POST', path: '/v1/rpc', body, timeoutMs: ASK_MS })
    return answer.kind === 'answer' && answer.status === 200 ? (answer.value as { result?: unknown }).result : undefined
  }

  async function next(): Promise<RestartOrder | null> {
    return readOrder(await call('run.next'), runId)
  }

  async function takeOrder(): Promise<void> {
    const order = await next()
    if (order !== null) tell(order)
  }

  const staying = keepFollowing({
    socket,
    types: ['run.restart'],
    signal: ended.signal,
    retryMs,
    prepare: async () => (await call('run.register')) !== undefined,
    // An order may have come before the stream was open; whoever tells us, it is taken once.
    onOpen: () => void takeOrder(),
    onEvent: ({ data }) => void (readOrder(data, runId) === null ? null : takeOrder()),
  })
  return {
    onRestart(listener) {
      tell = listener
    },
    next,
    giveUp(why) {
      gaveUp = why
    },
    async close() {
      ended.abort()
      await staying
      await call('run.end')
    },
  }
}

function readOrder(order: unknown, runId: string): RestartOrder | null {
  if (typeof order !== 'object' || order === null || !('prompt' in order && 'runId' in order && 'reason' in order)) return null
  const { prompt, reason } = order
  return order.runId === runId && typeof prompt === 'string' && typeof reason === 'string' ? { reason, prompt } : null
}
