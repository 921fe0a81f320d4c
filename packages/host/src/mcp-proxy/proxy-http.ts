// A server behind an address: a reverse proxy on loopback for streamable HTTP. Requests are judged before they are sent on, answers (JSON or a
// stream of events) on their way back; a question to the client's user goes on the stream of the call that it is about. Host and Origin are
// checked: pages in a browser reach loopback too.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import { errorText } from '@belay/core/value'
import { listenForMcp, type McpDoor } from '../mcp/listen-for-mcp.ts'
import { decodeUtf8 } from '../wire/strict-json.ts'
import { endStream, writeEvent } from './answer-stream.ts'
import { errorAnswer, INVALID_REQUEST, type Json, SERVER_LOST } from './message.ts'
import type { MessageGate } from './message-gate.ts'
import type { Send } from './questions.ts'
import { readAll } from './read-all.ts'
import { relayEvents, spellEvent } from './relay-events.ts'
import { type Relayed, relayClientText, relayServerText, spellAnswers } from './relay-text.ts'
import { createSessionGates, isOwnSession, type OpenGate, type SessionGates, type Visit } from './session-gates.ts'

export interface HttpProxyOptions {
  readonly url: URL
  /** 0: any that is free. */
  readonly port: number
  readonly openGate: OpenGate
  report(problem: string): void
}

const SESSION = 'mcp-session-id'

export async function proxyHttp(options: HttpProxyOptions): Promise<McpDoor> {
  const gates = createSessionGates(options.openGate)
  const server = createServer((request, response) => {
    // A client that is gone reads nothing more.
    response.on('error', () => undefined)
    handle(options, gates, request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else fail(response, 502, `the MCP server at ${options.url.origin} cannot be reached: ${errorText(error)}`)
    })
  })
  return listenForMcp(server, options.port)
}

async function handle(options: HttpProxyOptions, gates: SessionGates, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const refused = refuse(request)
  if (refused !== null) return fail(response, ...refused)
  const session = headerOf(request.headers, SESSION)
  const visit = gates.of(session)
  if (request.method === 'DELETE') gates.end(session)
  if (request.method === 'DELETE' && isOwnSession(session)) return void response.writeHead(200).end()
  const { gate } = visit
  const way = takesEvents(request) ? (message: Json) => writeEvent(response, message) : undefined
  const passing = request.method === 'POST' ? await readPosted(request, gate, way) : { on: '', back: [], dropped: [], isBatch: false }
  if (typeof passing === 'string') return fail(response, 400, passing)
  for (const why of passing.dropped) options.report(`held back: ${why}`)
  if (response.headersSent)
    return endStream({ gate, passing, response, report: options.report }, await sendLate(options, request, passing.on, response))
  if (passing.on === null) return answerAlone(response, passing)
  const upstream = await send(options.url, request, passing.on, response)
  const begun = session === undefined && request.method === 'POST' ? beginSession(gates, upstream, visit) : {}
  await sendBack({ options, gate, passing, upstream, response, begun })
}

/** Its answer can be a stream, on which questions to its user have a place. */
function takesEvents({ method, headers }: IncomingMessage): boolean {
  return method === 'POST' && /\btext\/event-stream\b/i.test(headers.accept ?? '')
}

/** What the server answers once a person was asked; a text: why nothing came; null: nothing is sent on. */
async function sendLate(
  { url }: HttpProxyOptions,
  request: IncomingMessage,
  body: string | null,
  response: ServerResponse,
): Promise<IncomingMessage | string | null> {
  if (body === null) return null
  if (response.destroyed) return 'the client is gone'
  try {
    return await send(url, request, body, response)
  } catch (error) {
    return `the MCP server at ${url.origin} cannot be reached: ${errorText(error)}`
  }
}

/** What the client is told of its new session. */
function beginSession(gates: SessionGates, { statusCode, headers }: IncomingMessage, visit: Visit): IncomingHttpHeaders {
  const session = statusCode === 200 ? gates.begin(headerOf(headers, SESSION), visit) : null
  return session === null ? {} : { [SESSION]: session }
}

/** What a request must not be: [status, why]. */
function refuse({ method, url, headers }: IncomingMessage): readonly [number, string] | null {
  if (!isLoopback(`http://${headers.host ?? ''}`)) return [421, 'the Host must be this machine']
  if (headers.origin !== undefined && !isLoopback(headers.origin)) return [403, `requests from ${headers.origin} are refused`]
  if (new URL(url ?? '/', 'http://localhost').pathname !== '/mcp') return [404, 'the server is at /mcp']
  return method === 'POST' || method === 'GET' || method === 'DELETE' ? null : [405, `${method} is not used here`]
}

function isLoopback(origin: string): boolean {
  return URL.canParse(origin) && ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(origin).hostname)
}

/** The messages of a body through the gate, or why they cannot be read. */
async function readPosted(request: IncomingMessage, gate: MessageGate, way: Send | undefined): Promise<Relayed | string> {
  if (request.headers['content-encoding'] !== undefined) return 'a body that is compressed cannot be judged'
  const bytes = await readAll(request)
  const text = bytes === null ? null : decodeUtf8(bytes)
  if (text === null) return bytes === null ? 'the body is too large' : 'the body is not UTF-8'
  return relayClientText(text, gate, way)
}

function answerAlone(response: ServerResponse, { back, isBatch }: Relayed): void {
  if (back.length === 0) return void response.writeHead(202).end()
  // What could not even be read is an error of the request.
  const isUnread = back.some(answer => answer.id === null)
  sendJson(response, isUnread ? 400 : 200, spellAnswers(back, isBatch))
}

const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** Ours to say: where it goes, how long it is, and that we want to read the answer. */
const OUR_OWN = new Set([...HOP_BY_HOP, 'host', 'origin', 'content-length', 'accept-encoding'])

function send(url: URL, { method, headers }: IncomingMessage, body: string, response: ServerResponse): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const sent = method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {}
  const theirs = without(headers, isOwnSession(headerOf(headers, SESSION)) ? new Set([...OUR_OWN, SESSION]) : OUR_OWN)
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers: { ...theirs, ...sent, 'accept-encoding': 'identity' } }, resolve)
    call.on('error', reject)
    response.on('close', () => call.destroy())
    call.end(method === 'POST' ? body : undefined)
  })
}

interface Answering {
  readonly options: HttpProxyOptions
  readonly gate: MessageGate
  /** What was sent on, and what the gate has to say itself. */
  readonly passing: Relayed
  readonly upstream: IncomingMessage
  readonly response: ServerResponse
  /** The header that names a session which begins. */
  readonly begun: IncomingHttpHeaders
}

async function sendBack(answering: Answering): Promise<void> {
  const { options, gate, passing, upstream, response, begun } = answering
  const status = upstream.statusCode ?? 502
  if (status >= 300 && status < 400) return fail(response, 502, `the server sends to ${upstream.headers.location}: give that as --url`)
  const type = upstream.headers['content-type'] ?? ''
  const isEncoded = !['identity', undefined].includes(upstream.headers['content-encoding'])
  if (isEncoded) return fail(response, 502, 'the server compresses its answer, which then cannot be judged')
  if (/^text\/event-stream\b/i.test(type)) {
    response.writeHead(status, { ...without(upstream.headers, HOP_BY_HOP), ...begun })
    response.flushHeaders()
    for (const answer of passing.back) response.write(spellEvent(JSON.stringify(answer)))
    await relayEvents(upstream, gate, { write: text => response.write(text), drained: () => drained(response), report: options.report })
    response.end()
    return
  }
  if (/^application\/json\b/i.test(type)) return sendJsonBack(answering, status)
  response.writeHead(status, without(upstream.headers, HOP_BY_HOP))
  upstream.pipe(response)
}

async function sendJsonBack({ options, gate, passing, upstream, response, begun }: Answering, status: number): Promise<void> {
  const bytes = await readAll(upstream)
  const text = bytes === null ? null : decodeUtf8(bytes)
  if (text === null) return fail(response, 502, 'the answer of the server cannot be read')
  const { on, dropped } = await relayServerText(text, gate)
  for (const why of dropped) options.report(`held back: ${why}`)
  if (on === null) return fail(response, 502, `the answer of the server was held back: ${dropped.join('; ')}`)
  const joined = passing.back.length === 0 ? on : JSON.stringify([...passing.back, ...listOf(JSON.parse(on))])
  sendJson(response, status, joined, { ...without(upstream.headers, OUR_OWN), ...begun })
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function without(headers: IncomingHttpHeaders, names: ReadonlySet<string>): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !names.has(name)))
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function drained(response: ServerResponse): Promise<void> | undefined {
  if (!response.writableNeedDrain || response.destroyed) return undefined
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

function sendJson(response: ServerResponse, status: number, text: string, headers: IncomingHttpHeaders = {}): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function fail(response: ServerResponse, status: number, why: string): void {
  const answer: Json = errorAnswer(null, status === 502 ? SERVER_LOST : INVALID_REQUEST, why)
  sendJson(response, status, JSON.stringify(answer))
}
