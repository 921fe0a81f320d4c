// Whether the cookie still opens the daemon. Once it does not, only a new link helps: nothing is asked again.

let isEnded = false
const listeners = new Set<() => void>()

export function endSession(): void {
  if (isEnded) return
  isEnded = true
  for (const listener of listeners) listener()
}

export function hasSessionEnded(): boolean {
  return isEnded
}

export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
