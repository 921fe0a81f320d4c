// Asks the daemon over its Unix socket. "There is no daemon" is an expected answer, not an error.
import { request as httpRequest } from 'node:http'
import { whyNotOurSocket } from '../disk/own-folder.ts'
import { parseStrictJson } from './strict-json.ts'

export type DaemonAnswer =
  | { readonly kind: 'answer'; readonly status: number; readonly value: unknown }
  | { readonly kind: 'absent' }
  | { readonly kind: 'failed'; readonly why: string }

export interface DaemonRequest {
  readonly socket: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
  /** Whoever asked no longer wants the answer. */
  readonly signal?: AbortSignal
}

/** Nobody listens there: the socket is missing or was left behind by a daemon that is gone. */
const ABSENT = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])

export function askDaemon({ socket, method, path, body, headers = {}, timeoutMs = 10_000, signal }: DaemonRequest): Promise<DaemonAnswer> {
  const why = whyNotOurSocket(socket)
  if (why !== null) return Promise.resolve({ kind: 'failed', why })
  const text = body === undefined ? null : JSON.stringify(body)
  return new Promise(resolve => {
    const request = httpRequest(
      {
        socketPath: socket,
        method,
        path,
        timeout: timeoutMs,
        ...(signal === undefined ? {} : { signal }),
        headers: {
          ...(text === null ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('error', error => resolve({ kind: 'failed', why: error.message }))
        response.on('end', () => resolve(readAnswer(response.statusCode ?? 0, Buffer.concat(chunks).toString())))
      },
    )
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
    request.on('error', (error: NodeJS.ErrnoException) => {
      resolve(ABSENT.has(error.code ?? '') ? { kind: 'absent' } : { kind: 'failed', why: error.message })
    })
    request.end(text ?? undefined)
  })
}

function readAnswer(status: number, text: string): DaemonAnswer {
  if (text === '') return { kind: 'answer', status, value: null }
  const parsed = parseStrictJson(text)
  // Metrics and the like are plain text.
  return { kind: 'answer', status, value: parsed.ok ? parsed.value : text }
}
