// What can end a running hook from outside: its time is up, the caller gave up, or a person stopped it.
import type { CancelReason } from '../hook/hook-result.ts'

export interface Ends {
  readonly limitMs: number
  /** The caller. */
  readonly signal?: AbortSignal | undefined
  /** A person. */
  readonly stop?: AbortSignal | undefined
}

export interface Deadline {
  /** Resolves when one of them happens; never rejects. */
  readonly over: Promise<CancelReason>
  /** Starts the time anew and stops listening to the caller: the hook went on in the background. */
  moveTo(limitMs: number): void
  clear(): void
}

export function startDeadline({ limitMs, signal, stop }: Ends): Deadline {
  let finish: (why: CancelReason) => void
  const over = new Promise<CancelReason>(resolve => {
    finish = resolve
  })
  const onAbort = () => finish('aborted')
  const onTimeout = () => finish('timeout')
  const onStop = () => finish('stopped')
  let timer = setTimeout(onTimeout, limitMs)
  signal?.addEventListener('abort', onAbort, { once: true })
  stop?.addEventListener('abort', onStop, { once: true })
  if (signal?.aborted) onAbort()
  if (stop?.aborted) onStop()
  let isCleared = false
  const clear = () => {
    isCleared = true
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    stop?.removeEventListener('abort', onStop)
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
