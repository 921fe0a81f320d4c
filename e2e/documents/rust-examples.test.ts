// The examples in Rust of the library document and of the architecture document, word for word, made into functions by read-rust.ts and run.
import { createHooks, deny, HookEvent, HookRegistry, HookResult, type InlineHandler, type RunContext } from '@belay/core'
import { expect, test } from 'vitest'
import { readBlock } from './read-blocks.ts'
import { runRust } from './read-rust.ts'

const retain = (list: unknown[], keeps: (each: unknown) => boolean) => void list.splice(0, list.length, ...list.filter(keeps))
const contains_secret = (message: unknown) => String(message).includes('sk-')

function registryOf(line: number, more: Readonly<Record<string, unknown>> = {}): HookRegistry {
  const hooks = new HookRegistry()
  runRust(readBlock('library', line), { hooks, HookEvent, HookResult, retain, contains_secret, ...more })
  return hooks
}

const call = (toolName: string, toolInput: Record<string, unknown> = {}): RunContext => ({
  event: HookEvent.PreToolUse,
  toolName,
  toolInput,
})

test('block dangerous commands', async () => {
  const hooks = registryOf(231)
  const decisionOf = async (context: RunContext) => (await hooks.run(context)).decision
  expect(await hooks.run(call('Bash', { command: 'rm -rf /' }))).toEqual(deny('Dangerous command'))
  expect([await decisionOf(call('Bash', { command: 'ls' })), await decisionOf(call('Bash')), await decisionOf(call('Read'))]).toEqual([
    'none',
    'none',
    'none',
  ])
})

test('rewrite paths', async () => {
  const hooks = registryOf(248)
  const [write, other] = [call('Write', { file_path: '/a' }), call('Edit')]
  expect([(await hooks.run(write)).decision, write.toolInput]).toEqual(['allow', { file_path: '/mnt/remote/a' }])
  expect([(await hooks.run(other)).decision, other.toolInput]).toEqual(['allow', {}])
  expect((await hooks.run(call('Bash', { file_path: '/a' }))).decision).toBe('none')
})

test('filter messages', async () => {
  const context = { ...call('Read'), messages: ['hello', 'my key is sk-1', 'bye'] }
  expect((await registryOf(261).run(context)).decision).toBe('none')
  expect(context.messages).toEqual(['hello', 'bye'])
})

test('auto-approve read tools', async () => {
  const hooks = registryOf(271)
  const decisions = await Promise.all(['Read', 'Glob', 'Grep', 'Bash'].map(async tool => (await hooks.run(call(tool))).decision))
  expect(decisions).toEqual(['allow', 'allow', 'allow', 'none'])
})

test('audit logging', async () => {
  const told: unknown[] = []
  const hooks = registryOf(279, { info: (...line: unknown[]) => told.push(line) })
  await hooks.run({ event: HookEvent.PostToolUse, toolName: 'Bash', toolInput: {}, toolOutput: 'out' })
  expect(told).toEqual([[{ tool: 'Bash', result: 'out' }, 'Tool executed']])
})

test('custom permission check, of the architecture document', async () => {
  const hooks = createHooks()
  interface Definition {
    readonly event: 'PreToolUse'
    readonly tool_matcher: string
    readonly handler: { readonly callback: InlineHandler }
  }
  const registry = {
    register: ({ event, tool_matcher: matcher, handler: { callback } }: Definition) => void hooks.on(event, matcher, callback),
  }
  runRust(readBlock('architecture', 1121), { registry, HookEventType: HookEvent, HookResult })
  const verdictOf = async (path: string) => (await hooks.fire('PreToolUse', { toolName: 'Write', toolInput: { file_path: path } })).verdict
  expect([await verdictOf('/app/.env'), await verdictOf('/app/credentials.json')]).toEqual(
    Array(2).fill(deny('Cannot write to sensitive files')),
  )
  expect((await verdictOf('/app/index.ts')).decision).toBe('none')
})
