/** What was found out by a key. Bounded: what was not asked for while as many others came is forgotten. Twice `kept` at most. */
export interface Memory<T> {
  get(key: string): T | undefined
  set(key: string, value: T): void
}

export function createMemory<T>(kept: number): Memory<T> {
  let recent = new Map<string, T>()
  let earlier = new Map<string, T>()

  function set(key: string, value: T): void {
    if (recent.size >= kept) {
      earlier = recent
      recent = new Map()
    }
    recent.set(key, value)
  }

  return {
    get(key) {
      const known = recent.get(key)
      if (known !== undefined) return known
      const before = earlier.get(key)
      if (before !== undefined) set(key, before)
      return before
    },
    set,
  }
}
