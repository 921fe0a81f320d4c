// Verbs about entries, through a real daemon with real events.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../daemon/fixtures/run-daemon.ts'
import { spoolEvent } from '../../decision/spool.ts'
import { enterAsPerson, type Person, resultOf } from './fixtures/person.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - {type: modify, name: careful, matcher: "Bash(rm *)", config: {target: input, set: {/command: "rm -i -r build"}}}
    - {type: deny, name: no-web, matcher: WebFetch, config: {reason: "No web here"}}
  post_tool_use:
    - {type: evidence_capture, name: evidence, matcher: Write, config: {kind: edit, ledger: true}}
  user_prompt_submit:
    - {type: command, name: broken, config: {command: "exit 7"}}
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(git *)", "Bash(rm *)", "Bash(echo *)", Read, Write]
      deny: [{rule: "Bash(git push *)", id: no-push}]
`

let daemon: TestDaemon
let person: Person

beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  person = await enterAsPerson(daemon)
})
afterAll(() => daemon.stop())

const call = async (method: string, params: Readonly<Record<string, unknown>> = {}) => resultOf(await daemon.rpc(method, params))
const failure = async (method: string, params: Readonly<Record<string, unknown>> = {}) => {
  const reply = await daemon.rpc(method, params)
  return 'error' in reply ? reply.error : null
}
const bash = (command: string, id: string, frame = {}) =>
  daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: id }, frame)

type Row = Readonly<Record<string, unknown>>

/** The newest row that matches, once it is there: records of plain allows are written a moment after the answer. */
async function find(filter: Readonly<Record<string, unknown>>): Promise<Row> {
  const read = async () => (await call('page.records', { filter, limit: 1 })).rows as readonly Row[]
  await expect.poll(read, { message: JSON.stringify(filter) }).toHaveLength(1)
  const [row] = await read()
  return row ?? {}
}

describe('a denied command', () => {
  test('is one row and opens into all of it', async () => {
    await bash('git status && git push origin main', 'toolu_deny')
    const row = await find({ text: 'toolu_deny' })
    expect(row).toMatchObject({ kind: 'pre_tool_use', tool: 'Bash', verdict: 'deny', rule: 'no-push', agent: 'claude-code' })
    const detail = await call('page.record', { seq: row.seq })
    expect(detail).toMatchObject({
      row,
      sentence: `agent:claude-code wanted to run git status && git push origin main in project: denied by rule Bash(git push *), genesis.key:15`,
      command: 'git status && git push origin main',
      cwd: daemon.project,
      parts: [
        { source: 'git status', start: 0, end: 10, decision: 'allow' },
        { source: 'git push origin main', start: 14, end: 34, decision: 'deny', rule: 'Bash(git push *)' },
      ],
      rule: { id: 'no-push', effect: 'deny', text: 'Bash(git push *)', place: `${join(daemon.project, '.belay/genesis.key')}:15` },
      budgetMs: 50,
      inputBefore: { command: 'git status && git push origin main' },
      inputAfter: null,
      explainCommand: "belay explain --actor agent:claude-code -- 'git status && git push origin main'",
    })
    expect((detail.answer as { stdout: string }).stdout).toContain('permissionDecision')
    const steps = detail.steps as readonly { name: string; kind: string; skipped: string | null; startMs: number; ms: number }[]
    expect(steps.map(step => step.kind)).toEqual(['decode', 'hook', 'hook', 'permissions', 'encode', 'ledger'])
    const measured = steps.filter(step => step.startMs !== null)
    expect(measured.map(step => step.kind)).toEqual(['decode', 'permissions', 'encode'])
    for (const [index, step] of measured.slice(1).entries()) {
      const before = measured[index]
      expect(step.startMs + 0.005).toBeGreaterThanOrEqual((before?.startMs ?? 0) + (before?.ms ?? 0))
    }
    expect(steps.find(step => step.name === 'careful')?.skipped).toBe('its matcher does not fit')
  })

  test('is judged again by the policy of today', async () => {
    await bash('git push', 'toolu_again')
    const { seq } = await find({ text: 'toolu_again' })
    expect(await call('page.rejudge', { seq })).toMatchObject({ before: 'deny', now: 'deny', rule: 'no-push', isRedacted: false })
  })
})

test('a secret that was taken out is said to be missing when judged again', async () => {
  await bash('echo ghp_0123456789abcdefghijABCDEFGHIJ012345', 'toolu_secret')
  const { seq, summary } = await find({ text: 'toolu_secret' })
  expect(summary).toMatch(/^echo \[redacted:/)
  expect(await call('page.rejudge', { seq })).toMatchObject({ now: 'allow', isRedacted: true })
})

test('a rewritten input shows both sides, and what was judged is the one that would run', async () => {
  await bash('rm -r build', 'toolu_rewrite')
  const row = await find({ text: 'toolu_rewrite' })
  expect(row).toMatchObject({ isRewritten: true })
  expect(await call('page.record', { seq: row.seq })).toMatchObject({
    inputBefore: { command: 'rm -r build' },
    inputAfter: { command: 'rm -i -r build' },
    command: 'rm -i -r build',
    parts: [{ source: 'rm -i -r build', start: 0, end: 14 }, { what: 'effect' }],
  })
  expect(await call('page.rejudge', { seq: row.seq })).toMatchObject({
    now: 'allow',
    parts: [{ source: 'rm -i -r build' }, { what: 'effect' }],
  })
})

test('an edit comes with its diff, and with what came before it', async () => {
  const file = join(daemon.project, 'a.txt')
  const edit = { tool_name: 'Write', tool_input: { file_path: file, content: 'two\n' }, tool_use_id: 'toolu_edit' }
  writeFileSync(file, 'one\n')
  await daemon.hook('PreToolUse', edit)
  writeFileSync(file, 'two\n')
  await daemon.hook('PostToolUse', { ...edit, tool_response: { success: true } })
  const evidence = await find({ kind: 'edit' })
  const post = await find({ kind: 'post_tool_use', text: 'toolu_edit' })
  const detail = await call('page.record', { seq: evidence.seq })
  expect(detail.diffs).toMatchObject([{ path: file, text: expect.stringContaining('-one\n+two') }])
  expect((detail.related as readonly Row[]).map(row => row.kind).sort()).toEqual(['post_tool_use', 'pre_tool_use'])
  expect((await call('page.record', { seq: post.seq })).diffs).toEqual(detail.diffs)
})

test('a large input stands whole in the entry', async () => {
  const command = `echo ${'x'.repeat(20_000)}`
  await bash(command, 'toolu_large')
  const row = await find({ text: 'toolu_large' })
  expect(row.summary).toBe(`(command, ${command.length} bytes)`)
  const detail = await call('page.record', { seq: row.seq })
  expect(detail.command).toBe(command)
  expect((detail.row as Row).summary).toMatch(/^echo x+…$/)
})

test.each([
  ['a text as it is', { tool_input: { command: `echo ${'x'.repeat(5000)} "far \n away" one` } }, '"FAR \n away" one'],
  [
    'within JSON',
    { tool_input: { command: 'echo', more: { deep: Array(2000).fill('y'), last: '"far \n away" two' } } },
    '"far \n AWAY" two',
  ],
])('text in a large value is found: %s', async (id, input, text) => {
  await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_use_id: id, ...input })
  expect(await find({ text })).toEqual(await find({ text: id }))
  expect(await call('page.records', { filter: { text: `${text} not` } })).toMatchObject({ rows: [] })
})

test('a request for approval is tied to its call', async () => {
  const asked = await bash('npm publish', 'toolu_ask', { attended: false })
  expect(asked.decision).toBe('deny')
  const row = await find({ kind: 'pre_tool_use', text: 'toolu_ask' })
  const { related } = await call('page.record', { seq: row.seq })
  expect(related).toMatchObject([{ kind: 'approval_requested', verdict: 'ask' }])
  const { requests } = await call('approvals.list')
  const [request] = requests as readonly Row[]
  expect(await call('page.approval', { id: request?.id })).toMatchObject({
    request: { id: request?.id, tool: 'Bash' },
    tried: { verdict: 'ask', command: 'npm publish', parts: [{ decision: 'ask', source: 'npm publish' }] },
    suggested: 'Bash(npm publish *)',
  })
  expect((await call('page.approval', { id: request?.id })).request).not.toHaveProperty('inputHash')
})

test('a text is found as it was written, quotes and line breaks included', async () => {
  await bash('git push "my \\ branch"\n# now', 'toolu_quotes')
  expect(await find({ text: 'push "my \\ branch"\n# NOW' })).toMatchObject({ summary: 'git push "my \\ branch"\n# now' })
})

test('the stream carries every entry as a row, with the ids of the feed, and resumes', async () => {
  const events = await person.follow('v1/events?types=row', 2, async () => {
    await bash('git push one', 'toolu_row_1')
    await bash('git push two', 'toolu_row_2')
  })
  expect(events.map(({ type, data }) => [type, data.summary, data.verdict])).toEqual([
    ['row', 'git push one', 'deny'],
    ['row', 'git push two', 'deny'],
  ])
  const again = await person.follow(`v1/events?types=row&since=${events[0]?.id}`, 1, async () => undefined)
  expect(again).toEqual([events[1]])
})

test('what happened while nobody watched comes too, whole, without its secrets, and before what follows', async () => {
  const token = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`
  const { lastEventId } = await call('page.frame')
  await bash(`echo ${token}`, 'toolu_unwatched')
  const { seq } = await find({ text: 'toolu_unwatched' })
  const events = await person.follow(`v1/events?types=row,decision&since=${lastEventId}`, 4, () => bash('echo after', 'toolu_watched'))
  expect(events.map(({ id, type }) => [id, type])).toEqual([
    [Number(lastEventId) + 1, 'decision'],
    [Number(lastEventId) + 1, 'row'],
    [Number(lastEventId) + 2, 'decision'],
    [Number(lastEventId) + 2, 'row'],
  ])
  expect(events[0]?.data).toMatchObject({ seq, kind: 'pre_tool_use', body: { toolUseId: 'toolu_unwatched', tool: 'Bash' } })
  expect(events[1]?.data).toMatchObject({ seq, verdict: 'allow' })
  expect(events[2]?.data).toMatchObject({ body: { toolUseId: 'toolu_watched' } })
  expect(JSON.stringify(events)).not.toContain(token)
})

test('entries that are no decisions are rows too', async () => {
  const human = expect.stringMatching(/^human:/)
  const [check, made] = await person.follow('v1/events?types=row', 2, async () => {
    await daemon.rpc('commitments.commit', { text: 'ship it', cwd: daemon.project })
  })
  expect(check?.data).toMatchObject({ kind: 'person_check', actor: human, summary: expect.stringMatching(/^commit as human:/) })
  expect(made?.data).toMatchObject({ kind: 'commit', actor: human, summary: 'ship it', verdict: 'none' })
  const { commitments } = await call('commitments.list', { all: true })
  const [commitment] = commitments as readonly Row[]
  expect(await call('page.commitment', { id: commitment?.id })).toMatchObject({ commitment, timeline: [made?.data] })
})

test('verification runs beside everything else and tells how it went', async () => {
  const events = await person.follow('v1/events?types=verification', 2, () => person.call('page.verify', { start: true }))
  expect(events[0]?.data).toMatchObject({ state: 'running' })
  const done = events.at(-1)?.data
  expect(['running', 'done']).toContain(done?.state)
  await expect.poll(async () => (await call('page.verify')).state).not.toBe('running')
  expect(await call('page.verify')).toMatchObject({ state: 'done', why: null, report: { ok: true, firstBad: null, faults: [] } })
})

test('a proof is the one that anybody can check', async () => {
  await call('ledger.checkpoint')
  const { proof } = await call('page.proof', { seq: 1 })
  const folder = join(daemon.folder, 'proof')
  mkdirSync(folder)
  const file = join(folder, 'proof.json')
  writeFileSync(file, JSON.stringify(proof))
  const key = (proof as { keys: readonly string[] }).keys[0] ?? ''
  const script = fileURLToPath(new URL('../../../../../docs/verify-proof.mjs', import.meta.url))
  expect(() => execFileSync(process.execPath, [script, file, key])).not.toThrow()
})

describe('export', () => {
  test('gives the lines of `belay ledger export`, narrowed', async () => {
    const { status, text, type } = await person.get('v1/export?format=jsonl&verdict=deny&tool=Bash')
    expect([status, type]).toEqual([200, 'application/x-ndjson; charset=utf-8'])
    const lines = text
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.every(line => line.body.verdict === 'deny' && line.hash.length === 64)).toBe(true)
    expect(lines.map(line => line.seq)).toEqual(lines.map(line => line.seq).toSorted((a, b) => a - b))
  })

  test('as CSV with its header', async () => {
    const { text } = await person.get('v1/export?format=csv&kind=commit')
    expect(text.split('\n')[0]).toMatch(/^seq,time,kind,agent,.*,tool,call,verdict,.*,body$/)
    expect(text.trim().split('\n')).toHaveLength(2)
  })

  test.each([
    ['format=xml', 'format must be jsonl or csv, not xml.'],
    ['verdict=maybe', 'verdict must be one of allow, deny, ask, none.'],
    ['since=yesterday', 'since must be an ISO time, such as 2026-01-31T10:00:00Z.'],
  ])('%s is refused', async (query, message) => {
    const { status, text } = await person.get(`v1/export?${query}`)
    expect([status, JSON.parse(text).error.message]).toEqual([400, message])
  })
})

test('the frame and the overview', async () => {
  await find({ verdict: 'deny' })
  const frame = await call('page.frame')
  expect(frame).toMatchObject({
    version: '0.0.0',
    projects: [daemon.project],
    policy: { root: daemon.project, state: 'good', problem: null },
    paused: null,
    agents: { waits: 1 },
    approvals: 1,
  })
  const overview = await call('page.overview', { minutes: 5 })
  const minutes = overview.minutes as readonly { at: number; deny: number }[]
  expect(minutes.map(({ at }, index) => at - (minutes[0]?.at ?? 0) === index * 60)).toEqual([true, true, true, true, true])
  expect(minutes.reduce((sum, { deny }) => sum + deny, 0)).toBeGreaterThanOrEqual(4)
  const [top] = overview.topDenied as readonly Row[]
  expect(top).toMatchObject({ tool: 'Bash', by: 'Bash(git push *)' })
})

describe('the overview names', () => {
  test('what denied most: rules by their words, and hooks where no rule did', async () => {
    const url = 'https://example.com/'
    await daemon.hook('PreToolUse', { tool_name: 'WebFetch', tool_input: { url }, tool_use_id: 'toolu_web' })
    const { seq } = await find({ text: 'toolu_web' })
    const denied = (await call('page.overview', { minutes: 5 })).topDenied
    expect(denied).toContainEqual({
      ...{ tool: 'WebFetch', by: 'hook no-web', place: expect.stringMatching(/^genesis\.key:\d+$/), count: 1, example: url, seq },
      project: daemon.project,
    })
    expect(denied).toContainEqual(expect.objectContaining({ tool: 'Bash', by: 'Bash(git push *)' }))
  })

  test('agents that are wired and were not heard of, with what to do', async () => {
    const folder = join(daemon.home, 'install')
    mkdirSync(folder, { recursive: true })
    for (const agent of ['gemini', 'claude-code'])
      writeFileSync(join(folder, `${agent}-user.json`), JSON.stringify({ agent, scope: 'user', projectRoot: null, files: [], folders: [] }))
    writeFileSync(join(folder, 'damaged.json'), '{')
    expect((await call('page.overview')).silentAgents).toEqual([{ agent: 'gemini', lastSeenAt: null, remedy: 'belay doctor gemini' }])
  })

  test('hooks that fail, with the last error', async () => {
    await daemon.hook('UserPromptSubmit', { prompt: 'hello' })
    const { failingHooks } = await call('page.overview')
    expect(failingHooks).toMatchObject([
      { hook: 'broken', failures: 1, runs: 1, error: expect.any(String), place: `${join(daemon.project, '.belay/genesis.key')}:9` },
    ])
  })
})

describe('wrong parameters are refused by name', () => {
  test.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['page.record', {}, 'seq is missing.'],
    ['page.record', { seq: 'x' }, 'seq must be a whole number from 1 to 9007199254740991.'],
    ['page.record', { seq: 1.5 }, 'seq must be a whole number from 1 to 9007199254740991.'],
    ['page.records', { limit: 100_000 }, 'limit must be a whole number from 1 to 500.'],
    ['page.records', { before: -1 }, 'before must be a whole number from 1 to 9007199254740991.'],
    ['page.records', { filter: [] }, 'filter must be an object.'],
    ['page.records', { filter: { tool: 7 } }, 'tool must be a text.'],
    ['page.records', { filter: { verdict: 'deny OR 1=1' } }, 'verdict must be one of allow, deny, ask, none.'],
    ['page.records', { filter: { since: 'x' } }, 'since must be an ISO time, such as 2026-01-31T10:00:00Z.'],
    ['page.records', { filter: { text: 'x'.repeat(5000) } }, 'text is longer than 4096 characters.'],
    ['page.overview', { minutes: 0 }, 'minutes must be a whole number from 1 to 1440.'],
    ['page.commitment', {}, 'id is missing.'],
    ['page.artifact', { effort: 1 }, 'path is missing.'],
    ['page.preview', { pattern: 'Bash', days: 1000 }, 'days must be a whole number from 1 to 90.'],
    ['page.try', { root: '/' }, 'call is missing.'],
    ['page.try', { root: '/', call: { actor: 'x', tool: 'Bash' } }, 'call.input is missing.'],
    ['page.policy', { root: 'relative' }, 'root must be an absolute path.'],
    ['page.compare', { root: '/' }, 'text is missing.'],
  ])('%s %j', async (method, params, message) => {
    expect(await failure(method, params)).toMatchObject({ code: -32602, message })
  })

  test.each<[string, Readonly<Record<string, unknown>>, RegExp]>([
    ['page.record', { seq: 99_999_999 }, /there is no entry 99999999/],
    ['page.rejudge', { seq: 99_999_999 }, /there is no entry/],
    ['page.commitment', { id: 'cmt_x' }, /there is no commitment cmt_x/],
    ['page.approval', { id: 'apr_x' }, /there is no request apr_x/],
    ['page.agent', { agent: 'nobody' }, /there is no agent nobody/],
    ['page.artifact', { effort: 99, path: 'x' }, /there is no effort 99/],
    ['page.policy', { root: '/nowhere/at/all' }, /there is no directory/],
  ])('%s %j says what is not there', async (method, params, message) => {
    expect(await failure(method, params)).toMatchObject({ code: -32000, message: expect.stringMatching(message) })
  })

  test('SQL in a filter is text', async () => {
    for (const text of [`'; DROP TABLE ledger; --`, `" OR 1=1`, '%', '*', '\u0000', '_____'])
      expect(await call('page.records', { filter: { text, tool: text, agent: text } })).toHaveProperty('rows')
    expect((await call('page.records')).rows).not.toEqual([])
  })
})

test('what was spooled while the daemon was away reaches the stream too', async () => {
  const body = { event: 'PreToolUse', agent: 'codex', root: daemon.project, tool: 'Bash', input: { command: 'ls' }, verdict: 'allow' }
  const draft = { actor: 'agent:codex', session: 's9', kind: 'pre_tool_use', policy: null, body }
  const [row] = await person.follow('v1/events?types=row', 1, async () => {
    spoolEvent(join(daemon.home, 'spool'), { eventId: 'spooled', draft }, Date.now())
  })
  expect(row?.data).toMatchObject({ agent: 'codex', session: 's9', summary: 'ls', verdict: 'allow' })
})
