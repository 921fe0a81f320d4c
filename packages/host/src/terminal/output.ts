// Writes to a standard stream without building Node's stream object for it, which takes longer than most commands do.
// `belay ... | head` deserves no stack trace; but what nobody read is no yes either: exit code 2.
import { fstatSync, writeSync } from 'node:fs'
import { escapeForTerminal, unmark } from './visible.ts'

export interface Output {
  write(text: string): unknown
}

export function openOutput(fd: 1 | 2): Output {
  let stream: NodeJS.WritableStream | null = null
  let isTerminal: boolean | undefined
  return {
    write(raw) {
      isTerminal ??= isDevice(fd)
      const text = isTerminal ? escapeForTerminal(raw) : unmark(raw)
      if (stream !== null) return stream.write(text)
      const rest = writeNow(fd, Buffer.from(text))
      if (rest.length === 0) return true
      stream = fd === 1 ? process.stdout : process.stderr
      stream.on('error', endQuietlyOnClosedPipe)
      return stream.write(rest)
    },
  }
}

/** A terminal, as far as it matters here; to ask Node's `tty` would load all that it has for sockets. */
export function isDevice(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice()
  } catch {
    return false
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
