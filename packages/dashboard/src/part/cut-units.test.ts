import { expect, test } from 'vitest'
import type { RecordPart } from '#page/record.ts'
import { cutUnits } from './cut-units.ts'

function part(start: number | null, end: number | null, rule: string): RecordPart {
  const nothing = { what: 'unit', source: '', normal: '', reason: '', lexicalPath: null, realPath: null }
  return { ...nothing, decision: 'allow', rule, start, end }
}

function cut(command: string, parts: readonly RecordPart[]) {
  return cutUnits(command, parts).map(({ text, part: found }) => [text, found?.rule ?? null])
}

test('what is between the units belongs to none', () => {
  expect(cut('ls && rm x', [part(0, 2, 'a'), part(6, 10, 'b')])).toEqual([
    ['ls', 'a'],
    [' && ', null],
    ['rm x', 'b'],
  ])
})

test('the innermost of nested units has the say', () => {
  expect(cut('echo $(id) x', [part(0, 12, 'outer'), part(7, 9, 'inner')])).toEqual([
    ['echo $(', 'outer'],
    ['id', 'inner'],
    [') x', 'outer'],
  ])
})

test('places outside the command and parts without a place are left out', () => {
  expect(cut('ls', [part(0, 99, 'a'), part(null, null, 'b'), part(2, 1, 'c')])).toEqual([['ls', null]])
})

test('the pieces are the command', () => {
  const command = 'a | b $(c `d`) ; e'
  const pieces = cutUnits(command, [part(0, 1, 'a'), part(4, 14, 'b'), part(8, 13, 'c'), part(11, 12, 'd'), part(17, 18, 'e')])
  expect(pieces.map(({ text }) => text).join('')).toBe(command)
})
