// Signs what goes out to a webhook and checks what comes back: HMAC-SHA256 over the time and the exact bytes.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'belay-signature'

/** Signatures older or newer than this are refused. */
const TOLERANCE_MS = 5 * 60_000

/** `t=<seconds>,v1=<hex>`. */
export function signBody(key: Uint8Array, body: string, nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
  return `t=${seconds},v1=${digest(key, seconds, body)}`
}

export function isSigned(key: Uint8Array, body: string, header: string, nowMs: number): boolean {
  const match = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header)
  if (match === null) return false
  const seconds = Number(match[1])
  const isFresh = Math.abs(nowMs - seconds * 1000) <= TOLERANCE_MS
  return timingSafeEqual(Buffer.from(match[2] ?? '', 'hex'), Buffer.from(digest(key, seconds, body), 'hex')) && isFresh
}

function digest(key: Uint8Array, seconds: number, body: string): string {
  return createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')
}
