// The configuration examples and use cases of the architecture document, word for word. Programs that they name stand in a folder of the
// test that is on the PATH; public addresses are led to a server of the test.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHooks, deny, type HookFileFormat, type Hooks, loadHooks } from '@belay/core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { runHandler } from '../../packages/core/src/handler/run-handler.ts'
import { readBlock } from './read-blocks.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'belay-document-')))
  mkdirSync(join(folder, '.cocode'))
  vi.stubEnv('HOME', folder)
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

interface Asked {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly authorization: string | undefined
  readonly body: Readonly<Record<string, unknown>>
}

const asked: Asked[] = []
let server: Server
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    asked.push({ method: request.method, path: request.url, authorization: request.headers.authorization, body: JSON.parse(text) })
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())
beforeEach(() => void asked.splice(0))

function program(name: string, text: string): void {
  writeFileSync(join(folder, name), text)
  chmodSync(join(folder, name), 0o755)
}

function hooksOf(text: string, format: HookFileFormat = 'toml'): Hooks {
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { hooks, settings, diagnostics } = loadHooks(text.replace(/https:\/\/[a-z.]+/, address), format)
  expect(diagnostics).toEqual([])
  const made = createHooks(
    {},
    {
      settings,
      cwd: folder,
      runHandler: (hook, event, options) => runHandler(hook, event, { ...options, allowPrivate: ['127.0.0.1'] }),
    },
  )
  if (format === 'frontmatter') made.registry.registerSkill(hooks)
  else made.registry.addAll(hooks)
  return made
}

const bash = (command: string) => ({ toolName: 'Bash', toolInput: { command }, toolUseId: 't1' })
const edit = { toolName: 'Edit', toolInput: { file_path: 'a' }, toolUseId: 't1' }

test.each([
  ['JSON', 'json', 698, 2, 'not here'],
  ['TOML', 'toml', 710, 1, 'Hook failed: not here'],
] as const)('the configuration example in %s', async (_title, format, line, code, reason) => {
  program('validate.sh', `#!/bin/sh\necho not here >&2\nexit ${code}\n`)
  const hooks = hooksOf(readBlock('architecture', line), format)
  expect((await hooks.fire('PreToolUse', bash('ls'))).verdict).toEqual(deny(reason))
  expect((await hooks.fire('PreToolUse', { ...edit })).report.runs).toEqual([])
})

test('the TOML configuration: a script with the context, a webhook with a key, a log once a session', async () => {
  program('python', '#!/bin/sh\ncat > seen.json\necho "$1" > script\necho \'{"Reject": {"reason": "Dangerous"}}\'\n')
  vi.stubEnv('HOOK_API_KEY', 'k1')
  const hooks = hooksOf(readBlock('architecture', 847))
  expect((await hooks.fire('PreToolUse', bash('rm x'))).verdict).toEqual(deny('Dangerous'))
  expect(JSON.parse(readFileSync(join(folder, 'seen.json'), 'utf8'))).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'rm x' } })
  expect(readFileSync(join(folder, 'script'), 'utf8')).toBe(`${folder}/.config/cocode/hooks/validate_bash.py\n`)
  expect((await hooks.fire('PostToolUse', { ...edit, toolResponse: 'ok' })).report.runs).toMatchObject([{ outcome: 'success' }])
  expect(asked).toMatchObject([{ method: 'POST', path: '/hooks/file-changed', authorization: 'Bearer k1', body: { tool_name: 'Edit' } }])
  for (const source of ['startup', 'clear']) await hooks.fire('SessionStart', { source })
  expect(readFileSync(join(folder, '.cocode', 'session.log'), 'utf8')).toBe('Session started\n')
})

test('use case 1: dangerous commands are rejected, others go on', async () => {
  // What the document's program does, for machines without Python.
  program(
    'python3',
    `#!${process.execPath}
const [, , , code] = process.argv
const dangerous = eval(/in (\\[.*\\])\\)/.exec(code)[1])
const { tool_input: { command } } = JSON.parse(require('fs').readFileSync(0, 'utf8'))
console.log(JSON.stringify(dangerous.some(each => command.includes(each)) ? { Reject: { reason: /'reason': '(.*?)'/.exec(code)[1] } } : 'Continue'))
`,
  )
  const hooks = hooksOf(readBlock('architecture', 1069))
  const verdictOf = async (command: string) => (await hooks.fire('PreToolUse', bash(command))).verdict
  expect([await verdictOf('sudo rm x'), (await verdictOf('ls')).decision]).toEqual([deny('Dangerous command blocked'), 'none'])
})

test('use case 2: every edit is a line of the log', async () => {
  const hooks = hooksOf(readBlock('architecture', 1094))
  await hooks.fire('PostToolUse', { ...edit, toolResponse: 'ok' })
  await hooks.fire('PostToolUse', { ...bash('ls'), toolResponse: 'ok' })
  expect(readFileSync(join(folder, '.cocode', 'edits.log'), 'utf8')).toMatch(/^.+: File edited - Edit\n$/)
})

test('use case 3: the start of a session is posted once', async () => {
  const hooks = hooksOf(readBlock('architecture', 1108))
  for (const source of ['startup', 'resume']) await hooks.fire('SessionStart', { source })
  expect(asked).toMatchObject([{ method: 'POST', path: '/services/xxx', body: { hook_event_name: 'SessionStart', source: 'startup' } }])
})

test('the hooks of a skill: the linter runs before a write until it has succeeded, and every command is told of', async () => {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', scripts: { lint: 'echo linted >> lint.log' } }))
  const hooks = hooksOf(`---\n${readBlock('architecture', 1202)}---\nText\n`, 'frontmatter')
  const write = { toolName: 'Write', toolInput: { file_path: 'a', content: '' }, toolUseId: 't1' }
  for (let call = 0; call < 2; call += 1) await hooks.fire('PreToolUse', write)
  expect(readFileSync(join(folder, 'lint.log'), 'utf8')).toBe('linted\n')
  const { report } = await hooks.fire('PostToolUse', { ...bash('ls'), toolResponse: 'ok' })
  expect(report.runs).toMatchObject([{ scope: 'skill', outcome: 'success' }])
})

test('a hook that answers with the async example decides nothing', async () => {
  writeFileSync(join(folder, 'answer.json'), readBlock('architecture', 1541))
  const hooks = hooksOf(
    '[[hooks]]\nevent = "PreToolUse"\nname = "later"\n[hooks.shell]\ncommand = "cat answer.json"\nparse_result = true\n',
  )
  const { verdict, report, background } = await hooks.fire('PreToolUse', bash('ls'))
  expect([verdict.decision, report.runs.map(({ hook, outcome }) => [hook, outcome])]).toEqual(['none', [['later', 'success']]])
  await Promise.all(background)
})
