// Keeps the beginning or the end of a stream and drains the rest, so that a flood costs time but no memory and never blocks the writer.
import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface CollectedOutput {
  /** What was kept; bytes that are not UTF-8 become U+FFFD. */
  text(): string
  isTruncated(): boolean
  /** Grows with every chunk, kept or not. */
  byteCount(): number
}

/** The last bytes of a stream. */
export function collectTail(stream: Readable, keepBytes: number): CollectedOutput {
  let tail = Buffer.alloc(0)
  let seen = 0
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length
    tail = Buffer.concat([tail, chunk]).subarray(-keepBytes)
  })
  stream.on('error', () => stream.destroy())
  return { text: () => tail.toString('utf8'), isTruncated: () => seen > tail.length, byteCount: () => seen }
}

export function collectOutput(stream: Readable, keepBytes: number, onKept?: (text: string) => void): CollectedOutput {
  const decoder = new StringDecoder('utf8')
  const chunks: Buffer[] = []
  let kept = 0
  let seen = 0
  stream.on('data', (chunk: Buffer) => {
    seen += chunk.length
    if (kept >= keepBytes) return
    const part = chunk.subarray(0, keepBytes - kept)
    // A copy: a small slice would keep its whole pooled chunk alive.
    chunks.push(Buffer.from(part))
    kept += part.length
    onKept?.(decoder.write(part))
  })
  // The other end vanishing is an ordinary end; 'close' follows.
  stream.on('error', () => stream.destroy())
  return {
    text: () => Buffer.concat(chunks).toString('utf8'),
    isTruncated: () => seen > kept,
    byteCount: () => seen,
  }
}
