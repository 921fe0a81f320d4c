// A server behind an address for a client that speaks stdio: lines in and out here, streamable HTTP there. A request that cannot be delivered is
// answered with why.

import type { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { errorText, isObject } from '@belay/core/value'
import { type JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { errorAnswer, idOf, type Json, SERVER_LOST } from './message.ts'
import type { MessageGate } from './message-gate.ts'
import { openLines, pumpLines } from './pump-lines.ts'
import { relayClientText, relayServerText, spellAnswers } from './relay-text.ts'

/** A server that offers no stream may say so late, or never. */
const STREAM_WAIT_MS = 1000

export interface UrlBridge {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly gate: MessageGate
  readonly stdin: Readable
  readonly stdout: Writable
  report(problem: string): void
  /** Ends the bridge as a signal would. */
  readonly signal: AbortSignal
}

export async function bridgeUrl(bridge: UrlBridge): Promise<number> {
  const { url, headers, gate, stdin, stdout, report, signal } = bridge
  const toClient = openLines(stdout)
  // Another address would get the headers meant for this one.
  const requestInit = { headers: { ...headers }, redirect: 'error' } as const
  const { fetch: watchedFetch, opened } = watchStream()
  const transport = new StreamableHTTPClientTransport(url, { requestInit, fetch: watchedFetch })

  gate.reach(message => void toClient(JSON.stringify(message)))

  async function deliver(message: object): Promise<void> {
    adoptVersion(transport, message)
    const { on, dropped } = await relayServerText(JSON.stringify(message), gate)
    for (const why of dropped) report(`held back: ${why}`)
    if (on !== null) await toClient(on)
  }

  async function send(message: unknown): Promise<void> {
    try {
      await transport.send(message as JSONRPCMessage)
    } catch (error) {
      const why = `the MCP server at ${url.origin} cannot be reached: ${errorText(error)}`
      const id = isRequest(message) ? idOf(message) : null
      if (id === null) report(why)
      else await deliver(errorAnswer(id, SERVER_LOST, why))
    }
  }

  transport.onmessage = message => void deliver(message)
  transport.onerror = error => report(error.message)
  await transport.start()
  const stop = () => {
    stdin.destroy()
    void transport.close()
  }
  signal.addEventListener('abort', stop, { once: true })
  stdout.on('error', stop)
  const sending = new Set<Promise<void>>()
  await pumpLines(stdin, relayClientText, bridge, async ({ on, back, isBatch }) => {
    if (back.length > 0) await toClient(spellAnswers(back, isBatch))
    const sent: unknown = on === null ? [] : JSON.parse(on)
    for (const message of Array.isArray(sent) ? sent : [sent]) {
      const done = send(message)
      sending.add(done)
      void done.then(() => sending.delete(done))
      // What wants no answer is taken at once, and what follows may build on it. An answer may take as long as the tool does.
      if (!isRequest(message)) await done
      if (isObject(message) && message.method === 'notifications/initialized')
        await Promise.race([opened, pause(STREAM_WAIT_MS, undefined, { ref: false })])
    }
  })
  await Promise.all(sending)
  await transport.terminateSession().catch(() => undefined)
  await transport.close()
  return 0
}

/** What a server asks on its own it sends on the stream that the client opens after the handshake, and drops while that is not open. */
function watchStream(): { readonly fetch: typeof fetch; readonly opened: Promise<void> } {
  let resolve = (): void => undefined
  const opened = new Promise<void>(done => {
    resolve = done
  })
  return {
    opened,
    fetch: async (input, init) => {
      try {
        return await fetch(input, init)
      } finally {
        if (init?.method === 'GET') resolve()
      }
    },
  }
}

function isRequest(message: unknown): message is Json {
  return isObject(message) && typeof message.method === 'string' && Object.hasOwn(message, 'id')
}

/** What client and server have agreed on goes with every later request. */
function adoptVersion(transport: StreamableHTTPClientTransport, message: object): void {
  const result = 'result' in message && isObject(message.result) ? message.result : {}
  if (typeof result.protocolVersion === 'string') transport.setProtocolVersion(result.protocolVersion)
}
