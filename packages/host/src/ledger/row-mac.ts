// A keyed hash beside each row, made with a key that only the writer has. Checkpoints are signed now and then; until one covers a row, this
// says that the writer wrote it. It is no part of the record, and no proof for anybody else: the key is secret.
import { hash, type KeyObject } from 'node:crypto'
import { HASH_BYTES } from '@belay/core/ledger'

export type MakeMac = (rowHash: string) => Buffer

/** From the key that signs checkpoints, so that there is one secret to keep. */
export function createRowMac(privateKey: KeyObject): MakeMac {
  const secret = hash('sha256', Buffer.concat([Buffer.from('belay row\0'), privateKey.export({ type: 'pkcs8', format: 'der' })]), 'buffer')
  // Both parts have one length, always: nothing can be appended, so a plain hash over them will do.
  const input = Buffer.alloc(2 * HASH_BYTES)
  input.set(secret)
  return rowHash => {
    input.write(rowHash, HASH_BYTES, 'hex')
    return Buffer.from(hash('sha256', input, 'binary'), 'latin1')
  }
}
