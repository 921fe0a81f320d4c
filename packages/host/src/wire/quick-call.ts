// One RPC over the daemon's socket without node:http, whose loading costs a quarter of a short command's time. null: no answer.
import { createConnection } from 'node:net'
import { whyNotOurSocket } from '../disk/own-folder.ts'

export interface QuickCall {
  readonly socket: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly timeoutMs: number
}

export function quickCall({ socket, method, params, timeoutMs }: QuickCall): Promise<unknown> {
  if (whyNotOurSocket(socket) !== null) return Promise.resolve(null)
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return new Promise(resolve => {
    const pieces: Buffer[] = []
    const connection = createConnection(socket)
    const finish = (value: unknown) => {
      clearTimeout(timer)
      connection.destroy()
      resolve(value)
    }
    const timer = setTimeout(() => finish(null), timeoutMs)
    connection.on('data', piece => pieces.push(piece))
    connection.on('end', () => finish(readResult(Buffer.concat(pieces).toString())))
    connection.on('error', () => finish(null))
    connection.end(
      `POST /v1/rpc HTTP/1.0\r\nhost: belay\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    )
  })
}

/** HTTP/1.0: the body ends with the connection. */
function readResult(text: string): unknown {
  const body = text.indexOf('\r\n\r\n')
  if (body < 0 || !/^HTTP\/1\.\d 200 /.test(text)) return null
  try {
    return (JSON.parse(text.slice(body + 4)) as { result?: unknown }).result ?? null
  } catch {
    return null
  }
}
