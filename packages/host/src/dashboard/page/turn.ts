// Long work of the page is cut into turns: between them the daemon decides what agents wait for.
import { setImmediate as nextTurn } from 'node:timers/promises'

const TURN_MS = 2

/** Call it between pieces of work: it waits for the next turn where this one has lasted long enough. */
export function createTurns(): () => Promise<void> | undefined {
  let begun = performance.now()
  return () => {
    if (performance.now() - begun < TURN_MS) return undefined
    return nextTurn().then(() => {
      begun = performance.now()
    })
  }
}
