// When agents are looked for: before the first answer of a session, once for all who wait, and again by and by.
import { expect, test } from 'vitest'
import { createAgentMarks } from './agent-mark.ts'

/** Each look ends when its turn in `ends` is called. */
function scene() {
  const ends: (() => void)[] = []
  let time = 0
  const marks = createAgentMarks({ now: () => time, markAll: () => new Promise(resolve => ends.push(resolve)) })
  return {
    marks,
    ends,
    wait: (ms: number) => {
      time += ms
    },
  }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

test('the first call of a session waits, and so does the second while the first still does', async () => {
  const { marks, ends } = scene()
  const done: string[] = []
  const first = marks.beforeCall('a', false)?.then(() => done.push('first'))
  const second = marks.beforeCall('a', false)?.then(() => done.push('second'))
  await settle()
  expect([ends.length, done]).toEqual([1, []])
  ends[0]?.()
  await Promise.all([first, second])
  expect(done).toEqual(['first', 'second'])
  expect(marks.beforeCall('a', false)).toBeNull()
})

test('whoever comes during a look waits for one that begins later, and all of them share it', async () => {
  const { marks, ends } = scene()
  void marks.beforeCall('a', false)
  await settle()
  const others = ['b', 'c', 'd'].map(session => marks.beforeCall(session, false))
  ends[0]?.()
  await settle()
  expect(ends.length).toBe(2)
  ends[1]?.()
  await Promise.all(others)
})

test('a session that starts again is looked at again', async () => {
  const { marks, ends } = scene()
  const first = marks.beforeCall('a', true)
  await settle()
  ends[0]?.()
  await first
  expect(marks.beforeCall('a', true)).not.toBeNull()
  await settle()
  expect(ends.length).toBe(2)
})

test('a session that goes on is looked at again by and by: another process may have taken it up', async () => {
  const { marks, ends, wait } = scene()
  const first = marks.beforeCall('a', false)
  await settle()
  ends[0]?.()
  await first
  wait(60_000)
  expect(marks.beforeCall('a', false)).not.toBeNull()
  await settle()
  ends[1]?.()
  await settle()
  expect([ends.length, marks.beforeCall('a', false)]).toEqual([2, null])
})

test('a look that fails holds nobody up', async () => {
  const marks = createAgentMarks({ now: () => 0, markAll: () => Promise.reject(new Error('no /proc')) })
  await marks.beforeCall('a', false)
  expect(marks.beforeCall('a', false)).toBeNull()
})
