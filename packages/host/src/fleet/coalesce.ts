// Work that many ask for is done once more after the last one asked, and never twice at a time. The work must not throw.

export interface Coalesced {
  ask(): void
  /** Resolves when nothing asked for is left to do. */
  idle(): Promise<void>
}

export function coalesce(work: () => Promise<void>): Coalesced {
  let isAsked = false
  let running: Promise<void> | null = null

  async function run(): Promise<void> {
    while (isAsked) {
      isAsked = false
      await work()
    }
    running = null
  }

  return {
    ask() {
      isAsked = true
      running ??= run()
    },
    idle: () => running ?? Promise.resolve(),
  }
}
