// What the architecture document says of the engine and its handlers, and no other test shows.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createHooks, deny, type HookDefinition, type HookEvent } from '@belay/core'
import { sha256Hex } from '@belay/core/ledger'
import { afterAll, describe, expect, test } from 'vitest'
import { createAiSdkModel } from '../../packages/core/src/handler/llm/ai-sdk-model.ts'
import { createLlmProvider } from '../../packages/core/src/handler/llm/create-llm-provider.ts'
import { type Reply, startModelServer } from '../../packages/core/src/handler/llm/fixtures/model-server.ts'
import { runHandler } from '../../packages/core/src/handler/run-handler.ts'
import { runFileSuggestion, runStatusLine } from '../../packages/core/src/handler/setting-command.ts'
import { homePaths } from '../../packages/host/src/config/home.ts'
import { addTrust } from '../../packages/host/src/config/trust.ts'
import { runDaemon } from '../../packages/host/src/daemon/fixtures/run-daemon.ts'
import { readBlock } from './read-blocks.ts'

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'belay-engine-')))
afterAll(() => rmSync(cwd, { recursive: true, force: true }))

const call = { toolName: 'Bash', toolInput: { command: 'ls' }, toolUseId: 't1' }

test('hooks of one event run at once: each ends only when all have begun', async () => {
  const hooks = createHooks()
  let begun = 0
  let letGo: () => void = () => undefined
  const all = new Promise<void>(resolve => {
    letGo = resolve
  })
  for (let at = 0; at < 5; at += 1) {
    const run = async () => {
      begun += 1
      if (begun === 5) letGo()
      await all
    }
    hooks.registry.add({ event: 'PreToolUse', scope: 'session', order: 'group', name: `h${at}`, handler: { type: 'inline', run } })
  }
  const { report } = await hooks.fire('PreToolUse', call)
  expect(report.runs.map(({ outcome }) => outcome)).toEqual(Array(5).fill('success'))
})

test('there is no limit to the hooks of an event', async () => {
  const hooks = createHooks()
  let ran = 0
  const count = () => {
    ran += 1
  }
  for (let at = 0; at < 10_000; at += 1) hooks.on('PreToolUse', () => count(), { name: `h${at}` })
  await hooks.fire('PreToolUse', call)
  expect(ran).toBe(10_000)
})

describe('an agent hook', () => {
  const event: HookEvent = {
    ...{ name: 'PreToolUse', sessionId: 's', cwd, transcriptPath: null, permissionMode: null, actor: 'agent:x', agent: 'x' },
    ...{ commitment: null, env: {}, fields: call },
  }
  const agent: HookDefinition = { event: 'PreToolUse', scope: 'policy', handler: { type: 'agent', prompt: 'Safe? $ARGUMENTS' } }

  async function ask(reply: () => Reply, more: Partial<HookDefinition> = {}) {
    const server = await startModelServer('openai-compatible', reply)
    const model = createAiSdkModel({ provider: 'openai-compatible', model: 'm', baseUrl: server.url, env: {} })
    const ran = await runHandler({ ...agent, ...more }, event, { llm: createLlmProvider({ model }) })
    await server.close()
    return { ran, asked: server.asked.length }
  }

  test('has fifty turns and no more', async () => {
    const { ran, asked } = await ask(() => ({ tool: 'Glob', input: { pattern: '*' } }))
    expect([ran.kind, asked]).toEqual(['failed', 50])
    expect(readBlock('architecture', 392)).toContain('max_turns: 50')
  })

  test('that runs out of time is cancelled', async () => {
    const { ran } = await ask(() => 'hang', { timeoutMs: 200 })
    expect(ran).toEqual({ kind: 'cancelled', why: 'timeout' })
  })
})

test.each([
  ['"Continue"', { verdict: { decision: 'none' } }],
  ['{"Reject":{"reason":"no"}}', { verdict: deny('no') }],
  ['{"ModifyInput":{"new_input":{"command":"pwd"}}}', { rewrites: [{ after: { command: 'pwd' } }] }],
  ['all is well', { verdict: { decision: 'none' } }],
])('a webhook that answers %s', async (answer, expected) => {
  const server = createServer((_request, response) => response.end(answer))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const hooks = createHooks(
    {},
    { cwd, runHandler: (hook, event, options) => runHandler(hook, event, { ...options, allowPrivate: ['127.0.0.1'] }) },
  )
  hooks.registry.add({ event: 'PreToolUse', scope: 'session', handler: { type: 'http', url, method: 'POST', headers: {}, allowedEnv: [] } })
  expect(await hooks.fire('PreToolUse', call)).toMatchObject(expected)
  server.close()
})

test('the status line and file suggestions have five seconds, then there are none', async () => {
  const [lines, files] = await Promise.all([
    runStatusLine('sleep 60; echo late', {}, { cwd }),
    runFileSuggestion('sleep 60; echo late', 'q', { cwd }),
  ])
  expect([lines, files]).toEqual([null, []])
  expect(readBlock('architecture', 1452)).toContain('Duration::from_secs(5)')
})

test('a hook finds the folder of its plugin and the file for variables where the agent gives them', async () => {
  const command = 'printf "%s %s" "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_ENV_FILE" > seen; echo "A=1" >> "$CLAUDE_ENV_FILE"'
  const policy = `version: "2.0"\nhooks:\n  session_start:\n    - { type: command, config: { command: ${JSON.stringify(command)} } }\n`
  const daemon = await runDaemon({ policy })
  const file = join(daemon.folder, 'env.sh')
  const env = { CLAUDE_PLUGIN_ROOT: '/plugins/x', CLAUDE_ENV_FILE: file }
  await daemon.hook('SessionStart', { source: 'startup' }, { env })
  expect(readFileSync(join(daemon.project, 'seen'), 'utf8')).toBe(`/plugins/x ${file}`)
  expect(readFileSync(file, 'utf8')).toBe('A=1\n')
  await daemon.stop()
})

test('a hook of a plugin that Belay runs for another agent finds the folder of its plugin', async () => {
  const daemon = await runDaemon({ policy: 'version: "2.0"\nhooks_from: [genesis, plugin]\n' })
  const command = 'sh "${CLAUDE_PLUGIN_ROOT}/check.sh"'
  const hooks = { hooks: { PreToolUse: [{ matcher: '*', hooks: [{ type: 'command', command }] }] } }
  const file = join(daemon.project, 'hooks', 'hooks.json')
  mkdirSync(dirname(file))
  writeFileSync(file, JSON.stringify(hooks))
  addTrust(homePaths(daemon.home).trust, file, sha256Hex(JSON.stringify(hooks)))
  writeFileSync(join(daemon.project, 'check.sh'), 'printf %s "$CLAUDE_PLUGIN_ROOT" >&2; exit 2\n')
  const { stdout } = await daemon.hook(
    'PreToolUse',
    { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' },
    { agent: 'codex' },
  )
  expect(stdout).toContain(`Tool denied: ${daemon.project}`)
  await daemon.stop()
})
