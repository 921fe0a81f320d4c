// Reads a request body within limits, strictly.
import type { IncomingMessage } from 'node:http'
import { decodeUtf8, parseStrictJson } from '../wire/strict-json.ts'

const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_DEPTH = 64

export type Body =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly status: number; readonly message: string }

export async function readJson(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    return { ok: false, status: 415, message: `The body must be application/json, not ${type}.` }
  const bytes = await readBytes(request)
  if (bytes === null) return { ok: false, status: 413, message: `The body is larger than ${MAX_BODY_BYTES} bytes.` }
  const text = decodeUtf8(bytes)
  if (text === null) return { ok: false, status: 400, message: 'The body is not UTF-8.' }
  const parsed = parseStrictJson(text, { maxDepth: MAX_DEPTH })
  if (!parsed.ok) return { ok: false, status: 400, message: `The body is refused: ${parsed.problem} (at character ${parsed.offset}).` }
  return { ok: true, value: parsed.value }
}

/** null: it is too large, and the rest is not read. By events: iterating costs more than all the rest of a small body. */
function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= MAX_BODY_BYTES) chunks.push(chunk)
      else {
        request.pause()
        resolve(null)
      }
    })
    request.on('end', () => resolve(chunks.length === 1 ? (chunks[0] ?? null) : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
