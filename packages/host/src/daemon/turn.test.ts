// When calls begin: after all that was read in the same turn, and each in the first turn after it was read.
import { expect, test } from 'vitest'
import { createTurn } from './turn.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('calls of one turn begin together, in their order, and not before the turn is over', async () => {
  const turn = createTurn(() => 0)
  const begun: string[] = []
  turn.add({ begin: () => begun.push('first'), send: () => begun.push('first sent') })
  await Promise.resolve()
  turn.add({ begin: () => begun.push('second'), send: () => begun.push('second sent') })
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['first', 'second', 'first sent', 'second sent'])
})

test('an answer waits for others no longer than a millisecond', async () => {
  let now = 0
  const turn = createTurn(() => now)
  const seen: string[] = []
  for (const [name, tookMs] of [
    ['a', 0.4],
    ['b', 0.4],
    ['c', 50],
    ['d', 0.4],
  ] as const) {
    const begin = () => {
      seen.push(name)
      now += tookMs
    }
    turn.add({ begin, send: () => seen.push(`${name} sent`) })
  }
  await nextTurn()
  expect(seen).toEqual(['a', 'b', 'c', 'a sent', 'b sent', 'c sent', 'd', 'd sent'])
})

test('a call that is added while others begin is one of the next turn', async () => {
  const turn = createTurn(() => 0)
  const begun: (readonly [string, number | null])[] = []
  const note = (name: string) => begun.push([name, turn.current])
  turn.add({
    begin() {
      note('first')
      turn.add({ begin: () => note('later') })
      void Promise.resolve().then(() => note('after a wait'))
    },
  })
  turn.add({ begin: () => note('second') })
  await nextTurn()
  await nextTurn()
  expect(begun).toEqual([
    ['first', 1],
    ['second', 1],
    ['after a wait', null],
    ['later', 2],
  ])
})
