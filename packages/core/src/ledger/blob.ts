// A large value that stands beside its record: the body keeps only a salted hash. Trimming forgets content and salt, so the record and
// every proof over it stay valid while the value can neither be read nor guessed.
import { createHash, randomBytes } from 'node:crypto'

export interface Blob {
  readonly hash: string
  readonly salt: Buffer
  readonly content: Buffer
}

export interface BlobReference {
  readonly hash: string
  readonly bytes: number
}

export function createBlob(content: Buffer, salt: Buffer = randomBytes(16)): Blob {
  return { hash: hashBlob(salt, content), salt, content }
}

export function hashBlob(salt: Uint8Array, content: Uint8Array): string {
  return createHash('sha256').update(salt).update(content).digest('hex')
}

/** The blobs that a body, as canonical JSON, refers to. */
export function findBlobReferences(body: string): readonly BlobReference[] {
  if (!body.includes('"$blob":"')) return []
  const found: BlobReference[] = []
  JSON.parse(body, (_key, value: unknown) => {
    if (isReference(value)) found.push({ hash: value.$blob, bytes: value.bytes })
    return value
  })
  return found
}

function isReference(value: unknown): value is { readonly $blob: string; readonly bytes: number } {
  if (typeof value !== 'object' || value === null || !('$blob' in value) || !('bytes' in value)) return false
  return typeof value.$blob === 'string' && typeof value.bytes === 'number'
}
