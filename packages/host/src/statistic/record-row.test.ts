import { describe, expect, test } from 'vitest'
import { describeRecord, explainCommand } from '../dashboard/page/describe-record.ts'
import { publishedRow } from '../dashboard/page/published-row.ts'
import type { Fields } from './read-fields.ts'
import { rowOf } from './record-row.ts'

const SOURCE = { seq: 7, id: 'abc', time: '2026-01-01T00:00:00.000Z', actor: 'agent:executor', session: 's1', kind: 'pre_tool_use' }
const CALL = { event: 'PreToolUse', agent: 'codex', agentId: 'codex:s1', root: '/srv/api', tool: 'Bash', verdict: 'none' }

const sentenceOf = (body: Fields, kind = SOURCE.kind) => describeRecord(rowOf({ ...SOURCE, kind }, body), body)

test('one line of a decision', () => {
  const body = {
    ...CALL,
    input: { command: 'git push' },
    verdict: 'deny',
    reason: 'no',
    rule: { id: 'no-push', effect: 'deny', text: 'Bash(git push *)', place: '/srv/api/.belay/genesis.key:41' },
    hooks: [{ hook: 'a', outcome: 'non_blocking_error', error: 'boom' }],
    rewrites: [{ target: 'input', after: {} }],
    commitment: 'cmt_1',
    tookMs: 1.5,
  }
  expect(rowOf(SOURCE, body)).toEqual({
    ...SOURCE,
    agent: 'codex',
    agentId: 'codex:s1',
    project: '/srv/api',
    event: 'PreToolUse',
    tool: 'Bash',
    summary: 'git push',
    verdict: 'deny',
    isRewritten: true,
    hasFailedHook: true,
    rule: 'no-push',
    by: 'Bash(git push *)',
    place: 'genesis.key:41',
    reason: 'no',
    commitment: 'cmt_1',
    tookMs: 1.5,
    callId: null,
    approval: null,
  })
  expect(sentenceOf(body)).toBe('agent:executor wanted to run git push in api: denied by rule Bash(git push *), genesis.key:41')
})

test('evidence that somebody gave is summed up by what it says', () => {
  const item = { kind: 'test', status: 'passed', url: null, log: null, summary: '12 tests' }
  expect(rowOf({ ...SOURCE, kind: 'evidence' }, { commitment: 'cmt_1', item }).summary).toBe('12 tests')
})

describe('sentences', () => {
  test.each<[string, Fields, string]>([
    [
      'agent:executor wanted to read src/a.ts in api: nothing was decided, the agent went on by its own rules',
      { ...CALL, tool: 'Read', input: { file_path: 'src/a.ts' } },
      'pre_tool_use',
    ],
    [
      'agent:executor wanted to run ls in api: allowed by rule Bash(ls *), genesis.key:3',
      { ...CALL, verdict: 'allow', input: { command: 'ls' }, rule: { id: 'allow-3-4', text: 'Bash(ls *)', place: '/x/genesis.key:3' } },
      'pre_tool_use',
    ],
    [
      'agent:executor wanted to run ls in api: denied by hook gate, hooks.toml:2',
      { ...CALL, verdict: 'deny', input: { command: 'ls' }, hooks: [{ hook: 'gate', verdict: 'deny', place: '/x/hooks.toml:2' }] },
      'pre_tool_use',
    ],
    [
      'agent:executor wanted to use mcp__db__query on select 1 in api: a person is needed: no rule covers it',
      { ...CALL, tool: 'mcp__db__query', verdict: 'ask', reason: 'no rule covers it', input: { query: 'select 1' } },
      'pre_tool_use',
    ],
    [
      'agent:executor wanted to run ls in api: deciding was switched off',
      { ...CALL, paused: true, input: { command: 'ls' } },
      'pre_tool_use',
    ],
    ['agent:executor ran ls in api', { ...CALL, event: 'PostToolUse', input: { command: 'ls' } }, 'post_tool_use'],
    ['agent:executor could not run ls in api', { ...CALL, event: 'PostToolUseFailure', input: { command: 'ls' } }, 'post_tool_use_failure'],
    [
      'agent:executor reached UserPromptSubmit: hello there',
      { event: 'UserPromptSubmit', verdict: 'none', fields: { prompt: 'hello\n there' } },
      'user_prompt_submit',
    ],
    ['agent:executor waits for a person: apr_1 (Bash)', { approval: 'apr_1', state: 'pending', tool: 'Bash' }, 'approval_requested'],
    ['human:ada denied apr_1 (Bash)', { approval: 'apr_1', state: 'denied', tool: 'Bash', decidedBy: 'human:ada' }, 'approval_decided'],
    ['agent:executor recorded claim of cmt_1', { commitment: 'cmt_1' }, 'claim'],
    ['agent:executor recorded policy change: /x/genesis.key', { file: '/x/genesis.key' }, 'policy_change'],
  ])('%s', (sentence, body, kind) => {
    expect(sentenceOf(body, kind)).toBe(sentence)
  })
})

test.each<[string, Fields, string]>([
  ['approval_requested', { state: 'pending' }, 'ask'],
  ['approval_decided', { state: 'allowed' }, 'allow'],
  ['approval_expired', { state: 'expired' }, 'none'],
  ['evidence', { verdict: 7 }, 'none'],
])('the verdict of %s %j is %s', (kind, body, verdict) => {
  expect(rowOf({ ...SOURCE, kind }, body).verdict).toBe(verdict)
})

test.each<[string, Fields]>([
  ['(command, 9000 bytes)', { input: { command: { $blob: 'ab', bytes: 9000 } } }],
  ['12 tests', { item: { kind: 'test', status: 'passed', summary: '12 tests' } }],
  ['{"x":1}', { input: { x: 1 } }],
  ['', { input: {} }],
  ['', { input: 'text' }],
  ['', {}],
])('the summary %j', (summary, body) => {
  expect(rowOf(SOURCE, body).summary).toBe(summary)
})

test('a long summary is cut', () => {
  const { summary } = rowOf(SOURCE, { input: { command: 'x'.repeat(5000) } })
  expect([summary.length, summary.at(-1)]).toEqual([300, '…'])
})

test.each([
  [{ command: "echo 'a b' $HOME" }, 'Bash', `belay explain --actor agent:executor -- 'echo '\\''a b'\\'' $HOME'`],
  [{ file_path: 'a b' }, 'Write', `belay hooks simulate --actor agent:executor --tool Write --input '{"file_path":"a b"}'`],
])('%j of %s for a terminal', (input, tool, expected) => {
  expect(explainCommand({ actor: 'agent:executor', tool }, input)).toBe(expected)
})

test('what the feed carries becomes a row; anything else does not', () => {
  const entry = { ...SOURCE, hash: 'h', policy: null, body: { ...CALL, input: { command: 'ls' } } }
  expect(publishedRow({ text: '', toJSON: () => entry })).toMatchObject({ seq: 7, summary: 'ls', agent: 'codex' })
  for (const data of [null, 7, 'text', {}, { seq: 1 }, { toJSON: () => null }]) expect(publishedRow(data)).toBe(null)
})
