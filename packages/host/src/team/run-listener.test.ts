import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runListener } from './run-listener.ts'

test('a hub that answers at once, again and again, is asked a few times a second at most', async () => {
  const end = new AbortController()
  let asked = 0
  let heard = 0
  const listening = runListener({
    ask: async () => {
      asked++
      // As slow as a hub on this machine: one that takes no time at all would leave none to anybody else.
      await sleep(1)
      return { status: 200, body: { bundles: ['not a bundle'] }, sentBytes: 0 }
    },
    question: () => ({}),
    hear: () => heard++,
    note: () => undefined,
    signal: end.signal,
  })
  const began = performance.now()
  await expect.poll(() => asked).toBeGreaterThan(2)
  end.abort()
  await listening
  expect(heard).toBe(asked)
  expect(asked).toBeLessThan(7 + (performance.now() - began) / 500)
})
