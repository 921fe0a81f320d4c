// Writes to a standard stream without building Node's stream object for it, which takes longer than most commands do.
// `belay ... | head` deserves no stack trace; but what nobody read is no yes either: exit code 2.
import { writeSync } from 'node:fs'

export interface Output {
  write(text: string): unknown
}

export function openOutput(fd: 1 | 2): Output {
  let stream: NodeJS.WritableStream | null = null
  return {
    write(text) {
      if (stream !== null) return stream.write(text)
      const rest = writeNow(fd, Buffer.from(text))
      if (rest.length === 0) return true
      stream = fd === 1 ? process.stdout : process.stderr
      stream.on('error', endQuietlyOnClosedPipe)
      return stream.write(rest)
    },
  }
}

/** Gives what is left where another process has made the pipe non-blocking and it is full: Node's stream waits for such a one. */
function writeNow(fd: number, bytes: Uint8Array): Uint8Array {
  let rest = bytes
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(fd, rest))
    } catch (error) {
      if (codeOf(error) === 'EAGAIN') return rest
      endQuietlyOnClosedPipe(error)
    }
  }
  return rest
}

function endQuietlyOnClosedPipe(error: unknown): never {
  if (codeOf(error) === 'EPIPE') process.exit(2)
  throw error
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null
}
