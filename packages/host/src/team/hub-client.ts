// Calls to the hub. Beyond loopback only over TLS; an answer that does not come in time is no answer.
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { NoteSigner } from '@belay/core/ledger'
import { signStatement } from '@belay/core/team'
import { errorText, isObject } from '@belay/core/value'
import type { Membership } from './membership.ts'

export interface HubAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** As it went over the wire. */
  readonly sentBytes: number
}

/** Where the hub is, and by whose certificate it is known. */
export type HubPlace = Pick<Membership, 'url' | 'ca'>

export interface HubCall {
  readonly hub: HubPlace
  /** `POST /v1/upload`. */
  readonly request: string
  readonly body?: unknown
  readonly token?: string
  readonly signal?: AbortSignal
}

const ANSWER_MS = 20_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const zip = promisify(gzip)
const plain = new Agent({ keepAlive: true })
/** By the certificates that are trusted; '': those that Node knows. */
const agents = new Map<string, TlsAgent>()
/** The hub has a certificate of which nobody here knows who made it. */
const UNKNOWN_ISSUERS: ReadonlySet<unknown> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
])

/** Text: why this URL is no place to send anything to. */
export function refuseUrl(text: string): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return `${JSON.stringify(text)} is no URL`
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '')
    return `${text} is more than the address of a hub, which is as ${url.protocol}//${url.host}`
  if (url.protocol === 'https:') return undefined
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  return url.protocol === 'http:' && isLoopback ? undefined : `${text} is not loopback, so it begins with https://`
}

/** Rejects where there is no answer, and says why. */
export async function callHub({ hub, request, body, token, signal }: HubCall): Promise<HubAnswer> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const bytes = body === undefined ? undefined : await zip(JSON.stringify(body))
  const limit = AbortSignal.timeout(ANSWER_MS)
  const options = {
    method,
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    headers: {
      ...(bytes && { 'content-type': 'application/json', 'content-encoding': 'gzip', 'content-length': bytes.length }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
  }
  try {
    const response = await send(new URL(path, hub.url), hub.ca, options, bytes)
    const answer = await readAnswer(response)
    return { status: response.statusCode ?? 0, body: isObject(answer) ? answer : {}, sentBytes: bytes?.length ?? 0 }
  } catch (error) {
    throw limit.aborted ? new Error(`there was no answer within ${ANSWER_MS / 1000} s`) : new Error(sayUnreached(error), { cause: error })
  }
}

function send(url: URL, ca: string | undefined, options: RequestOptions, bytes: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const outgoing =
      url.protocol === 'https:' ? tlsRequest(url, { ...options, agent: agentFor(ca) }) : httpRequest(url, { ...options, agent: plain })
    outgoing.once('response', resolve)
    outgoing.on('error', reject)
    outgoing.end(bytes)
  })
}

function agentFor(ca = ''): TlsAgent {
  const agent = agents.get(ca) ?? new TlsAgent({ keepAlive: true, minVersion: 'TLSv1.2', ...(ca !== '' && { ca }) })
  agents.set(ca, agent)
  return agent
}

/** Undefined: it is no JSON, or longer than anything a hub has to say. */
async function readAnswer(response: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    // What is left unread ends the connection.
    if (bytes > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

function sayUnreached(error: unknown): string {
  // Where a name leads to several addresses there is one error for each.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const { code } = (isObject(first) ? first : {}) as { readonly code?: unknown }
  const text = errorText(first)
  if (code === 'EPROTO') return 'it speaks no TLS there; a hub on loopback without tls_cert is at http://'
  return UNKNOWN_ISSUERS.has(code) ? `${text}; give the certificate of its issuer: belay join --ca FILE` : text
}

/** A token for a quarter of an hour; text: why there is none. */
export async function logIn(
  hub: HubPlace,
  machine: string,
  key: NoteSigner,
  signal?: AbortSignal,
): Promise<{ readonly token: string } | string> {
  const more = signal && { signal }
  const asked = await callHub({ hub, request: 'POST /v1/challenge', body: { machine }, ...more })
  const { challenge } = asked.body
  if (asked.status !== 200 || typeof challenge !== 'string') return sayRefused(asked)
  const signature = signStatement('login', [machine, challenge], key)
  const answer = await callHub({ hub, request: 'POST /v1/login', body: { machine, challenge, signature }, ...more })
  return answer.status === 200 && typeof answer.body.token === 'string' ? { token: answer.body.token } : sayRefused(answer)
}

export function sayRefused({ status, body }: HubAnswer): string {
  return `the hub answered ${status}${typeof body.error === 'string' ? `: ${body.error}` : ''}`
}
