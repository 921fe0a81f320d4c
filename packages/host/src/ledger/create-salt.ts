// Salts of bodies: 128 random bits as text, drawn many at a time.
import { randomFillSync } from 'node:crypto'

const SALT_BYTES = 16
const POOL_SALTS = 256
const pool = Buffer.alloc(SALT_BYTES * POOL_SALTS)
let used = POOL_SALTS

export function createSalt(): string {
  if (used === POOL_SALTS) {
    randomFillSync(pool)
    used = 0
  }
  const start = SALT_BYTES * used++
  return pool.toString('base64url', start, start + SALT_BYTES)
}
