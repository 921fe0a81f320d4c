import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.ts'

test('the oldest entry goes when there is no room', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('c', 3)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 3],
  ])
})

test('a key that is there needs no room', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
})

test('undefined is a key like any other', () => {
  const map = new BoundedMap<string | undefined, number>(1)
  map.set(undefined, 1).set('b', 2)
  expect([...map]).toEqual([['b', 2]])
})
