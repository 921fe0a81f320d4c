// Reads the daemon's stream of events over its Unix socket. Ends when the daemon does; whoever needs more comes back with the last id.
import { get } from 'node:http'
import { whyNotOurSocket } from '../disk/own-folder.ts'

export interface StreamedEvent {
  readonly id: string
  readonly type: string
  readonly data: unknown
}

export interface FollowOptions {
  readonly socket: string
  /** Only these; the daemon sends nothing else. */
  readonly types: readonly string[]
  readonly signal: AbortSignal
  /** The stream is open: what happens from now on will be told. */
  onOpen(): void
  onEvent(event: StreamedEvent): void
}

export function followEvents({ socket, types, signal, onOpen, onEvent }: FollowOptions): Promise<void> {
  if (whyNotOurSocket(socket) !== null) return Promise.resolve()
  return new Promise(resolve => {
    const request = get({ socketPath: socket, path: `/v1/events?types=${types.join(',')}`, signal }, response => {
      if (response.statusCode !== 200) {
        response.resume()
        resolve()
        return
      }
      const read = createEventReader(onEvent)
      response.setEncoding('utf8')
      response.on('data', read)
      response.on('close', () => resolve())
      response.on('error', () => resolve())
      onOpen()
    })
    request.on('error', () => resolve())
  })
}

export interface KeepFollowingOptions extends FollowOptions {
  /** How long to wait before asking again for a daemon that was not there. */
  readonly retryMs: number
  /** Runs before each connection; false: there is no daemon now. */
  prepare?(): Promise<boolean>
}

/** Comes back whenever the daemon was away, until the signal. */
export async function keepFollowing(options: KeepFollowingOptions): Promise<void> {
  const { signal, retryMs, prepare } = options
  while (!signal.aborted) {
    if (prepare === undefined || (await prepare())) await followEvents(options)
    if (!signal.aborted) await pause(retryMs, signal)
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
  })
}

/** Takes pieces of any size. */
export function createEventReader(onEvent: (event: StreamedEvent) => void): (piece: string) => void {
  let pending = ''
  return piece => {
    pending += piece
    for (let end = pending.indexOf('\n\n'); end >= 0; end = pending.indexOf('\n\n')) {
      const event = readBlock(pending.slice(0, end))
      pending = pending.slice(end + 2)
      if (event !== null) onEvent(event)
    }
  }
}

function readBlock(block: string): StreamedEvent | null {
  const fields = new Map(
    block.split('\n').flatMap(line => {
      const colon = line.indexOf(': ')
      return colon > 0 ? [[line.slice(0, colon), line.slice(colon + 2)] as const] : []
    }),
  )
  const type = fields.get('event')
  const text = fields.get('data')
  if (type === undefined || text === undefined) return null
  try {
    return { id: fields.get('id') ?? '', type, data: JSON.parse(text) }
  } catch {
    return null
  }
}
