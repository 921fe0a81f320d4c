import { expect, test } from 'vitest'
import { hrefOf, readView } from './url.ts'

const HOST = 'http://127.0.0.1:4517'

test.each([
  ['/', false, 'live', null],
  ['/', true, 'approvals', null],
  ['/unknown', false, 'live', null],
  ['/live', true, 'live', null],
  ['/fleet/builder%2F1', false, 'fleet', 'builder/1'],
  ['/ledger/42?event=7', false, 'ledger', '42'],
  ['/fleet/%zz', false, 'fleet', '%zz'],
])('%s (narrow: %s) is %s %s', (path, isNarrow, page, id) => {
  expect(readView(HOST + path, isNarrow)).toMatchObject({ page, id })
})

test('what is no page is known as that', () => {
  expect(readView(`${HOST}/unknown`, false).isUnknown).toBe(true)
  expect([`${HOST}/`, `${HOST}/live`].map(href => readView(href, false).isUnknown)).toEqual([false, false])
})

test('an address made of a view reads as the same view', () => {
  const href = hrefOf('fleet', { id: 'a/b ?&#', params: { text: 'rm -rf & co', event: 7, tool: null, verdict: '' } })
  const { page, id, params } = readView(HOST + href, false)
  expect({ page, id, params: Object.fromEntries(params) }).toEqual({
    page: 'fleet',
    id: 'a/b ?&#',
    params: { text: 'rm -rf & co', event: '7' },
  })
})
