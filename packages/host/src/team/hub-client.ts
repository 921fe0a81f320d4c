// Calls to the hub. Beyond loopback only over TLS; an answer that does not come in time is no answer.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { NoteSigner } from '@belay/core/ledger'
import { signStatement } from '@belay/core/team'
import { isObject } from '@belay/core/value'

export interface HubAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** As it went over the wire. */
  readonly sentBytes: number
}

export interface HubCall {
  readonly url: string
  /** `POST /v1/upload`. */
  readonly request: string
  readonly body?: unknown
  readonly token?: string
  readonly signal?: AbortSignal
}

const ANSWER_MS = 20_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const zip = promisify(gzip)

/** Text: why this URL is no place to send anything to. */
export function refuseUrl(text: string): string | undefined {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return `${JSON.stringify(text)} is no URL`
  }
  if (url.protocol === 'https:') return undefined
  const isLoopback = url.hostname === 'localhost' || url.hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  return url.protocol === 'http:' && isLoopback ? undefined : `${text} is not loopback, so it begins with https://`
}

export async function callHub({ url, request, body, token, signal }: HubCall): Promise<HubAnswer> {
  const [method = 'GET', path = '/'] = request.split(' ')
  const bytes = body === undefined ? undefined : await zip(JSON.stringify(body))
  const limit = AbortSignal.timeout(ANSWER_MS)
  const response = await fetch(new URL(path, url), {
    method,
    redirect: 'error',
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
    headers: {
      ...(bytes && { 'content-type': 'application/json', 'content-encoding': 'gzip' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(bytes && { body: bytes }),
  })
  const answer = await readAnswer(response)
  return { status: response.status, body: isObject(answer) ? answer : {}, sentBytes: bytes?.length ?? 0 }
}

/** Undefined: it is no JSON, or longer than anything a hub has to say. */
async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) return undefined
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}

/** A token for a quarter of an hour; text: why there is none. */
export async function logIn(
  url: string,
  machine: string,
  key: NoteSigner,
  signal?: AbortSignal,
): Promise<{ readonly token: string } | string> {
  const more = signal && { signal }
  const asked = await callHub({ url, request: 'POST /v1/challenge', body: { machine }, ...more })
  const { challenge } = asked.body
  if (asked.status !== 200 || typeof challenge !== 'string') return sayRefused(asked)
  const signature = signStatement('login', [machine, challenge], key)
  const answer = await callHub({ url, request: 'POST /v1/login', body: { machine, challenge, signature }, ...more })
  return answer.status === 200 && typeof answer.body.token === 'string' ? { token: answer.body.token } : sayRefused(answer)
}

export function sayRefused({ status, body }: HubAnswer): string {
  return `the hub answered ${status}${typeof body.error === 'string' ? `: ${body.error}` : ''}`
}
