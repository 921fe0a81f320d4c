// When calls begin: after all that was read in the same turn, and each in the first turn after it was read.
import { expect, test } from 'vitest'
import { createTurn } from './turn.ts'

const nextTurn = () => new Promise(resolve => setImmediate(resolve))

test('calls of one turn begin together, in their order, and not before the turn is over', async () => {
  const { add } = createTurn()
  const begun: string[] = []
  add(() => begun.push('first'))
  await Promise.resolve()
  add(() => begun.push('second'))
  expect(begun).toEqual([])
  await nextTurn()
  expect(begun).toEqual(['first', 'second'])
})

test('a call that is added while others begin is one of the next turn', async () => {
  const turn = createTurn()
  const begun: (readonly [string, number | null])[] = []
  const note = (name: string) => begun.push([name, turn.current])
  turn.add(() => {
    note('first')
    turn.add(() => note('later'))
    void Promise.resolve().then(() => note('after a wait'))
  })
  turn.add(() => note('second'))
  await nextTurn()
  await nextTurn()
  expect(begun).toEqual([
    ['first', 1],
    ['second', 1],
    ['after a wait', null],
    ['later', 2],
  ])
})
