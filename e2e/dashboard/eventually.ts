// Asks until it is as expected; a loaded machine may take its time.
import { expect } from 'vitest'

export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read, { timeout: 20_000, interval: 50 })
}
