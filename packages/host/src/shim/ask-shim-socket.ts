// Sends one frame to the daemon and gives its answer; null: nobody answered in time, or "not now", or the socket is not ours. A daemon that is
// still at it sends a blank now and then; one that is silent hangs.
import { createConnection } from 'node:net'
import { whyNotOurSocket } from '../disk/own-folder.ts'
import { isHung, PROBE_MS, rememberHung } from '../wire/hung-daemon.ts'
import type { ShimAnswer } from '../wire/shim-frame.ts'
import { parseStrictJson } from '../wire/strict-json.ts'

const QUIET_MS = 5000

export function askShimSocket(path: string, frame: string, timeoutMs: number): Promise<ShimAnswer | null> {
  if (whyNotOurSocket(path) !== null) return Promise.resolve(null)
  return new Promise(resolve => {
    let text = ''
    const socket = createConnection(path)
    const finish = (answer: ShimAnswer | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(null), timeoutMs)
    socket.setTimeout(PROBE_MS)
    socket.on('timeout', () => {
      if (socket.timeout === PROBE_MS && !isHung(path)) {
        socket.setTimeout(QUIET_MS - PROBE_MS)
        return
      }
      rememberHung(path)
      finish(null)
    })
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(frame))
    socket.on('data', chunk => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) finish(readAnswer(text.slice(0, end)))
    })
    socket.on('error', () => finish(null))
    socket.on('close', () => finish(null))
  })
}

/** Exactly what the daemon writes, as the other clients read it: of an exit code above 255 the system would keep the rest, and 256 is 0. */
function readAnswer(line: string): ShimAnswer | null {
  const parsed = parseStrictJson(line)
  if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) return null
  const { exit, stdout, stderr, ...more } = parsed.value as Readonly<Record<string, unknown>>
  const isCode = typeof exit === 'number' && Number.isInteger(exit) && exit >= 0 && exit <= 255
  if (!isCode || typeof stdout !== 'string' || typeof stderr !== 'string' || Object.keys(more).length > 0) return null
  return { exit, stdout, stderr }
}
