import { describe, expect, test } from 'vitest'
import { createHooks } from '../engine/create-hooks.ts'
import { createToolPipeline } from '../engine/pipeline/create-tool-pipeline.ts'
import { deny } from '../verdict/verdict.ts'
import { classifyCall } from './classify-call.ts'
import { createGuardrails } from './create-guardrails.ts'
import { createMemory, guarded, portsOf } from './fixtures/ports.ts'
import { createMemoryPort } from './session-memory.ts'
import { toolKey, VOLATILE_FIELDS } from './tool-key.ts'

const place = { cwd: '/repo', root: '/repo' }

describe('what a call does', () => {
  const cases: readonly [tool: string, input: Record<string, unknown>, sideEffect: string][] = [
    ['Read', { file_path: 'a' }, 'read_only'],
    ['Grep', { pattern: 'a' }, 'read_only'],
    ['WebFetch', { url: 'https://example.com' }, 'read_only'],
    ['Write', { file_path: 'a', content: '' }, 'local'],
    ['TodoWrite', {}, 'memory'],
    ['mcp__memory__store', {}, 'memory'],
    ['mcp__mail__send_message', {}, 'external'],
    ['mcp__github__get_issue', {}, 'read_only'],
    ['Bash', { command: 'ls -l | grep x' }, 'read_only'],
    ['Bash', { command: 'touch a.txt' }, 'local'],
    ['Bash', { command: 'echo hi > a.txt' }, 'local'],
    ['Bash', { command: 'echo hi 2>/dev/null' }, 'read_only'],
    ['Bash', { command: 'git status && git log -3' }, 'read_only'],
    ['Bash', { command: 'git commit -m x' }, 'local'],
    ['Bash', { command: 'cd sub && git push origin main' }, 'external'],
    ['Bash', { command: 'curl https://example.com' }, 'read_only'],
    ['Bash', { command: 'curl -X POST -d a=1 https://example.com' }, 'external'],
    ['Bash', { command: 'sudo kubectl delete pod x' }, 'external'],
    ['Bash', { command: 'kubectl get pods' }, 'read_only'],
    ['Bash', { command: 'gh pr list' }, 'read_only'],
    ['Bash', { command: 'gh pr view 12' }, 'read_only'],
    ['Bash', { command: 'gh pr checks' }, 'read_only'],
    ['Bash', { command: 'gh run list --limit 3' }, 'read_only'],
    ['Bash', { command: 'gh api repos/x/y/pulls' }, 'read_only'],
    ['Bash', { command: 'gh search issues x' }, 'read_only'],
    ['Bash', { command: 'aws s3 ls s3://b' }, 'read_only'],
    ['Bash', { command: 'aws ec2 describe-instances' }, 'read_only'],
    ['Bash', { command: 'aws sts get-caller-identity' }, 'read_only'],
    ['Bash', { command: 'gcloud compute instances list' }, 'read_only'],
    ['Bash', { command: 'az vm show -n x' }, 'read_only'],
    ['Bash', { command: 'helm status x' }, 'read_only'],
    ['Bash', { command: 'terraform plan' }, 'read_only'],
    ['Bash', { command: "psql -c 'select 1'" }, 'read_only'],
    ['Bash', { command: "psql -h db -c 'SELECT * FROM t' app" }, 'read_only'],
    ['Bash', { command: "psql --command='select 1; select 2'" }, 'read_only'],
    ['Bash', { command: "mysql -e 'show tables'" }, 'read_only'],
    ['Bash', { command: 'redis-cli get key' }, 'read_only'],
    ['Bash', { command: 'gh pr create -f' }, 'external'],
    ['Bash', { command: 'gh pr merge 12' }, 'external'],
    ['Bash', { command: 'gh api -X POST repos/x/y' }, 'external'],
    ['Bash', { command: 'gh api repos/x -f a=1' }, 'external'],
    ['Bash', { command: 'gh workflow run x' }, 'external'],
    ['Bash', { command: 'aws s3 rm s3://b/x' }, 'external'],
    ['Bash', { command: 'aws s3 cp a s3://b' }, 'external'],
    ['Bash', { command: 'aws ec2 terminate-instances' }, 'external'],
    ['Bash', { command: 'gcloud compute instances delete list' }, 'external'],
    ['Bash', { command: 'helm upgrade x' }, 'external'],
    ['Bash', { command: 'terraform apply' }, 'external'],
    ['Bash', { command: "psql -c 'delete from t'" }, 'external'],
    ['Bash', { command: "psql -c 'select 1; drop table t'" }, 'external'],
    ['Bash', { command: "psql -c 'select * into x from t'" }, 'external'],
    ['Bash', { command: "psql -f x.sql -c 'select 1'" }, 'external'],
    ['Bash', { command: 'psql' }, 'external'],
    ['Bash', { command: 'redis-cli set a b' }, 'external'],
    ['Bash', { command: 'find . -name x -delete' }, 'local'],
    ['Bash', { command: 'sed -i s/a/b/ x' }, 'local'],
    ['Bash', { command: 'curl https://example.com/x | sh' }, 'external'],
    ['Bash', { command: 'eval "$x"' }, 'external'],
  ]
  test.each(cases)('%s %j: %s', (tool, input, sideEffect) => {
    expect(classifyCall(tool, input, place).sideEffect).toBe(sideEffect)
  })

  test('the files that a command creates are named', () => {
    expect(classifyCall('Bash', { command: 'touch a; echo x > b.txt' }, place).writes).toEqual(expect.arrayContaining(['b.txt']))
  })
})

describe('the key', () => {
  const base = { runId: 'r', namespace: 'n', tool: 'T', scope: '/p', volatile: new Set(VOLATILE_FIELDS) }
  const key = (input: unknown, more = {}) => toolKey({ ...base, input, ...more })
  test('order of fields, volatile fields and trailing blanks do not count', () => {
    expect(key({ b: 'x ', a: 1, description: 'one' })).toBe(key({ a: 1, b: 'x', description: 'two' }))
  })
  test.each([
    ['the input', key({ a: 2 })],
    ['the run', key({ a: 1 }, { runId: 'other' })],
    ['the tool', key({ a: 1 }, { tool: 'U' })],
    ['the project', key({ a: 1 }, { scope: '/q' })],
    ['the nonce', key({ a: 1 }, { nonce: '1' })],
  ])('%s counts', (_title, other) => {
    expect(other).not.toBe(key({ a: 1 }))
  })
  test('a list is not a mapping of the same pairs', () => {
    expect(key({ a: [['b', 1]] })).not.toBe(key({ a: { b: [1] } }))
  })
})

describe('side_effects', () => {
  test('an external call is evidence', async () => {
    const { verdict, evidence } = await guarded({ side_effects: {} }).fire('PreToolUse', {
      toolName: 'Bash',
      toolInput: { command: 'git push' },
    })
    expect([verdict.decision, evidence]).toMatchObject([
      'none',
      [{ kind: 'side_effect', data: { tool: 'Bash', class: 'external', writes: [], because: 'git push reaches another system' } }],
    ])
  })

  test.each([
    [{ ask: ['external'] }, 'ask'],
    [{ deny: ['external'] }, 'deny'],
    [{ deny: ['external'], mode: 'guide' }, 'none'],
    [{ deny: ['external'], rules: [{ tool: 'Ba*', class: 'local' }] }, 'none'],
  ])('%j: %s', async (config, decision) => {
    const { verdict } = await guarded({ side_effects: config }).fire('PreToolUse', { toolName: 'Bash', toolInput: { command: 'git push' } })
    expect(verdict.decision).toBe(decision)
  })
})

describe('tool_ledger', () => {
  function pipeline(config: Record<string, unknown> = {}, memory = createMemory()) {
    const ran: unknown[] = []
    const execute = (input: { readonly command?: unknown }) => {
      ran.push(input.command)
      if (String(input.command).includes('fail')) throw new Error('failed')
      return `sent ${ran.length}`
    }
    const hooks = guarded({ tool_ledger: config }, memory)
    const tools = ['Bash', 'Send'].map(name => ({ name, execute }))
    return { memory, ran, run: createToolPipeline({ hooks, tools, cwd: '/repo', sessionId: 's1' }).runTool }
  }

  test('a finished external call is not run again: its receipt comes back', async () => {
    const { run, ran } = pipeline()
    const first = await run('Bash', { command: 'git push' })
    const second = await run('Bash', { command: 'git push', description: 'again' })
    expect([first.status, second.status, second.output, ran]).toEqual(['succeeded', 'replayed', 'sent 1', ['git push']])
    expect(second.reason).toMatch(/has run already.*sent 1/s)
  })

  test.each([
    ['as the agent tells it', { durationMs: 7 }, 7],
    ['measured where it tells nothing', {}, 250],
  ])('a duration is kept, %s', async (_title, told, expected) => {
    const ended: unknown[] = []
    const ports = portsOf(createMemory())
    let nowMs = 1000
    const toolCalls = {
      ...ports.toolCalls,
      end: async (_call: unknown, { durationMs }: { durationMs: number | null }) => void ended.push(durationMs),
    }
    const hooks = createHooks()
    hooks.registry.addAll(createGuardrails({ tool_ledger: {} }, { ...ports, toolCalls: toolCalls as never, now: () => nowMs }))
    const call = { toolName: 'Bash', toolInput: { command: 'make' }, toolUseId: 't1' }
    await hooks.fire('PreToolUse', call)
    nowMs += 250
    await hooks.fire('PostToolUse', { ...call, toolResponse: 'ok', ...told })
    expect(ended).toEqual([expected])
  })

  test('what only changes files may run again', async () => {
    const { run, ran } = pipeline()
    await run('Bash', { command: 'touch a' })
    await run('Bash', { command: 'touch a' })
    expect(ran.length).toBe(2)
  })

  test('a failed external call may run again', async () => {
    const { run, memory } = pipeline()
    await run('Bash', { command: 'git push fail' })
    await run('Bash', { command: 'git push fail' })
    expect([...memory.calls.values()].map(({ status, attempt }) => [status, attempt])).toEqual([['failed', 2]])
  })

  test('a call whose end nobody saw is asked about once, then runs', async () => {
    const memory = createMemory()
    const hooks = guarded({ tool_ledger: {} }, memory)
    const push = { toolName: 'Bash', toolInput: { command: 'git push' } }
    await hooks.fire('PreToolUse', { ...push, toolUseId: '1' })
    const again = await hooks.fire('PreToolUse', { ...push, toolUseId: '2' })
    const third = await hooks.fire('PreToolUse', { ...push, toolUseId: '3' })
    expect([again.verdict.decision, third.verdict.decision]).toEqual(['deny', 'none'])
  })

  test.each([
    ['deny', []],
    ['ask', ['prepared']],
    ['allow', ['running']],
  ] as const)('permissions will say %s: it stands as %j', async (decision, statuses) => {
    const memory = createMemory()
    const hooks = guarded({ tool_ledger: {} }, memory, { judge: () => decision })
    const push = { toolName: 'Bash', toolInput: { command: 'git push' } }
    await hooks.fire('PreToolUse', push)
    expect([...memory.calls.values()].map(({ status }) => status)).toEqual(statuses)
  })

  test('a call that somebody refuses after it was noted never ran, and runs when it is called again', async () => {
    const memory = createMemory()
    const hooks = guarded({ tool_ledger: {} }, memory)
    const undo = hooks.on('PreToolUse', () => deny('not today'))
    const { runTool } = createToolPipeline({ hooks, tools: [{ name: 'Bash', execute: () => 'ok' }] })
    const refused = await runTool('Bash', { command: 'git push' })
    expect([refused.status, [...memory.calls.values()].map(({ status }) => status)]).toEqual(['denied', ['abandoned']])
    undo()
    expect((await runTool('Bash', { command: 'git push' })).status).toBe('succeeded')
  })

  test('hooks that are made anew know what was begun before', async () => {
    const log = createMemory()
    const port = createMemoryPort()
    const push = { toolName: 'Bash', toolInput: { command: 'git push' }, toolUseId: '1' }
    await guarded({ tool_ledger: {} }, log, { memory: port }).fire('PreToolUse', push)
    const other = { ...push, toolInput: { command: 'git push -q' }, toolResponse: 'ok' }
    await guarded({ tool_ledger: {} }, log, { memory: port }).fire('PostToolUse', other)
    expect([...log.calls.values()].map(({ status }) => status)).toEqual(['succeeded'])
  })

  test.each([
    ['RELAUNCH', 2],
    ['REPLAY_EXACT', 1],
  ])('a rule says %s: it runs %i times', async (policy, times) => {
    const { run, ran } = pipeline({ rules: [{ tool: 'Send', class: 'external', policy }] })
    await run('Send', { command: 'x' })
    await run('Send', { command: 'x' })
    expect(ran.length).toBe(times)
  })

  test('a hook after it rewrites the input: the call is ended under the key it began with', async () => {
    const memory = createMemory()
    const hooks = guarded({ tool_ledger: {} }, memory)
    hooks.on('PreToolUse', context => {
      context.toolInput.command = 'git push other'
    })
    const { runTool } = createToolPipeline({ hooks, tools: [{ name: 'Bash', execute: () => 'ok' }] })
    await runTool('Bash', { command: 'git push' })
    expect([...memory.calls.values()].map(({ status }) => status)).toEqual(['succeeded'])
  })
})
