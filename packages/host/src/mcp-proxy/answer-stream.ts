// The answer to one request as a stream of events, where a question to the client's user had to go before it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '@belay/core/value'
import { decodeUtf8 } from '../wire/strict-json.ts'
import { errorAnswer, idOf, type Json, parseServerText, SERVER_LOST } from './message.ts'
import type { MessageGate } from './message-gate.ts'
import { readAll } from './read-all.ts'
import { relayEvents, spellEvent } from './relay-events.ts'
import { type Relayed, relayServerText } from './relay-text.ts'

export interface StreamedAnswer {
  readonly gate: MessageGate
  /** What was sent on, and what the gate has to say itself. */
  readonly passing: Relayed
  readonly response: ServerResponse
  report(problem: string): void
}

/** Writes an event; the first one begins the stream. */
export function writeEvent(response: ServerResponse, message: Json): void {
  if (response.destroyed) return
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  response.write(spellEvent(JSON.stringify(message)))
}

/** `upstream`: what the server answered; a text: why it did not. */
export async function endStream(answer: StreamedAnswer, upstream: IncomingMessage | string | null): Promise<void> {
  const { passing, response } = answer
  for (const message of passing.back) writeEvent(response, message)
  const why = upstream === null || typeof upstream === 'string' ? upstream : await relay(answer, upstream)
  if (why !== null) for (const id of requestsIn(passing.on)) await deliver(answer, JSON.stringify(errorAnswer(id, SERVER_LOST, why)))
  response.end()
}

/** Gives why the server's answer cannot be used; null: it is on its way. */
async function relay(answer: StreamedAnswer, upstream: IncomingMessage): Promise<string | null> {
  const { gate, response, report } = answer
  const { 'content-type': type = '', 'content-encoding': encoding } = upstream.headers
  if (encoding !== undefined && encoding !== 'identity') return 'the server compresses its answer, which then cannot be judged'
  if (/^text\/event-stream\b/i.test(type)) {
    await relayEvents(upstream, gate, { write: text => void response.write(text), drained: () => undefined, report })
    return null
  }
  const bytes = await readAll(upstream)
  const text = bytes === null ? null : decodeUtf8(bytes)
  if (text === null || !/^application\/json\b/i.test(type)) return `the MCP server answered with status ${upstream.statusCode}`
  return deliver(answer, text)
}

/** Through the gate to the client; gives why nothing of it could go there. */
async function deliver({ gate, response, report }: StreamedAnswer, text: string): Promise<string | null> {
  const { on, dropped } = await relayServerText(text, gate)
  for (const why of dropped) report(`held back: ${why}`)
  if (on === null) return `the answer of the server was held back: ${dropped.join('; ')}`
  const parsed = parseServerText(on)
  for (const message of parsed.ok ? parsed.messages.filter(isObject) : []) writeEvent(response, message)
  return null
}

function requestsIn(sent: string | null) {
  const parsed = sent === null ? null : parseServerText(sent)
  if (parsed === null || !parsed.ok) return []
  return parsed.messages
    .filter(isObject)
    .filter(message => typeof message.method === 'string')
    .map(idOf)
    .filter(id => id !== null)
}
