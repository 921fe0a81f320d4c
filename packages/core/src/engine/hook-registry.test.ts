// The five examples of the library's document, in its own names, and what a reader of it would try next.
import { describe, expect, test } from 'vitest'
import { HookEvent, HookRegistry, HookResult, PermissionDecision, type RunContext } from './hook-registry.ts'
import { createToolPipeline } from './pipeline/create-tool-pipeline.ts'

const call = (toolName: string, toolInput: Record<string, unknown> = {}): RunContext => ({
  event: HookEvent.PreToolUse,
  toolName,
  toolInput,
})

describe('the examples of the document', () => {
  test('block dangerous commands', async () => {
    const hooks = new HookRegistry().addWithPattern(HookEvent.PreToolUse, 'Bash', async context =>
      String(context.toolInput.command).includes('rm -rf') ? HookResult.deny('Dangerous command') : HookResult.none(),
    )
    expect(await hooks.run(call('Bash', { command: 'rm -rf /' }))).toEqual({
      decision: PermissionDecision.Deny,
      reason: 'Dangerous command',
    })
    expect((await hooks.run(call('Bash', { command: 'ls' }))).decision).toBe('none')
    expect((await hooks.run(call('BashOutput', { command: 'rm -rf /' }))).decision).toBe('none')
  })

  test('rewrite paths', async () => {
    const hooks = new HookRegistry().addWithPattern(HookEvent.PreToolUse, 'Read|Write|Edit', async context => {
      context.toolInput.file_path = `/mnt/remote${String(context.toolInput.file_path)}`
      return HookResult.allow()
    })
    const context = call('Write', { file_path: '/a' })
    expect([(await hooks.run(context)).decision, context.toolInput]).toEqual(['allow', { file_path: '/mnt/remote/a' }])
  })

  test('filter messages', async () => {
    const hooks = new HookRegistry().add(HookEvent.PreToolUse, async context => {
      context.messages.splice(0, context.messages.length, ...context.messages.filter(message => message !== 'secret'))
      return HookResult.none()
    })
    const context = { ...call('Read'), messages: ['a', 'secret', 'b'] }
    await hooks.run(context)
    expect(context.messages).toEqual(['a', 'b'])
  })

  test('auto-approve read tools', async () => {
    const hooks = new HookRegistry().addWithPattern(HookEvent.PreToolUse, 'Read|Glob|Grep', async () => HookResult.allow())
    expect([(await hooks.run(call('Glob'))).decision, (await hooks.run(call('Bash'))).decision]).toEqual(['allow', 'none'])
  })

  test('audit logging, and a result that a hook replaces', async () => {
    const seen: unknown[] = []
    const hooks = new HookRegistry().add(HookEvent.PostToolUse, async context => {
      seen.push([context.toolName, context.toolOutput])
      context.toolOutput = 'hidden'
      return HookResult.none()
    })
    const context: RunContext = { event: HookEvent.PostToolUse, toolName: 'Bash', toolInput: {}, toolOutput: 'out' }
    await hooks.run(context)
    expect([seen, context.toolOutput]).toEqual([[['Bash', 'out']], 'hidden'])
  })
})

test('a prompt that a hook changes', async () => {
  const hooks = new HookRegistry().add(HookEvent.UserPromptSubmit, context => {
    context.userPrompt = `[safe] ${context.userPrompt}`
  })
  const context: RunContext = { event: HookEvent.UserPromptSubmit, userPrompt: 'hello' }
  await hooks.run(context)
  expect(context.userPrompt).toBe('[safe] hello')
})

test('deny wins, whatever the order', async () => {
  const hooks = new HookRegistry()
    .add(HookEvent.PreToolUse, () => HookResult.allow())
    .add(HookEvent.PreToolUse, () => HookResult.deny('no'))
    .add(HookEvent.PreToolUse, () => HookResult.ask())
  expect((await hooks.run(call('Bash'))).decision).toBe('deny')
})

test.each([
  ['mcp__memory__.*', 'mcp__memory__read', true],
  ['mcp__memory__.*', 'mcp__other__read', false],
  ['mcp__memory__.+', 'mcp__memory__', false],
  ['^Re.*', 'Read', true],
  ['^Re', 'Read', true],
  ['^Re', 'NoRead', false],
  ['(Read|Write)\\b', 'Write', true],
  ['mcp__*', 'mcp__a', true],
  ['Bash(rm *)', 'Bash', true],
  ['B?sh', 'Bash', true],
])('%s and %s: %s', async (pattern, toolName, fires) => {
  const hooks = new HookRegistry().addWithPattern(HookEvent.PreToolUse, pattern, () => HookResult.deny('no'))
  expect((await hooks.run(call(toolName, { command: 'rm x' }))).decision).toBe(fires ? 'deny' : 'none')
})

test.each(['Read|Write(', '', 'a b', '.*(', '[a'])('%j is refused when it is registered', pattern => {
  expect(() => new HookRegistry().addWithPattern(HookEvent.PreToolUse, pattern, () => undefined)).toThrow('BELAY_HOOK_MATCHER')
})

test('a pipeline takes it as its hooks', async () => {
  const hooks = new HookRegistry().addWithPattern('PreToolUse', 'Bash', () => HookResult.deny('not here'))
  const { status, reason } = await createToolPipeline({ hooks, tools: [{ name: 'Bash', execute: () => 'ran' }] }).runTool('Bash', {})
  expect([status, reason]).toEqual(['denied', 'not here'])
})
