// Stops once, however many ask.

export interface Ending {
  /** Resolves when it has stopped, whoever asked for it. */
  readonly stopped: Promise<void>
  stop(): Promise<void>
}

export function createEnding(close: () => Promise<void>): Ending {
  let stopping: Promise<void> | null = null
  let settle: (result: Promise<void>) => void = () => undefined
  const stopped = new Promise<void>(resolve => {
    settle = resolve
  })
  return {
    stopped,
    stop() {
      stopping ??= close()
      settle(stopping)
      return stopping
    },
  }
}

/** One after the other, each whatever became of the one before; the first failure is reported. */
export async function closeAll(parts: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of parts) await close().catch(error => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
