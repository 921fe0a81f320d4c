// What a file holds at one moment: its hash, and its text where that is small enough to compare.
import { createHash } from 'node:crypto'
import { createReadStream, promises } from 'node:fs'

export interface FileImage {
  /** SHA-256 of the bytes; null: there is no such file, or it could not be read to its end. */
  readonly hash: string | null
  readonly bytes: number
  /** null: not there, too large, or not text. */
  readonly text: string | null
  readonly state: 'text' | 'binary' | 'large' | 'absent' | 'unreadable'
}

/** Larger files are hashed, not kept. */
export const MAX_TEXT_BYTES = 1024 * 1024
/** Larger ones are not even hashed: an agent waits for us. */
const MAX_HASH_BYTES = 256 * 1024 * 1024

const ABSENT: FileImage = { hash: null, bytes: 0, text: null, state: 'absent' }

export async function readFileImage(path: string, mostBytes: number = MAX_HASH_BYTES): Promise<FileImage> {
  try {
    const { size, isFile } = await describe(path)
    if (!isFile || size > mostBytes) return { hash: null, bytes: size, text: null, state: isFile ? 'large' : 'unreadable' }
    if (size > MAX_TEXT_BYTES) return { hash: await hashFile(path), bytes: size, text: null, state: 'large' }
    return imageOf(await promises.readFile(path))
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
    return isMissing ? ABSENT : { ...ABSENT, state: 'unreadable' }
  }
}

export function imageOfText(text: string | null): FileImage {
  return text === null ? ABSENT : imageOf(Buffer.from(text))
}

function imageOf(bytes: Buffer): FileImage {
  const hash = createHash('sha256').update(bytes).digest('hex')
  if (bytes.length > MAX_TEXT_BYTES) return { hash, bytes: bytes.length, text: null, state: 'large' }
  const text = bytes.includes(0) ? null : decode(bytes)
  return { hash, bytes: bytes.length, text, state: text === null ? 'binary' : 'text' }
}

function decode(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

async function describe(path: string): Promise<{ size: number; isFile: boolean }> {
  const found = await promises.stat(path)
  return { size: found.size, isFile: found.isFile() }
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
