// The tables and sketches of the library document: names, events, and what a hook does with its context. Its five usage examples stand in examples/library.
import { createHooks, createToolPipeline, EVENTS, renderToolResult } from '@belay/core'
import { expect, test } from 'vitest'
import { readBlock } from './read-blocks.ts'

test('its events are events of Belay, and hooks of each are fired', async () => {
  const names = [...readBlock('library', 14).matchAll(/^ {4}(\w+),$/gm)].map(([, name = '']) => name)
  expect(names).toEqual(['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit'])
  expect(EVENTS.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  const fired: string[] = []
  const hooks = createHooks()
  for (const name of names) hooks.on(name as 'PreToolUse', context => void fired.push(context.event))
  const execute = ({ isFine }: { isFine?: unknown }) => {
    if (isFine !== true) throw new Error('broken')
    return 'done'
  }
  const { runTool, submitPrompt } = createToolPipeline({ hooks, tools: [{ name: 'X', execute }] })
  await submitPrompt('go')
  await runTool('X', { isFine: true })
  await runTool('X', {})
  expect(fired).toEqual(['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'PostToolUseFailure'])
})

test('one context for all of it: name, id, result, error, session, metadata that lasts, anything of the host', async () => {
  const seen: unknown[] = []
  const internals = { session: { turns: 3 } }
  const hooks = createHooks({}, { sessionId: 's9' })
  hooks.on('PreToolUse', context => {
    context.metadata.set('begun', context.toolUseId)
    context.metadata.set('internals', internals)
  })
  hooks.on('PostToolUse', ({ event, toolName, toolUseId, toolOutput, sessionId, metadata }) => {
    const { session } = metadata.get('internals') as typeof internals
    seen.push([event, toolName, toolUseId === metadata.get('begun'), toolOutput, sessionId, session.turns])
    session.turns += 1
  })
  hooks.on('PostToolUseFailure', ({ event, error }) => void seen.push([event, error]))
  const execute = ({ isFine }: { isFine?: unknown }) => {
    if (isFine !== true) throw new Error('broken')
    return 'done'
  }
  const { runTool } = createToolPipeline({ hooks, tools: [{ name: 'X', execute }], sessionId: 's9' })
  await runTool('X', { isFine: true })
  await runTool('X', {})
  expect(seen).toEqual([
    ['PostToolUse', 'X', true, 'done', 's9', 3],
    ['PostToolUseFailure', 'broken'],
  ])
  expect(internals.session.turns).toBe(4)
})

test('the executor: the tool gets the final input, and a deny is an error result with its reason', async () => {
  const hooks = createHooks()
  hooks.on('PreToolUse', 'X', context => {
    if (context.toolInput.isForbidden) return { decision: 'deny', reason: 'Dangerous command' }
    context.toolInput.path = '/mnt/remote/a'
  })
  const { runTool } = createToolPipeline({ hooks, tools: [{ name: 'X', execute: input => JSON.stringify(input) }] })
  expect(renderToolResult(await runTool('X', { path: '/a' }))).toBe('{"path":"/mnt/remote/a"}')
  expect(renderToolResult(await runTool('X', { isForbidden: true }))).toBe('Tool denied: Dangerous command')
})
