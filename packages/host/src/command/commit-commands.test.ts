import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createTestIo } from './fixtures/test-io.ts'
import { runProgram } from './program.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(git push *)"]
      deny:
        - rule: "Bash(rm -rf *)"
          id: no-rm
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY, config: 'person = "ada"\n' })
})
afterAll(() => daemon.stop())

const secrets = new Map<string, Promise<string>>()

/** What a person gave the agent that acts in this role. */
function secretOf(role: string): Promise<string> {
  const secret = secrets.get(role) ?? daemon.bind(`w ${role}`, role)
  secrets.set(role, secret)
  return secret
}

interface Terminal {
  readonly actor?: string
  /** What a person types; absent: there is no terminal. */
  readonly typed?: string
}

async function belay(argv: readonly string[], { actor, typed }: Terminal = {}) {
  const { io, written } = createTestIo({
    env: {
      ...daemon.env,
      NO_COLOR: '1',
      BELAY_NO_AUTOSTART: '1',
      ...(actor === undefined ? {} : { BELAY_AGENT_SECRET: await secretOf(actor) }),
    },
    cwd: daemon.project,
    etc: join(daemon.folder, 'etc'),
    ...(typed === undefined ? {} : { typed }),
  })
  const code = await runProgram(argv, io)
  return { code, ...written }
}

const push = (command = 'git push origin main') =>
  daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-1' })

test('commitments from the command line, by three actors', async () => {
  const made = await belay(['commit', 'mend', 'the', 'parser', '--review', '--tag', 'bug'], { actor: 'agent:architect' })
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^cmt_[0-9a-f]{8} {2}open {2}mend the parser\n$/) })
  const id = made.out.slice(0, 12)
  expect((await belay(['claim', id], { actor: 'agent:executor' })).out).toBe(`${id}  claimed by agent:executor  mend the parser\n`)
  await belay(['evidence', id, 'all', 'green', '--kind', 'test', '--status', 'passed'], { actor: 'agent:executor' })
  await belay(['submit', id], { actor: 'agent:executor' })
  expect(await belay(['approve', id], { actor: 'agent:executor' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot approve it'),
  })
  expect((await belay(['approve', id, 'well done'])).out).toBe(`${id}  closed, approved  mend the parser\n`)
  expect((await belay(['commitments', '--state', 'closed'])).out).toContain(id)
  const shown = JSON.parse((await belay(['commitments', 'show', id, '--json'])).out)
  expect(shown.history.map((entry: { operation: string; actor: string }) => [entry.operation, entry.actor])).toEqual([
    ['commit', 'agent:architect'],
    ['claim', 'agent:executor'],
    ['evidence', 'agent:executor'],
    ['submit', 'agent:executor'],
    ['approve', 'human:ada'],
  ])
})

test('capture, link, annotate, triage, dismiss; export and import', async () => {
  const memory = (await belay(['capture', 'odd', 'timing'])).out.slice(0, 12)
  const id = (await belay(['commit', 'look', '--source', memory])).out.slice(0, 12)
  expect((await belay(['link', memory, id, '--as', 'explains'])).code).toBe(0)
  expect((await belay(['annotate', id, 'only on Mondays'])).code).toBe(0)
  expect((await belay(['triage', id, '--tier', 't9'])).err).toContain('t1, t2 or t3')
  expect((await belay(['triage', id, '--tier', 't3'])).code).toBe(0)
  expect(await belay(['dismiss', id])).toMatchObject({ code: 2, err: expect.stringContaining('needs a reason') })
  expect(await belay(['commitments', '--state', 'done'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--state done: give open, claimed, in_review, closed'),
  })
  expect((await belay(['dismiss', id, 'gone', 'by', 'itself'])).out).toContain('closed, dismissed')
  const exported = await belay(['commitments', 'export'])
  expect(exported.out.split('\n').filter(line => line.includes(memory)).length).toBeGreaterThan(1)
  const file = join(daemon.folder, 'old.jsonl')
  writeFileSync(
    file,
    '{"id":"cmt_deadbeef","op":"commit","ts":"2025-01-01T00:00:00Z","actor":"bob","workspace":"w","payload":{"body":"old"}}\n',
  )
  expect((await belay(['commitments', 'import', file])).out).toContain('1 operations imported')
  expect((await belay(['commitments'])).out).toMatch(/cmt_deadbeef {2}open .*old/)
})

test('approvals: listed, allowed by a person at a terminal, not without one', async () => {
  const id = /apr_\w+/.exec((await push()).reason ?? '')?.[0] ?? ''
  expect((await belay(['approvals'])).out).toContain('Bash: git push origin main')
  expect(await belay(['approvals', 'allow', id])).toMatchObject({ code: 1, err: expect.stringContaining('run this in a terminal') })
  expect(await belay(['approvals', 'allow', id], { typed: 'nope' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('nothing was decided'),
  })
  expect(await belay(['approvals', 'allow', id], { typed: id.slice(-4) })).toMatchObject({ code: 0, out: `${id}  allowed by human:ada\n` })
  expect((await push()).decision).toBe('allow')
  expect((await belay(['approvals', '--all'])).out).toContain('allowed by human:ada, used')
  expect((await belay(['approvals', 'deny', 'apr_00000000'], { typed: '0000' })).err).toContain('there is no request apr_00000000')
})

test('why: the last denial, a call, an entry, nothing', async () => {
  const command = 'cd /tmp && rm -rf  build'
  await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: 'call-9' })
  const last = JSON.parse((await belay(['why', '--json'])).out)
  expect(last).toMatchObject({
    decision: 'deny',
    tool: 'Bash',
    input: { command },
    rule: { id: 'no-rm', effect: 'deny', place: expect.stringMatching(/genesis\.key:8$/) },
    unit: { source: expect.stringContaining('rm -rf'), normal: 'rm -rf build' },
    answer: { stdout: expect.stringContaining('Tool denied') },
  })
  const text = await belay(['why', 'call-9'])
  expect(text.out).toMatch(/^deny {2}Bash cd \/tmp && rm -rf {2}build\n/)
  expect(text.out).toMatch(/rule +no-rm: deny Bash\(rm -rf \*\) {2}.*genesis\.key:8\n/)
  // What stands under `why` is not said again.
  expect(text.out).toMatch(/told +Tool denied: \(as above\) Belay decided this for /)
  expect(text.out).toMatch(/when +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(entry \d+\)\n/)
  expect((await belay(['why', String(last.seq)])).out).toBe(text.out)
  expect(await belay(['why', 'nonsense'])).toMatchObject({ code: 1, err: expect.stringContaining('there is no decision nonsense') })
})
