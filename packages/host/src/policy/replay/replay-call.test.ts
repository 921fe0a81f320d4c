// Which differences are the policy's, and which are not.
import type { Entry } from '@belay/core/ledger'
import { JUDGE_VERSION, parseGenesis } from '@belay/core/policy'
import { expect, test } from 'vitest'
import { IMAGINED_ROOT, imaginedGuard } from '../imagined-guard.ts'
import { createReplayCall } from './replay-call.ts'

const guardOf = (deny: string) => {
  const parsed = parseGenesis(`version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: [${deny}]}}}\n`, 'x.key')
  if (!parsed.ok) throw new Error('the policy does not parse')
  return imaginedGuard([parsed.policy])
}

const open = guardOf('')
const closed = guardOf('"Bash(make *)", "Read(secret/**)"')

function entryOf(policy: string | null, body: object): { readonly entry: Entry; readonly body: Readonly<Record<string, unknown>> } {
  const whole = {
    root: IMAGINED_ROOT,
    cwd: IMAGINED_ROOT,
    agent: 'claude-code',
    tool: 'Bash',
    input: { command: 'make' },
    hooks: [],
    verdict: 'none',
    ...body,
  }
  const entry = {
    seq: 1,
    id: 'x',
    time: '',
    actor: 'agent:a',
    session: null,
    kind: 'pre_tool_use',
    policy,
    body: '',
    bodyHash: '',
    prev: '',
    hash: '',
  }
  return { entry: entry as Entry, body: whole }
}

const replay = createReplayCall()
const run = (policy: string | null, body: object, current = open) => {
  const made = entryOf(policy, body)
  return replay(made.entry, made.body, { draft: closed, current, against: 'recorded' })
}

test.each([
  [
    'recorded by this judge under another policy',
    open.policyHash,
    { judge: JUDGE_VERSION },
    { kind: 'changed', by: 'policy', before: 'none', after: 'deny' },
  ],
  [
    'recorded by this judge under this very policy: the disk',
    closed.policyHash,
    { judge: JUDGE_VERSION },
    { kind: 'changed', by: 'files' },
  ],
  [
    'recorded by another judge, the policy is known: the text',
    open.policyHash,
    { judge: '0.0.1' },
    { kind: 'changed', by: 'policy', before: 'none' },
  ],
  ['recorded by another judge, the policy is gone', 'f'.repeat(64), { judge: '0.0.1' }, { kind: 'changed', by: 'judge' }],
  ['recorded before judges had versions', 'f'.repeat(64), {}, { kind: 'changed', by: 'judge' }],
  ['the same', open.policyHash, { verdict: 'deny' }, { kind: 'same', decision: 'deny' }],
  [
    'a person was asked and allowed it',
    open.policyHash,
    { judge: JUDGE_VERSION, verdict: 'allow', timing: { approvalMs: 5 } },
    { before: 'ask', after: 'deny' },
  ],
  [
    'the part that decided says more than the verdict',
    open.policyHash,
    { judge: JUDGE_VERSION, verdict: 'allow', decidedBy: 0, parts: [{ decision: 'deny' }] },
    { kind: 'same' },
  ],
  ['a hook decided', open.policyHash, { hooks: [{ hook: 'x', handler: 'command', verdict: 'deny' }] }, { kind: 'unjudged', why: 'hook' }],
  [
    'the hook that asks the rules',
    open.policyHash,
    { verdict: 'deny', hooks: [{ hook: 'genesis_enforcement', handler: 'builtin', verdict: 'deny' }] },
    { kind: 'same' },
  ],
  ['deciding was off', open.policyHash, { paused: true }, { kind: 'unjudged', why: 'paused' }],
  ['a word is gone', open.policyHash, { input: { command: 'make [redacted:token:01234567]' } }, { kind: 'unjudged', why: 'redacted' }],
  [
    'content is gone, which nobody judges',
    open.policyHash,
    { tool: 'Write', input: { file_path: 'a', content: '[redacted:token:01234567]' } },
    { kind: 'same' },
  ],
  ['the command was trimmed', open.policyHash, { input: { command: '(trimmed)' } }, { kind: 'unjudged', why: 'trimmed' }],
  ['the input was trimmed', open.policyHash, { input: '(trimmed)' }, { kind: 'unjudged', why: 'trimmed' }],
  ['no call', open.policyHash, { tool: undefined }, { kind: 'other' }],
  [
    'a path that led elsewhere',
    open.policyHash,
    {
      judge: JUDGE_VERSION,
      tool: 'Read',
      input: { file_path: 'secret/a' },
      parts: [{ path: { lexical: '/repo/secret/a', real: '/repo/b' } }],
    },
    { by: 'files' },
  ],
] as const)('%s', (_title, policy, body, expected) => {
  expect(run(policy, body)).toMatchObject(expected)
})

test('another name of the caller that must not is told', () => {
  const parsed = parseGenesis('version: "2.0"\npermissions: {default: allow, actors: {agent:b: {deny: ["Bash(make *)"]}}}\n', 'x.key')
  const draft = imaginedGuard(parsed.ok ? [parsed.policy] : [])
  const decide = (body: object) => {
    const made = entryOf(open.policyHash, { judge: JUDGE_VERSION, verdict: 'allow', ...body })
    return replay(made.entry, made.body, { draft, current: open, against: 'recorded' })
  }
  expect([decide({}), decide({ alsoAs: ['agent:b'] })]).toMatchObject([{ kind: 'same' }, { kind: 'changed', after: 'deny' }])
})

test('a value that is hardly ever read has its say where a rule reads it', () => {
  const text = (rules: string) =>
    `version: "2.0"\npermissions: {default: none, actors: {"agent:*": {${rules}}, "agent:b": {deny: [Task]}}}\n`
  const guard = (rules: string) => {
    const parsed = parseGenesis(text(rules), 'x.key')
    if (!parsed.ok) throw new Error('the policy does not parse')
    return imaginedGuard([parsed.policy])
  }
  const [plain, reading] = [guard('deny: ["Read(x)"]'), guard('deny: ["Task(description:*secret*)"]')]
  const decide = (draft: typeof plain, description: string, actor = 'agent:a') => {
    const { entry, body } = entryOf(null, { tool: 'Task', input: { subagent_type: 'x', description } })
    const found = replay({ ...entry, actor }, body, { draft, current: open, against: 'current' })
    return found.kind === 'changed' ? found.after : found.kind
  }
  for (const _twice of [1, 2]) {
    expect([decide(plain, 'a'), decide(plain, 'the secret'), decide(plain, 'a', 'agent:b')]).toEqual(['same', 'same', 'deny'])
    expect([decide(reading, 'a'), decide(reading, 'the secret'), decide(reading, 'a', 'agent:c')]).toEqual(['same', 'deny', 'same'])
  }
})
