import type { Entry } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { CSV_HEADER, encodeCsvLine } from './csv-line.ts'

function entry(body: unknown): Entry {
  const same = { id: 'e1', time: '2026-01-31T10:00:00.000Z', actor: 'agent:x', session: 's1', kind: 'pre_tool_use', policy: null }
  return { seq: 7, ...same, body: JSON.stringify(body), bodyHash: 'b', prev: 'p', hash: 'h', salt: null }
}

function row(body: unknown): Readonly<Record<string, string>> {
  const cells = [...encodeCsvLine(entry(body)).matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)]
  const names = CSV_HEADER.split(',')
  expect(cells).toHaveLength(names.length)
  return Object.fromEntries(names.map((name, index) => [name, (cells[index]?.[1] ?? cells[index]?.[2] ?? '').replaceAll('""', '"')]))
}

test('what people sort by has a column', () => {
  const body = {
    agent: 'codex',
    agentId: 'codex:s1',
    event: 'PreToolUse',
    input: { command: 'git push, "now"\nls' },
    reason: 'no',
    request: 'apr_1',
    root: '/p',
    rule: { id: 'r', effect: 'deny', text: 'Bash(git push *)', place: '/p/.belay/genesis.key:7:3' },
    tool: 'Bash',
    tookMs: 1.5,
    verdict: 'deny',
  }
  expect(row(body)).toEqual({
    seq: '7',
    time: '2026-01-31T10:00:00.000Z',
    kind: 'pre_tool_use',
    agent: 'codex',
    agent_id: 'codex:s1',
    actor: 'agent:x',
    session: 's1',
    project: '/p',
    event: 'PreToolUse',
    tool: 'Bash',
    call: 'git push, "now"\nls',
    verdict: 'deny',
    rule: 'Bash(git push *)',
    place: '/p/.belay/genesis.key:7:3',
    reason: 'no',
    request: 'apr_1',
    took_ms: '1.5',
    commitment: '',
    policy: '',
    id: 'e1',
    hash: 'h',
    body: JSON.stringify(body),
  })
})

test.each(['=1+1', '+1', '-x', '@SUM(A1)', '\tx'])('%j is text for a spreadsheet, not a formula', command => {
  expect(row({ input: { command } }).call).toBe(`'${command}`)
})

test.each([null, [], 'text', { rule: 'x', input: 7 }])('a body of %j has empty cells', body => {
  expect(row(body)).toMatchObject({ seq: '7', call: '', rule: '' })
})
