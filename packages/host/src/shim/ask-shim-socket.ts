// Sends one frame to the daemon and gives its answer; null: nobody answered in time, or "not now". A daemon that is still at it sends a
// blank now and then; one that is silent hangs.
import { createConnection } from 'node:net'
import type { ShimAnswer } from '../wire/shim-frame.ts'

const QUIET_MS = 5000

export function askShimSocket(path: string, frame: string, timeoutMs: number): Promise<ShimAnswer | null> {
  return new Promise(resolve => {
    let text = ''
    const socket = createConnection(path)
    const finish = (answer: ShimAnswer | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => finish(null), timeoutMs)
    socket.setTimeout(QUIET_MS, () => finish(null))
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

function readAnswer(line: string): ShimAnswer | null {
  try {
    const { exit, stdout, stderr } = JSON.parse(line)
    if (!Number.isInteger(exit) || typeof stdout !== 'string' || typeof stderr !== 'string') return null
    return { exit, stdout, stderr }
  } catch {
    return null
  }
}
