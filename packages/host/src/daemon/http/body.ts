// Reads a request body within limits, strictly.
import type { IncomingMessage } from 'node:http'
import { decodeUtf8, parseStrictJson } from '../../wire/strict-json.ts'

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

async function readBytes(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
