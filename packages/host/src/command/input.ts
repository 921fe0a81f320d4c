// Reads standard input to its end without building Node's stream object for it. For commands that have nothing else to do until then.
import { readSync } from 'node:fs'

const PIECE_BYTES = 64 * 1024

export async function* readInput(): AsyncGenerator<string | Uint8Array, void, undefined> {
  for (;;) {
    const piece = readPiece()
    if (piece === 'not yet') return yield* process.stdin
    if (piece.length === 0) return
    yield piece
  }
}

/** Empty: the end. A pipe that another process made non-blocking may have nothing yet: Node's stream waits for it. */
function readPiece(): Uint8Array | 'not yet' {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  try {
    return piece.subarray(0, readSync(0, piece))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EAGAIN') return 'not yet'
    if (code === 'EOF') return piece.subarray(0, 0)
    throw error
  }
}
