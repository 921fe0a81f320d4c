// A question that a client had for a person while the daemon was away: it waits in the spool, sealed, and stands in the queue once the daemon
// is back. Sealed, because what a person reads there must be what was asked.
import type { GuardedCall } from '@belay/core'
import { type boundCall, newCall } from './bound-call.ts'
import { keyedHash, readKeyFile } from './key-file.ts'
import type { Approvals, NewRequest } from './open-approvals.ts'

export interface SpooledAsk {
  readonly request: NewRequest
  readonly seal: string
}

export interface AskAlone {
  readonly home: string
  readonly expiryMs: number
  readonly bound: ReturnType<typeof boundCall>
  redact(body: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** null: nothing is asked. */
export function spoolAsk({ verdict, fired, judgement }: GuardedCall, { home, expiryMs, bound, redact }: AskAlone): SpooledAsk | null {
  if (verdict.decision !== 'ask') return null
  const key = readKeyFile(home, 'approval.key')
  const made = newCall({ event: fired.event, verdict, rule: judgement?.rule ?? null }, keyedHash(key, { ...bound }), expiryMs)
  // The hash is no secret, though it may look like one.
  const request = { ...(JSON.parse(JSON.stringify(redact({ ...made }))) as NewRequest), inputHash: made.inputHash }
  return { request, seal: keyedHash(key, { ...request }) }
}

/** Into the queue, for what is left of its time. */
export async function openSpooledAsk(approvals: Approvals, { request, seal }: SpooledAsk, { key, leftMs }: AskArrival): Promise<void> {
  if (keyedHash(key, { ...request }) !== seal || leftMs(request.expiryMs) <= 0) return
  if (approvals.findPending(request.inputHash) === null) await approvals.open({ ...request, expiryMs: leftMs(request.expiryMs) })
}

export interface AskArrival {
  readonly key: Uint8Array
  leftMs(expiryMs: number): number
}
