// The whole body of a message within a limit; null: it is larger.
import type { IncomingMessage } from 'node:http'

const MAX_BYTES = 64 * 1024 * 1024

export async function readAll(message: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of message) {
    size += piece.length
    if (size > MAX_BYTES) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
