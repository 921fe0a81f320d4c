// One request, one answer, over a connection of its own: no redirects, no pooled sockets, a bounded body. Never throws.

import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { errorText } from '../../value/error-text.ts'
import { isPrivateAddress } from './private-address.ts'
import { createPublicLookup, PrivateAddressError, type ResolveName } from './public-lookup.ts'

const BODY_BYTES = 1024 * 1024

export interface HttpRequest {
  readonly url: URL
  readonly method: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The policy names this host: private addresses are meant. */
  readonly mayBePrivate: boolean
  readonly signal: AbortSignal
  /** Stands in for the resolver of the system. */
  readonly resolveName?: ResolveName
}

export type HttpAnswer =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly contentType: string
      readonly location: string | null
      readonly body: string
    }
  | { readonly kind: 'too-large'; readonly status: number }
  | { readonly kind: 'private'; readonly why: string }
  | { readonly kind: 'unsendable'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }

export function sendRequest(request: HttpRequest): Promise<HttpAnswer> {
  const { url, mayBePrivate } = request
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // A literal address never goes through a lookup.
  if (!mayBePrivate && isIP(host) !== 0 && isPrivateAddress(host)) {
    return Promise.resolve({ kind: 'private', why: new PrivateAddressError(host, host).message })
  }
  return new Promise(resolve => {
    try {
      start(request, resolve)
    } catch (error) {
      // Thrown for header names and values that HTTP does not allow.
      resolve({ kind: 'unsendable', why: errorText(error) })
    }
  })
}

function start(request: HttpRequest, settle: (answer: HttpAnswer) => void): void {
  const { url, method, headers, body, mayBePrivate, signal, resolveName } = request
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const resolution = mayBePrivate ? {} : { lookup: createPublicLookup(resolveName) }
  const outgoing = send(url, {
    method,
    headers: {
      accept: 'application/json',
      ...lowerNames(headers),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    },
    agent: false,
    signal,
    ...resolution,
  })
  outgoing.on('error', error => settle(explainError(error)))
  outgoing.on('response', response => readBody(response, settle))
  outgoing.end(body)
}

/** Later ones would otherwise stand beside ours under another spelling. */
function lowerNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function explainError(error: Error): HttpAnswer {
  if (error instanceof PrivateAddressError) return { kind: 'private', why: error.message }
  return { kind: 'unreachable', why: errorText(error) || 'the connection failed' }
}

function readBody(response: IncomingMessage, settle: (answer: HttpAnswer) => void): void {
  const status = response.statusCode ?? 0
  const chunks: Buffer[] = []
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size <= BODY_BYTES) chunks.push(chunk)
    else {
      settle({ kind: 'too-large', status })
      response.destroy()
    }
  })
  response.on('error', error => settle({ kind: 'unreachable', why: errorText(error) }))
  response.on('end', () =>
    settle({
      kind: 'response',
      status,
      contentType: response.headers['content-type'] ?? '',
      location: response.headers.location ?? null,
      body: Buffer.concat(chunks).toString('utf8'),
    }),
  )
}
