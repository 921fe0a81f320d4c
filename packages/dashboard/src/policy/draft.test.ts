import { expect, test } from 'vitest'
import { keepDraft, readDraft } from './draft.ts'

function createKeeper(room = Number.POSITIVE_INFINITY) {
  const kept = new Map<string, string>()
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    removeItem: (key: string) => void kept.delete(key),
    setItem(key: string, value: string) {
      if (value.length > room) throw new Error('QuotaExceededError')
      kept.set(key, value)
    },
  }
}

test('a draft is kept per project until it is dropped', () => {
  const keeper = createKeeper()
  const draft = { text: 'version: "2.0"\n', baseHash: 'h' }
  expect(keepDraft(keeper, '/a', draft)).toBe(true)
  expect([readDraft(keeper, '/a'), readDraft(keeper, '/b')]).toEqual([draft, null])
  keepDraft(keeper, '/a', null)
  expect(readDraft(keeper, '/a')).toBe(null)
})

test('a draft of a file that is not there yet has no base', () => {
  const keeper = createKeeper()
  keepDraft(keeper, '/a', { text: 'x', baseHash: null })
  expect(readDraft(keeper, '/a')).toEqual({ text: 'x', baseHash: null })
})

test('a draft that does not fit is said not to be kept', () => {
  expect(keepDraft(createKeeper(3), '/a', { text: 'long', baseHash: null })).toBe(false)
})

test.each(['{', '{"text":1,"baseHash":null}', '{"text":"a","baseHash":2}', '[]'])('%s is no draft', kept => {
  const keeper = createKeeper()
  keeper.setItem('belay.draft /a', kept)
  expect(readDraft(keeper, '/a')).toBe(null)
})
