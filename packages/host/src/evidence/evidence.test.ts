import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findAgent } from '@belay/core/adapter'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { judgeAlone } from '../shim/judge-alone.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - matcher: "Write|Edit|MultiEdit|apply_patch"
      name: files
      type: evidence_capture
      config: { ledger: true, kind: file_change }
    - matcher: "Bash"
      type: evidence_capture
      config: { ledger: true, kind: command_execution }
    - matcher: "*"
      type: evidence_capture
      config: { ledger: true, kind: command_execution }
    - matcher: "Bash(make *)"
      type: ledger_annotation
      config: { text: "built with {{/tool_input/command}}", tags: [build] }
`

let belay: TestDaemon
let file: string
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex')

beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
  file = join(belay.project, 'a.txt')
})
afterAll(() => belay.stop())

const call = (tool: string, input: object, id: string | null) => ({
  tool_name: tool,
  tool_input: input,
  ...(id === null ? {} : { tool_use_id: id }),
})
const evidenceOf = async (id: string | null, kind = 'file_change') => {
  const all = await belay.entries(kind)
  return all.filter(entry => entry.read.toolUseId === id).map(entry => entry.read)
}

test('an edit: path, hashes before and after, a unified diff, the hook that captured it, before the answer', async () => {
  writeFileSync(file, 'one\ntwo\nthree\n')
  const edit = call('Edit', { file_path: file, old_string: 'two', new_string: '2' }, 't1')
  await belay.hook('PreToolUse', edit)
  writeFileSync(file, 'one\n2\nthree\n')
  await belay.hook('PostToolUse', { ...edit, tool_response: 'ok', duration_ms: 12 })
  expect(await evidenceOf('t1')).toEqual([
    {
      agent: 'claude-code',
      agentId: 'claude-code:s1',
      capturedBy: { hook: 'files', scope: 'policy', place: expect.stringMatching(/genesis\.key:4$/) },
      commitment: null,
      cwd: belay.project,
      durationMs: 12,
      event: 'PostToolUse',
      failed: false,
      files: [
        {
          path: file,
          change: 'modified',
          before: { hash: sha256('one\ntwo\nthree\n'), bytes: 14 },
          after: { hash: sha256('one\n2\nthree\n'), bytes: 12 },
          diff: expect.stringMatching(/^--- a\/a\.txt\n\+\+\+ b\/a\.txt\n@@ -1,3 \+1,3 @@\n one\n-two\n\+2\n three\n$/),
        },
      ],
      input: { file_path: file, old_string: 'two', new_string: '2' },
      output: { digest: sha256('ok'), bytes: 2 },
      tool: 'Edit',
      toolUseId: 't1',
    },
  ])
})

test('without a call id calls are paired by session, tool and input, in order', async () => {
  const write = call('Write', { file_path: 'a.txt', content: 'x\n' }, null)
  writeFileSync(file, 'first\n')
  await belay.hook('PreToolUse', write)
  writeFileSync(file, 'second\n')
  await belay.hook('PreToolUse', write)
  writeFileSync(file, 'x\n')
  await belay.hook('PostToolUse', { ...write, tool_response: {} })
  await belay.hook('PostToolUse', { ...write, tool_response: {} })
  const befores = (await evidenceOf(null)).map(body => (body.files as { before: { hash: string } }[])[0]?.before.hash)
  expect(befores).toEqual([sha256('first\n'), sha256('second\n')])
})

test("the agent's own original is preferred to what we saw", async () => {
  writeFileSync(file, 'ours\n')
  const write = call('Write', { file_path: file, content: 'new\n' }, 't3')
  await belay.hook('PreToolUse', write)
  writeFileSync(file, 'new\n')
  await belay.hook('PostToolUse', { ...write, tool_response: { filePath: 'a.txt', originalFile: 'theirs\n', structuredPatch: [] } })
  expect(await evidenceOf('t3')).toMatchObject([
    { files: [{ before: { hash: sha256('theirs\n') }, diff: expect.stringContaining('-theirs') }] },
  ])
})

test('line ends that the agent spells otherwise are no change: the bytes that were there count', async () => {
  writeFileSync(file, 'one\r\ntwo\r\n')
  const edit = call('Edit', { file_path: file, old_string: 'two', new_string: '2' }, 't10')
  await belay.hook('PreToolUse', edit)
  writeFileSync(file, 'one\r\n2\r\n')
  await belay.hook('PostToolUse', { ...edit, tool_response: { originalFile: 'one\ntwo\n' } })
  expect(await evidenceOf('t10')).toMatchObject([
    { files: [{ before: { hash: sha256('one\r\ntwo\r\n') }, diff: expect.stringContaining(' one\r\n-two\r\n+2\r\n') }] },
  ])
})

test('an agent that does not say how long a call took: from our answer to its report', async () => {
  const run = call('Bash', { command: 'true' }, 't11')
  await belay.hook('PreToolUse', run)
  await belay.hook('PostToolUse', { ...run, tool_response: { stdout: '', stderr: '', interrupted: false } })
  await belay.hook('PostToolUse', { ...call('Bash', { command: 'true' }, 't12'), tool_response: 'ok' })
  const [seen, unseen] = [await evidenceOf('t11', 'command_execution'), await evidenceOf('t12', 'command_execution')]
  expect([seen, unseen]).toMatchObject([[{ durationMs: expect.any(Number), exitCode: 0 }], [{ durationMs: null, exitCode: null }]])
})

test.each([
  [{ stdout: '', interrupted: false, returnCodeInterpretation: 'No matches found' }, null],
  [{ stdout: '', interrupted: true }, null],
  [{ stdout: '', interrupted: false, backgroundTaskId: 'b1' }, null],
  [{ stdout: '', interrupted: false, exitCode: 4 }, 4],
])('the exit code that %j tells', async (response, exitCode) => {
  const id = `exit ${JSON.stringify(response)}`
  await belay.hook('PostToolUse', { ...call('Bash', { command: 'x' }, id), tool_response: response })
  expect(await evidenceOf(id, 'command_execution')).toMatchObject([{ exitCode }])
})

test('a diff of an odd form is passed over', async () => {
  const structuredPatch = [null, 7, { lines: 'x' }]
  await belay.hook('PostToolUse', { ...call('Edit', { file_path: file }, 't13'), tool_response: { structuredPatch } })
  expect(await evidenceOf('t13')).toMatchObject([{ files: [{ change: 'unknown', diff: null }] }])
})

test("the agent's own diff stands in for a file nobody saw before", async () => {
  writeFileSync(file, 'new\n')
  const edit = call('Edit', { file_path: file, old_string: 'old', new_string: 'new' }, 't8')
  const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: ['-old', '+new'] }]
  await belay.hook('PostToolUse', { ...edit, tool_response: { structuredPatch } })
  expect(await evidenceOf('t8')).toMatchObject([{ files: [{ change: 'unknown', diff: '@@ -1,1 +1,1 @@\n-old\n+new' }] }])
})

test('a new, a deleted, a binary and a large file', async () => {
  const big = 'y'.repeat(1024 * 1024 + 1)
  const patch =
    '*** Begin Patch\n*** Add File: new.txt\n+hi\n*** Delete File: a.txt\n*** Update File: b.bin\n*** Update File: big.txt\n*** End Patch'
  rmSync(join(belay.project, 'new.txt'), { force: true })
  writeFileSync(file, 'gone\n')
  writeFileSync(join(belay.project, 'b.bin'), Buffer.from([0, 1]))
  writeFileSync(join(belay.project, 'big.txt'), big)
  const apply = call('apply_patch', { input: patch }, 't4')
  await belay.hook('PreToolUse', apply)
  writeFileSync(join(belay.project, 'new.txt'), 'hi\n')
  rmSync(file)
  writeFileSync(join(belay.project, 'b.bin'), Buffer.from([0, 2]))
  writeFileSync(join(belay.project, 'big.txt'), `${big}z`)
  await belay.hook('PostToolUse', { ...apply, tool_response: 'ok' })
  expect((await evidenceOf('t4'))[0]?.files).toMatchObject([
    { change: 'created', before: null, diff: expect.stringContaining('+hi') },
    { change: 'deleted', after: null, diff: expect.stringContaining('-gone') },
    { change: 'modified', diff: null, note: 'binary: no diff', after: { hash: sha256(Buffer.from([0, 2])) } },
    { change: 'modified', diff: null, note: 'large: no diff', before: { hash: sha256(big) } },
  ])
})

test('a command: its exit code and a digest of what it printed, one entry though two hooks ask for it', async () => {
  const run = call('Bash', { command: 'make all' }, 't5')
  await belay.hook('PreToolUse', run)
  await belay.hook('PostToolUse', { ...run, tool_response: { stdout: 'done', stderr: '', exitCode: 0 } })
  expect(await evidenceOf('t5', 'command_execution')).toMatchObject([
    {
      command: 'make all',
      exitCode: 0,
      failed: false,
      output: { bytes: expect.any(Number), digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    },
  ])
  expect((await belay.entries('annotate')).map(entry => entry.read)).toMatchObject([
    { text: 'built with make all', tags: ['build'], toolUseId: 't5' },
  ])
})

test('a failed call leaves evidence too, and one event delivered twice one entry', async () => {
  const run = call('Bash', { command: 'false' }, 't6')
  for (let n = 0; n < 2; n++) await belay.hook('PostToolUseFailure', { ...run, error: 'Exit code 3\nboom' }, { 'event-id': 'e6' })
  expect(await evidenceOf('t6', 'command_execution')).toMatchObject([
    { event: 'PostToolUseFailure', failed: true, exitCode: 3, error: 'Exit code 3\nboom' },
  ])
})

test('evidence belongs to the commitment of the call: one that this agent has claimed, and no other', async () => {
  const commit = async (agentId: string) => {
    const made = await belay.rpc('commitments.commit', { text: 'x', agent: 'codex', cwd: belay.project })
    const { id } = ('result' in made ? made.result.commitment : {}) as { id: string }
    await belay.rpc('commitments.claim', { target: id, agentId, agent: 'codex', cwd: belay.project })
    return id
  }
  const [first, second, foreign] = [await commit('w1'), await commit('w1'), await commit('w2')]
  const wanted: readonly [commitment: string | null, counts: string | null][] = [
    [first, first],
    [second, second],
    [foreign, null],
    ['cmt_00000000', null],
    [null, second],
  ]
  for (const [index, [commitment, counts]] of wanted.entries()) {
    const env = { AGENT_ID: 'w1', ...(commitment === null ? {} : { BELAY_COMMITMENT: commitment }) }
    const id = `wanted-${index}`
    await belay.hook('PostToolUse', { ...call('Bash', { command: 'ls' }, id), tool_response: 'x' }, { env })
    expect(await evidenceOf(id, 'command_execution')).toMatchObject([{ commitment: counts }])
  }
  // Whoever says the name of an agent with a role, and has not its secret, has claimed nothing.
  await belay.bind('w1', 'executor')
  await belay.hook('PostToolUse', { ...call('Bash', { command: 'ls' }, 'unproven'), tool_response: 'x' }, { env: { AGENT_ID: 'w1' } })
  expect(await evidenceOf('unproven', 'command_execution')).toMatchObject([{ commitment: null }])
})

test('a call that finishes without a daemon leaves its evidence in the spool, and one entry once it is replayed', async () => {
  writeFileSync(file, 'after\n')
  const agent = findAgent('claude-code')
  if (agent === null) throw new Error('no such agent')
  const payload = {
    session_id: 's1',
    cwd: belay.project,
    ...call('Write', { file_path: file, content: 'after\n' }, 't9'),
    tool_response: { originalFile: 'before\n' },
  }
  const options = { agent, home: belay.home, etc: belay.home, env: belay.env, deadlineMs: 5000, redact: createBodyRedactor(belay.home) }
  await judgeAlone(JSON.stringify({ agent: 'claude-code', event: 'PostToolUse', payload }), options)
  let found = await evidenceOf('t9')
  while (found.length === 0) {
    await new Promise(resolve => setTimeout(resolve, 100))
    found = await evidenceOf('t9')
  }
  expect(found).toMatchObject([{ daemon: 'down', files: [{ change: 'modified', diff: expect.stringContaining('-before\n+after') }] }])
})

interface ShellCase {
  readonly command: string
  readonly before: Readonly<Record<string, string>>
  readonly after: Readonly<Record<string, string | null>>
  readonly changes: Readonly<Record<string, string>>
}

const SHELL: readonly ShellCase[] = [
  { command: 'echo new > out.txt', before: {}, after: { 'out.txt': 'new\n' }, changes: { 'out.txt': 'created' } },
  { command: 'echo more >> out.txt', before: { 'out.txt': 'a\n' }, after: { 'out.txt': 'a\nmore\n' }, changes: { 'out.txt': 'modified' } },
  {
    command: "sed -i 's/1/2/' one.conf two.conf",
    before: { 'one.conf': '1\n', 'two.conf': '3\n' },
    after: { 'one.conf': '2\n' },
    changes: { 'one.conf': 'modified' },
  },
  {
    command: "sed -i 's/1/2/' *.conf",
    before: { 'one.conf': '1\n', 'two.conf': '1\n', '.hidden.conf': '1\n' },
    after: { 'one.conf': '2\n', 'two.conf': '2\n', '.hidden.conf': '2\n' },
    changes: { 'one.conf': 'modified', 'two.conf': 'modified' },
  },
  { command: 'npm test; rm -f old.log', before: { 'old.log': 'x\n' }, after: { 'old.log': null }, changes: { 'old.log': 'deleted' } },
  {
    command: 'mv from.txt to.txt',
    before: { 'from.txt': 'x\n' },
    after: { 'from.txt': null, 'to.txt': 'x\n' },
    changes: { 'from.txt': 'deleted', 'to.txt': 'created' },
  },
  { command: 'cat <<E | tee made.txt >/dev/null\nx\nE', before: {}, after: { 'made.txt': 'x\n' }, changes: { 'made.txt': 'created' } },
  {
    command: 'bash -c "cd sub && echo x > in.txt"',
    before: { 'sub/x': '' },
    after: { 'sub/in.txt': 'x\n' },
    changes: { 'sub/in.txt': 'created' },
  },
  { command: 'cat one.conf', before: { 'one.conf': '1\n' }, after: { 'one.conf': '2\n' }, changes: {} },
  { command: 'echo x > "$WHERE"', before: {}, after: {}, changes: {} },
]

test.each(SHELL)('what a command changed of the files that it names: $command', async ({ command, before, after, changes }) => {
  const id = `shell ${command}`
  const folder = mkdtempSync(join(belay.project, 'shell-'))
  const put = (files: Readonly<Record<string, string | null>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      if (text === null) rmSync(join(folder, name))
      else writeFileSync(join(folder, name), text)
    }
  }
  put(before)
  const run = call('Bash', { command: `cd ${folder} && ${command}` }, id)
  await belay.hook('PreToolUse', run)
  put(after)
  // The agent went elsewhere meanwhile.
  await belay.hook('PostToolUse', { ...run, cwd: '/', tool_response: { stdout: '', stderr: '' } })
  const [evidence] = await evidenceOf(id, 'command_execution')
  const files = (evidence?.files ?? []) as readonly { readonly path: string; readonly change: string; readonly diff: string | null }[]
  expect(Object.fromEntries(files.map(({ path, change }) => [relative(folder, path), change]))).toEqual(changes)
  expect(files.every(({ diff }) => diff?.includes('@@') === true)).toBe(true)
})
