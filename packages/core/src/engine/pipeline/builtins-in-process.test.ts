// Built-in hooks in a process without a daemon: they work with files, the host's approver and a spool, or are refused with their place.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { BuiltinName } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import { createSpoolRecorder } from '../../host/spool-recorder.ts'
import { parseGenesis } from '../../policy/genesis/parse-genesis.ts'
import { createHooks } from '../create-hooks.ts'
import { createToolPipeline, type ToolPipelineOptions } from './create-tool-pipeline.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-builtins-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(hooks: string) {
  const parsed = parseGenesis(`version: "2.0"\nhooks:\n${hooks}\n`, 'genesis.key')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  return [parsed.policy]
}

function pipelineOf(hooks: string, options: ToolPipelineOptions = {}) {
  const tools = [{ name: 'Bash', execute: () => 'ran' }]
  return createToolPipeline({ policies: read(hooks), tools, cwd: folder, ...options })
}

describe('approval_gate', () => {
  const GATE = '  pre_tool_use:\n    - { type: approval_gate, matcher: Bash, config: { approvers: ["human:ada"] } }'

  test('nobody there: denied, by its reason', async () => {
    expect(await pipelineOf(GATE).runTool('Bash', { command: 'ls' })).toMatchObject({
      status: 'denied',
      reason: expect.stringMatching(/human:ada has to approve this/),
    })
  })

  test.each([
    ['allow', 'succeeded'],
    ['deny', 'denied'],
  ] as const)('the host says %s: %s', async (decision, status) => {
    const asked: string[] = []
    const approve = ({ reason }: { readonly reason: string }) => {
      asked.push(reason)
      return { decision }
    }
    expect((await pipelineOf(GATE, { approve }).runTool('Bash', { command: 'ls' })).status).toBe(status)
    expect(asked).toEqual(['human:ada has to approve this'])
  })

  test('at a stop it is about a commitment, which this process does not keep: said once', async () => {
    const hooks = '  stop:\n    - { type: approval_gate }'
    expect(await pipelineOf(hooks).stop()).toMatchObject({ isRefused: false })
    const held = pipelineOf(hooks, { commitment: 'cmt_1', sessionId: 's' })
    expect(await held.stop()).toMatchObject({ isRefused: true, reason: expect.stringMatching(/cmt_1 is kept by the daemon/) })
    expect(await held.stop()).toMatchObject({ isRefused: false, messages: [expect.stringMatching(/cmt_1 is kept by the daemon/)] })
  })
})

describe('final_validation', () => {
  test('files, commands and conditions, until max_iterations', async () => {
    const config = '{ required_files: [done.txt], commands: ["test -e done.txt"], conditions: ["1 < 2"], max_iterations: 2 }'
    const pipeline = pipelineOf(`  stop:\n    - { type: final_validation, config: ${config} }`)
    const reason = /the file done\.txt is missing\n- test -e done\.txt failed with exit code 1/
    expect(await pipeline.stop()).toMatchObject({ isRefused: true, reason: expect.stringMatching(reason) })
    writeFileSync(join(folder, 'done.txt'), '')
    expect((await pipeline.stop()).isRefused).toBe(false)
    rmSync(join(folder, 'done.txt'))
    const refused: boolean[] = []
    for (let stop = 1; stop <= 3; stop++) refused.push((await pipeline.stop()).isRefused)
    expect(refused).toEqual([true, true, false])
  })

  test('what completion.json of the project asks for holds too', async () => {
    const root = mkdtempSync(join(tmpdir(), 'belay-builtins-'))
    writeFileSync(join(root, 'package.json'), '{"scripts":{"build":"exit 3"}}')
    mkdirSync(join(root, '.claude'))
    writeFileSync(join(root, '.claude', 'completion.json'), '{"required_files":["out.js"],"checks":{"build":true},"max_iterations":1}')
    const pipeline = pipelineOf('  stop:\n    - { type: final_validation }', { cwd: root })
    expect(await pipeline.stop()).toMatchObject({
      isRefused: true,
      reason: expect.stringMatching(/the file out\.js is missing\n- npm run --silent build failed with exit code 3/),
    })
    expect((await pipeline.stop()).isRefused).toBe(false)
    rmSync(root, { recursive: true })
  })
})

test('input_sanitization redacts', async () => {
  const seen: unknown[] = []
  const tools = [{ name: 'Bash', execute: (input: object) => seen.push(input) }]
  const hooks = '  pre_tool_use:\n    - { type: input_sanitization, config: { redact: true } }'
  await pipelineOf(hooks, { tools }).runTool('Bash', { command: `echo ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}` })
  expect(JSON.stringify(seen)).toMatch(/redacted/)
  expect(JSON.stringify(seen)).not.toMatch(/ghp_/)
})

describe('what records', () => {
  const HOOKS = `  post_tool_use:
    - { name: keeps, type: evidence_capture, config: { ledger: true, kind: run } }
    - { name: notes, type: ledger_annotation, config: { text: "ran {{/tool_name}}" } }`

  test('goes the way of the recorder, once each', async () => {
    const home = mkdtempSync(join(tmpdir(), 'belay-builtins-home-'))
    const { runTool } = pipelineOf(HOOKS, { record: createSpoolRecorder({ home }), actor: 'agent:own' })
    expect((await runTool('Bash', { command: 'ls' })).status).toBe('succeeded')
    const spool = join(home, 'spool')
    const drafts = readdirSync(spool).map(name => JSON.parse(readFileSync(join(spool, name), 'utf8')).draft)
    rmSync(home, { recursive: true })
    expect(drafts.map(({ kind }) => kind).sort()).toEqual(['annotate', 'post_tool_use', 'pre_tool_use', 'run'])
    expect(drafts.find(({ kind }) => kind === 'run')).toMatchObject({
      actor: 'agent:own',
      body: {
        capturedBy: { hook: 'keeps', scope: 'policy', place: 'genesis.key:4' },
        tool: 'Bash',
        input: { command: 'ls' },
        output: 'ran',
      },
    })
    expect(drafts.find(({ kind }) => kind === 'annotate')).toMatchObject({ body: { text: 'ran Bash' } })
  })

  test('a changed file: path, hashes before and after, a diff; for every hook that asks, and after a failure too', async () => {
    const home = mkdtempSync(join(tmpdir(), 'belay-builtins-home-'))
    const file = join(folder, 'notes.md')
    writeFileSync(file, 'one\ntwo\nthree\n')
    const write = (input: { content?: unknown }) => {
      writeFileSync(file, String(input.content))
      if (input.content === '') throw new Error('disk full')
      return 'ok'
    }
    const kinds = ['file_change', 'again'].map(
      kind => `    - { name: ${kind}, type: evidence_capture, config: { ledger: true, kind: ${kind} } }`,
    )
    const hooks = `  post_tool_use:\n${kinds.join('\n')}`
    const tools = [{ name: 'Write', execute: write }]
    const { runTool } = pipelineOf(hooks, { tools, record: createSpoolRecorder({ home }) })
    for (const content of ['one\n2\nthree\n', '']) await runTool('Write', { file_path: file, content })
    const spool = join(home, 'spool')
    const drafts = readdirSync(spool).map(name => JSON.parse(readFileSync(join(spool, name), 'utf8')).draft)
    rmSync(home, { recursive: true })
    const side = (text: string) => ({ hash: createHash('sha256').update(text).digest('hex'), bytes: text.length })
    const [old, made] = ['one\ntwo\nthree\n', 'one\n2\nthree\n']
    const diff = '--- a/notes.md\n+++ b/notes.md\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n'
    const first = { path: file, change: 'modified', before: side(old), after: side(made), diff }
    const emptied = expect.objectContaining({ change: 'modified', before: side(made), after: side('') })
    for (const kind of ['file_change', 'again']) {
      const files = drafts.filter(draft => draft.kind === kind).map(({ body }) => body.files)
      expect(files).toEqual(expect.arrayContaining([[first], [emptied]]))
    }
  })

  test.each([
    ['evidence_capture, config: { ledger: true }', true],
    ['evidence_capture, config: { ledger: false }', false],
    ['ledger_annotation, config: { text: ran }', false],
  ])('files of a command are read before it only for a hook that records them: %s', async (type, isRead) => {
    const home = mkdtempSync(join(tmpdir(), 'belay-builtins-home-'))
    const file = join(folder, 'made.txt')
    rmSync(file, { force: true })
    const record = createSpoolRecorder({ home })
    const hooks = createHooks({}, { builtins: record.ports })
    const hook = { name: 'own', scope: 'session', place: null } as const
    const keep = async ({ source }: { source: HookEvent }) =>
      void (await record.ports.evidence.capture({ kind: 'own', event: source, hook }))
    hooks.on('PostToolUse', keep)
    const tools = [{ name: 'Bash', execute: () => writeFileSync(file, 'made\n') }]
    const { runTool } = pipelineOf(`  post_tool_use:\n    - { type: ${type} }`, { hooks, tools, record })
    await runTool('Bash', { command: 'echo made > made.txt' })
    const spool = join(home, 'spool')
    const drafts = readdirSync(spool).map(name => JSON.parse(readFileSync(join(spool, name), 'utf8')).draft)
    rmSync(home, { recursive: true })
    const own = drafts.find(({ kind }) => kind === 'own')
    expect(own?.body.files?.map(({ change }: { change: string }) => change)).toEqual(isRead ? ['created'] : undefined)
  })

  test.each([
    ['evidence_capture', '{ ledger: true }'],
    ['ledger_annotation', '{ text: x }'],
    ['final_validation', '{ mentu: { commitments: { min_count: 1 } } }'],
  ])('%s %s is refused with its place where there is nobody to keep it', (type, config) => {
    const make = () => pipelineOf(`  post_tool_use:\n    - { type: ${type}, config: ${config} }`)
    expect(make).toThrow(`genesis.key:4:7: the PostToolUse hook`)
    expect(make).toThrow(/createDaemonGate\(\).*BELAY_HOOK_BUILTIN/)
  })

  test('evidence that is not for the ledger needs nobody', () => {
    expect(() => pipelineOf('  post_tool_use:\n    - { type: evidence_capture }')).not.toThrow()
  })
})

describe('built-in hooks in code', () => {
  const builtin = (name: BuiltinName, config = {}) => ({ type: 'builtin', builtin: name, config }) as const

  test('approval_gate asks', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', 'Bash', builtin('approval_gate'))
    const { verdict } = await hooks.fire('PreToolUse', { toolName: 'Bash', toolInput: {} })
    expect(verdict).toMatchObject({ decision: 'ask', reason: 'a person has to approve this' })
  })

  test('one that can only fail is refused when it is registered, unless the host has what it needs', () => {
    const on = (hooks: ReturnType<typeof createHooks>) => hooks.on('PostToolUse', builtin('evidence_capture', { ledger: true }))
    expect(() => on(createHooks())).toThrow('BELAY_HOOK_BUILTIN')
    expect(() => on(createHooks({}, { builtins: createSpoolRecorder({ home: folder }).ports }))).not.toThrow()
    expect(() => createHooks({ PostToolUse: [{ hooks: [builtin('ledger_annotation', { text: 'x' })] }] })).toThrow('BELAY_HOOK_BUILTIN')
  })
})
