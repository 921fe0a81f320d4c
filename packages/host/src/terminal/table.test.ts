import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { CommandIo } from './io.ts'
import { columns, hang, renderTable } from './table.ts'

function terminal(width: number | undefined): CommandIo {
  const nowhere = { write: () => true }
  return {
    stdin: Readable.from([]),
    stdout: nowhere,
    stderr: nowhere,
    env: {},
    cwd: '/',
    isTty: width !== undefined,
    columns: width,
    etc: '/',
  }
}

const HEAD = ['agent', 'role', 'status', 'last event', 'why']
const ROWS = [
  ['claude-code:4f1d7a52-0c1c-4f0e-9f2f-9d8d3c1a2b3c', 'architect', 'attention', '2026-11-18T01:32:26.176Z', 'waits for you'],
  ['lint', null, 'working', '2026-11-18T01:32:26.176Z', null],
]

test('where there is room, or no terminal, a table is a table', () => {
  const whole = renderTable(terminal(undefined), HEAD, ROWS, 'none')
  expect(whole.split('\n')).toEqual([
    'agent                                             role       status     last event                why',
    'claude-code:4f1d7a52-0c1c-4f0e-9f2f-9d8d3c1a2b3c  architect  attention  2026-11-18T01:32:26.176Z  waits for you',
    'lint                                              -          working    2026-11-18T01:32:26.176Z  -',
  ])
  expect(renderTable(terminal(200), HEAD, ROWS, 'none')).toBe(whole)
})

test('else each row is a block that leaves out what it has not', () => {
  expect(renderTable(terminal(60), HEAD, ROWS, 'none').split('\n')).toEqual([
    'claude-code:4f1d7a52-0c1c-4f0e-9f2f-9d8d3c1a2b3c',
    '  role        architect',
    '  status      attention',
    '  last event  2026-11-18T01:32:26.176Z',
    '  why         waits for you',
    '',
    'lint',
    '  status      working',
    '  last event  2026-11-18T01:32:26.176Z',
  ])
})

describe.each([40, 60, 80])('at %d columns', width => {
  test('no line is longer, and nothing is lost', () => {
    const text = renderTable(terminal(width), HEAD, ROWS, 'none')
    expect(text.split('\n').filter(line => line.length > width)).toEqual([])
    const joined = text.replaceAll(/\s+/g, '')
    for (const cell of ROWS.flat()) if (cell !== null) expect(joined).toContain(cell.replaceAll(' ', ''))
  })

  test('the last cell goes below the others', () => {
    const rows = [['FAIL', 'claude-code', 'live call', `the configured line ends with 1 and leaves no record ${'x'.repeat(50)}`]]
    const lines = columns(terminal(width), rows).split('\n')
    expect(lines[0]).toBe('FAIL  claude-code  live call')
    expect(lines.filter(line => line.length > width)).toEqual([])
  })
})

test.each([
  [undefined, ['  why  a rule forbids removing files here']],
  [60, ['  why  a rule forbids removing files here']],
  [30, ['  why', '    a rule forbids removing', '    files here']],
  [52, ['  who  agent:claude-code in claude-code, and so on,', '       and on']],
])('a named line on a terminal of %s columns', (width, lines) => {
  const text = width === 52 ? 'agent:claude-code in claude-code, and so on, and on' : 'a rule forbids removing files here'
  expect(hang(terminal(width), width === 52 ? '  who  ' : '  why  ', text).split('\n')).toEqual(lines)
})

test('where one row has no room, no row has columns', () => {
  const rows = [
    ['ok', '', 'socket', '/run'],
    ['FAIL', 'claude-code', 'live call', 'the configured line ends with 1 and leaves no record'],
  ]
  expect(columns(terminal(40), rows).split('\n').slice(0, 2)).toEqual(['ok  socket  /run', 'FAIL  claude-code  live call'])
})
