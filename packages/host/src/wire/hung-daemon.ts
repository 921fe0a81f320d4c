// A daemon that hangs is remembered in a file beside its socket: whoever comes next listens for a moment only and then judges alone. A daemon
// that works removes the file every second, so nothing has to be forgotten by time.
import { rmSync, statSync, writeFileSync } from 'node:fs'

/** As in shim.c and shim.pl. */
export function hungFile(shimSocket: string): string {
  return `${shimSocket}.hung`
}

const RECENT_MS = 10_000

/** How long a daemon that was found hanging is listened to. */
export const PROBE_MS = 250

export function isHung(shimSocket: string): boolean {
  return seenAt(shimSocket) !== null
}

/** Whether that was so a moment ago: its process is there and holds the ledger, so another one cannot come up. */
export function wasHung(shimSocket: string, nowMs: number): boolean {
  const seen = seenAt(shimSocket)
  return seen !== null && nowMs - seen < RECENT_MS
}

export function rememberHung(shimSocket: string): void {
  attempt(() => writeFileSync(hungFile(shimSocket), '\n', { mode: 0o600 }))
}

const ALIVE_MS = 1000

/** Of the daemon: for as long as its thread gets to this, nobody remembers it as hanging. */
export function showAlive(shimSocket: string): { stop(): void } {
  const forget = () => attempt(() => rmSync(hungFile(shimSocket), { force: true }))
  const timer = setInterval(forget, ALIVE_MS).unref()
  return {
    stop() {
      clearInterval(timer)
      forget()
    },
  }
}

function seenAt(shimSocket: string): number | null {
  return attempt(() => statSync(hungFile(shimSocket)).mtimeMs)
}

/** null: it failed. What cannot be remembered or forgotten costs a call time, nothing else. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
