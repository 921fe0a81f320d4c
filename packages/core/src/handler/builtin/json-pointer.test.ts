import { describe, expect, it } from 'vitest'
import { getAt, parsePointer, removeAt, setAt } from './json-pointer.ts'

// The document and results of RFC 6901, section 5.
const RFC = { foo: ['bar', 'baz'], '': 0, 'a/b': 1, 'c%d': 2, 'e^f': 3, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7, 'm~n': 8 }

describe('reading', () => {
  it.each<[string, unknown]>([
    ['', RFC],
    ['/foo', ['bar', 'baz']],
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/absent', undefined],
    ['/foo/2', undefined],
    ['/foo/01', undefined],
    ['/foo/-', undefined],
    ['/foo/length', undefined],
    ['/toString', undefined],
    ['/foo/0/0', undefined],
  ])('%j', (text, value) => {
    expect(getAt(RFC, parsePointer(text) ?? ['no pointer'])).toEqual(value)
  })

  it.each(['foo', '/a~2', '/a~', ' /a'])('%j is no pointer', text => {
    expect(parsePointer(text)).toBeNull()
  })
})

describe('writing', () => {
  it.each<[unknown, string, unknown]>([
    [{}, '/a', { a: 1 }],
    [{}, '/a/b/c', { a: { b: { c: 1 } } }],
    [{ a: [0, 2] }, '/a/1', { a: [0, 1] }],
    [{ a: [0] }, '/a/1', { a: [0, 1] }],
    [{ a: [0] }, '/a/-', { a: [0, 1] }],
    [{ a: 2, b: 3 }, '/a', { a: 1, b: 3 }],
    ['x', '', 1],
  ])('set 1 in %j at %j', (document, text, expected) => {
    const before = structuredClone(document)
    expect(setAt(document, parsePointer(text) ?? [], 1)?.document).toEqual(expected)
    expect(document).toEqual(before)
  })

  it.each<[unknown, string]>([
    [{ a: 'text' }, '/a/b'],
    [{ a: null }, '/a/b'],
    [{ a: [0] }, '/a/2'],
    [{ a: [0] }, '/a/x'],
  ])('no way in %j to %j', (document, text) => {
    expect(setAt(document, parsePointer(text) ?? [], 1)).toBeNull()
  })

  it.each<[unknown, string, unknown]>([
    [{ a: 1, b: 2 }, '/a', { b: 2 }],
    [{ a: [0, 1, 2] }, '/a/1', { a: [0, 2] }],
    [{ a: [{ x: 1, y: 2 }] }, '/a/0/x', { a: [{ y: 2 }] }],
    [{ a: 1 }, '/b', { a: 1 }],
    [{ a: 1 }, '/a/b/c', { a: 1 }],
  ])('remove from %j at %j', (document, text, expected) => {
    expect(removeAt(document, parsePointer(text) ?? [])).toEqual(expected)
  })
})
