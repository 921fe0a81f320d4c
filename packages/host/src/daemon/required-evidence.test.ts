import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Verdict } from '@belay/core'
import { afterAll, expect, test } from 'vitest'
import { createDecide } from './decide.ts'
import { createPolicyGuards } from './policy-guards.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - { matcher: "Write|Bash(make *)", type: evidence_capture, config: { ledger: true, kind: proof } }
    - { matcher: "Read", type: evidence_capture, config: { kind: not_recorded } }
`

const folder = mkdtempSync(join(tmpdir(), 'belay-required-'))
mkdirSync(join(folder, '.belay'))
writeFileSync(join(folder, '.belay', 'genesis.key'), POLICY)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const guards = createPolicyGuards({
  home: join(folder, 'home'),
  etc: join(folder, 'etc'),
  env: { HOME: folder },
  config: () => ({}),
  hooksOf: () => [],
  stateOf: () => ({}),
  ports: {},
  onBroken: () => undefined,
  now: () => performance.now(),
})

/** A disk that takes nothing. */
const decide = createDecide({
  guards,
  work: { roleOf: () => null, commitmentOf: () => null, before: async () => undefined, after: async () => [] },
  accounts: {
    expectEvidence: (event, guard) => guard.requiresEvidence(event),
    answerAsk: ({ guarded }): Promise<Verdict> => Promise.resolve(guarded.verdict),
  },
  isPaused: () => false,
  record: () => Promise.reject(new Error('no space left on device')),
  onDecision: () => undefined,
  onRecordFailure: () => undefined,
  now: () => performance.now(),
})

const cases: readonly [tool: string, input: object, answer: 'deny' | undefined][] = [
  ['Write', { file_path: 'a', content: '' }, 'deny'],
  ['Bash', { command: 'cd x && make all' }, 'deny'],
  ['Bash', { command: 'ls' }, undefined],
  ['Read', { file_path: 'a' }, undefined],
]

test.each(cases)('the ledger cannot write: %s %j is answered with %s', async (tool, input, expected) => {
  const answer = await decide({
    agent: 'claude-code',
    event: 'PreToolUse',
    payload: { session_id: 's', cwd: folder, tool_name: tool, tool_input: input },
    cwd: folder,
    attended: false,
    env: {},
    agentId: null,
    actor: null,
    commitment: null,
    eventId: null,
    deadlineMs: null,
  })
  const stdout = answer.kind === 'answer' && answer.stdout !== '' ? JSON.parse(answer.stdout) : {}
  expect(stdout.hookSpecificOutput?.permissionDecision).toBe(expected)
  if (expected === 'deny')
    expect(stdout.hookSpecificOutput.permissionDecisionReason).toContain('cannot be written, and the policy requires it')
})
