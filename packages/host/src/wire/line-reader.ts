// Cuts a byte stream into lines with a cap, so that a client that never sends a newline cannot fill the memory.
import { decodeUtf8 } from './strict-json.ts'

export type Line = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'too-long' } | { readonly kind: 'not-utf8' }

export interface LineReader {
  push(chunk: Buffer): readonly Line[]
}

const NEWLINE = 10

export function createLineReader(maxBytes: number): LineReader {
  let pending: Buffer[] = []
  let size = 0
  return {
    push(chunk) {
      const last = chunk.length - 1
      // One whole line, as nearly every client sends it.
      if (size === 0 && last >= 0 && last <= maxBytes && chunk.indexOf(NEWLINE) === last) return [decodeLine(chunk.subarray(0, last))]
      const lines: Line[] = []
      let from = 0
      for (;;) {
        const end = chunk.indexOf(NEWLINE, from)
        const piece = end < 0 ? chunk.subarray(from) : chunk.subarray(from, end)
        const wasTooLong = size > maxBytes
        size += piece.length
        if (size > maxBytes) {
          // Told once, when it becomes so; the rest of the line is passed over.
          if (!wasTooLong) lines.push({ kind: 'too-long' })
          pending = []
        } else if (piece.length > 0) pending.push(piece)
        if (end < 0) return lines
        if (size <= maxBytes) lines.push(finish(pending))
        pending = []
        size = 0
        from = end + 1
      }
    },
  }
}

function finish(pieces: readonly Buffer[]): Line {
  return decodeLine(pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces))
}

function decodeLine(bytes: Buffer): Line {
  const text = decodeUtf8(bytes)
  return text === null ? { kind: 'not-utf8' } : { kind: 'line', text }
}
