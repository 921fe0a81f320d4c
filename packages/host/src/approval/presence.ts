// Whether somebody who could decide is looking: a watching terminal, an open dashboard, a webhook. Only then is an agent held.

export interface Presence {
  /** Somebody looks until the undo is called. */
  arrive(): () => void
  isReachable(): boolean
}

/** A watcher asks again and again; the moment between two questions is no absence. */
const GRACE_MS = 3000

export function createPresence(hasWebhook: () => boolean, now: () => number): Presence {
  let present = 0
  let leftAt = Number.NEGATIVE_INFINITY
  return {
    arrive() {
      present++
      let isHere = true
      return () => {
        if (!isHere) return
        isHere = false
        present--
        leftAt = now()
      }
    },
    isReachable: () => hasWebhook() || present > 0 || now() - leftAt < GRACE_MS,
  }
}
