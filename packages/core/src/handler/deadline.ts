// The two things that can end a running hook from outside: its time is up, or the caller gave up.

export interface Deadline {
  /** Resolves when one of the two happens; never rejects. */
  readonly over: Promise<'timeout' | 'aborted'>
  /** Starts the time anew and stops listening to the caller: the hook went on in the background. */
  moveTo(limitMs: number): void
  clear(): void
}

export function startDeadline(limitMs: number, signal: AbortSignal | undefined): Deadline {
  let finish: (why: 'timeout' | 'aborted') => void
  const over = new Promise<'timeout' | 'aborted'>(resolve => {
    finish = resolve
  })
  const onAbort = () => finish('aborted')
  const onTimeout = () => finish('timeout')
  let timer = setTimeout(onTimeout, limitMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  if (signal?.aborted) onAbort()
  let isCleared = false
  const clear = () => {
    isCleared = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
  }
  return {
    over,
    clear,
    moveTo(newLimitMs) {
      if (isCleared) return
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      timer = setTimeout(onTimeout, newLimitMs)
    },
  }
}
