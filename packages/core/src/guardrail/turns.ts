// Work on the same key happens one after another: what the first finds and writes down, the second finds.

export type TakeTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>

export function createTurns(): TakeTurn {
  const last = new Map<string, Promise<unknown>>()
  return async (key, work) => {
    const earlier = last.get(key)
    const mine = earlier === undefined ? work() : Promise.allSettled([earlier]).then(work)
    last.set(key, mine)
    try {
      return await mine
    } finally {
      if (last.get(key) === mine) last.delete(key)
    }
  }
}
