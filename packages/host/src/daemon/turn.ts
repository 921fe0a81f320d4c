// Calls that were read in one turn of the event loop begin together, when all of them have been read. Whatever was changed before one of them was
// sent had been changed before this moment: what is looked at now, once, holds for all of them. A call that is read later begins in a later turn.
// Their answers go out together too: a client that is woken by the first finds the others, and what it sends next comes together again.

/** What one connection has to do in a turn. Neither may throw. */
export interface Part {
  begin(): void
  /** What is answered by now. */
  send?(): void
}

export interface Turn {
  add(part: Part): void
  /** While calls begin: another number for each turn; else null. */
  readonly current: number | null
}

/** An answer waits no longer for others than that. */
const MAX_HOLD_MS = 1

export function createTurn(now: () => number): Turn {
  let waiting: Part[] = []
  let turns = 0
  let current: number | null = null

  function beginAll(): void {
    const parts = waiting
    waiting = []
    current = ++turns
    let sent = 0
    let since = now()
    for (let begun = 1; begun <= parts.length; begun++) {
      parts[begun - 1]?.begin()
      if (begun < parts.length && now() - since < MAX_HOLD_MS) continue
      for (; sent < begun; sent++) parts[sent]?.send?.()
      since = now()
    }
    current = null
  }

  return {
    add(part) {
      if (waiting.push(part) === 1) setImmediate(beginAll)
    },
    get current() {
      return current
    },
  }
}
