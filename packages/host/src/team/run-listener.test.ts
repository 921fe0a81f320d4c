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
    hear: () => {
      heard++
      return false
    },
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

test('a hub that brings something with every answer is asked sooner than one that does not', async () => {
  const end = new AbortController()
  const asked = { new: 0, same: 0 }
  const listen = (kind: 'new' | 'same') =>
    runListener({
      ask: async () => {
        asked[kind]++
        await sleep(1)
        return { status: 200, body: {}, sentBytes: 0 }
      },
      question: () => ({}),
      hear: () => kind === 'new',
      note: () => undefined,
      signal: end.signal,
    })
  const listening = [listen('new'), listen('same')]
  await expect.poll(() => asked.new).toBeGreaterThan(25)
  end.abort()
  await Promise.all(listening)
  expect(asked.same).toBeLessThan(asked.new / 2)
})
