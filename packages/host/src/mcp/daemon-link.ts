// A kept connection to the daemon for one caller that asks again and again: one write and one read a call, without the machinery of node:http.
// One call at a time; whoever comes while it is busy gets a connection of their own. A call is never sent twice.
import { createConnection, type Socket } from 'node:net'
import { whyNotOurSocket } from '../disk/own-folder.ts'
import { askDaemon, type DaemonAnswer } from '../wire/daemon-client.ts'

export interface DaemonLink {
  post(path: string, body: unknown): Promise<DaemonAnswer>
}

interface Waiting {
  resolve(answer: DaemonAnswer): void
  readonly request: string
  readonly pieces: Buffer[]
}

/** Also how long an idle connection is kept: the daemon keeps it longer, so that it is never closed under a call. */
const TIMEOUT_MS = 10_000
const ABSENT = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'])

export function createDaemonLink(path: string): DaemonLink {
  let connection: Socket | null = null
  let waiting: Waiting | null = null

  function finish(answer: DaemonAnswer): void {
    const { resolve } = waiting ?? {}
    waiting = null
    // A connection that only waits for the next call keeps no process alive.
    connection?.unref()
    resolve?.(answer)
  }

  function connect(): Socket {
    const made = createConnection(path)
    let hasAnswered = false
    made.setTimeout(TIMEOUT_MS, () => made.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)))
    made.on('data', piece => {
      waiting?.pieces.push(piece)
      const answer = waiting === null ? null : readAnswer(waiting.pieces)
      if (answer === null) return
      hasAnswered = true
      if (!answer.isKept) {
        connection = null
        made.destroy()
      }
      finish(answer.answer)
    })
    made.on('error', (error: NodeJS.ErrnoException) => {
      // Closed before we wrote: nothing has arrived there, and a new connection will do.
      if (error.code === 'EPIPE' && hasAnswered && connection === made && waiting !== null) send(waiting.request, connect())
      else lose(made, ABSENT.has(error.code ?? '') ? { kind: 'absent' } : { kind: 'failed', why: error.message })
    })
    made.on('close', () => lose(made, { kind: 'failed', why: 'the daemon closed the connection' }))
    return made
  }

  function send(request: string, to: Socket): void {
    connection = to
    to.ref()
    to.write(request)
  }

  function lose(lost: Socket, answer: DaemonAnswer): void {
    if (connection !== lost) return
    connection = null
    finish(answer)
  }

  return {
    post(target, body) {
      if (waiting !== null) return askDaemon({ socket: path, method: 'POST', path: target, body })
      const why = connection === null ? whyNotOurSocket(path) : null
      if (why !== null) return Promise.resolve({ kind: 'failed', why })
      const text = JSON.stringify(body)
      const head = `POST ${target} HTTP/1.1\r\nhost: belay\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}`
      const request = `${head}\r\n\r\n${text}`
      return new Promise(resolve => {
        waiting = { resolve, request, pieces: [] }
        send(request, connection ?? connect())
      })
    },
  }
}

const HEAD_END = Buffer.from('\r\n\r\n')

/** null: not all of it is there. */
function readAnswer(pieces: Buffer[]): { readonly answer: DaemonAnswer; readonly isKept: boolean } | null {
  const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  pieces.splice(0, pieces.length, bytes)
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return null
  const head = bytes.toString('latin1', 0, headEnd)
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  if (length === undefined) return { answer: { kind: 'failed', why: 'the daemon gave no length' }, isKept: false }
  const start = headEnd + HEAD_END.length
  if (bytes.length < start + Number(length)) return null
  const isKept = !/\r\nconnection: *close/i.test(head)
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8', start, start + Number(length)))
    return { answer: { kind: 'answer', status: Number(head.slice(9, 12)), value }, isKept }
  } catch (error) {
    return { answer: { kind: 'failed', why: String(error) }, isKept }
  }
}
