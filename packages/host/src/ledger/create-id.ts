// Ids of entries: UUID version 7. The leading time keeps new ids at the end of their index; nothing reads an order out of them.
import { randomFillSync } from 'node:crypto'

const POOL_IDS = 256
const pool = Buffer.alloc(10 * POOL_IDS)
let used = POOL_IDS

export function createId(nowMs: number): string {
  if (used === POOL_IDS) {
    randomFillSync(pool)
    used = 0
  }
  const random = pool.toString('hex', used * 10, used * 10 + 10)
  used++
  const time = Math.max(0, nowMs).toString(16).padStart(12, '0')
  const variant = '89ab'[Number.parseInt(random.charAt(3), 16) % 4]
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}
