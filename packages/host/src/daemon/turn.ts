// Calls that were read in one turn of the event loop begin together, when all of them have been read. Whatever was changed before one of them was
// sent had been changed before this moment: what is looked at now, once, holds for all of them. A call that is read later begins in a later turn.

export interface Turn {
  /** Begins a call, with the others of this turn. It must not throw. */
  add(begin: () => void): void
  /** While calls begin: another number for each turn; else null. */
  readonly current: number | null
}

export function createTurn(): Turn {
  let waiting: (() => void)[] = []
  let turns = 0
  let current: number | null = null

  function beginAll(): void {
    const all = waiting
    waiting = []
    current = ++turns
    try {
      for (const begin of all) begin()
    } finally {
      current = null
    }
  }

  return {
    add(begin) {
      if (waiting.push(begin) === 1) setImmediate(beginAll)
    },
    get current() {
      return current
    },
  }
}
