// Asks until it is as expected.
import { expect } from 'vitest'

export function eventually<T>(read: () => T | Promise<T>) {
  return expect.poll(read)
}
