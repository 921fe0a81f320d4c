import { describe, expect, it } from 'vitest'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HookResult } from '../../hook/hook-result.ts'
import { none } from '../../verdict/verdict.ts'
import { makeEvent } from '../fixtures/make-event.ts'
import { resultOf, runBuiltinHook } from '../fixtures/run-builtin-hook.ts'
import type { Config } from './config-value.ts'

const bash = (command: string) => makeEvent({ fields: { toolName: 'Bash', toolInput: { command, timeout: 5 } } })
const output = (toolResponse: unknown) => makeEvent({ name: 'PostToolUse', fields: { toolName: 'Bash', toolInput: {}, toolResponse } })
const prompt = (text: string) => makeEvent({ name: 'UserPromptSubmit', fields: { prompt: text } })
const NOTHING = { verdict: none() }

describe('modify', () => {
  it.each<[Config, HookEvent, HookResult]>([
    [
      { set: { '/timeout': 60, '/env/CI': '1' } },
      bash('ls'),
      { verdict: none(), rewrite: { input: { command: 'ls', timeout: 60, env: { CI: '1' } } } },
    ],
    [{ remove: ['/timeout', '/absent'] }, bash('ls'), { verdict: none(), rewrite: { input: { command: 'ls' } } }],
    [{ replace: { '/command': 'pwd', '/absent': 1 } }, bash('ls'), { verdict: none(), rewrite: { input: { command: 'pwd', timeout: 5 } } }],
    [
      { template: { '/command': 'timeout 60 {{/tool_input/command}}' } },
      bash('ls'),
      { verdict: none(), rewrite: { input: { command: 'timeout 60 ls', timeout: 5 } } },
    ],
    [{ set: { '/timeout': 5 } }, bash('ls'), NOTHING],
    [{ replace: { '/absent': 1 } }, bash('ls'), NOTHING],
    [
      { target: 'output', set: { '/stdout': 'x' } },
      output({ stdout: 'y', code: 0 }),
      { verdict: none(), rewrite: { output: { stdout: 'x', code: 0 } } },
    ],
    [{ set: { '': 'new' } }, output('old'), { verdict: none(), rewrite: { output: 'new' } }],
    [
      { template: { '': '{{/prompt}}\nAnswer briefly.' } },
      prompt('Why?'),
      { verdict: none(), rewrite: { prompt: 'Why?\nAnswer briefly.' } },
    ],
  ])('%j', async (config, event, result) => {
    expect(await resultOf('modify', config, event)).toEqual(result)
  })

  it.each<[Config, HookEvent, string]>([
    [{ template: { '/command': '{{/tool_input/absent}}' } }, bash('ls'), 'nothing at {{/tool_input/absent}}'],
    [{ set: { '/command/x': 1 } }, bash('ls'), 'no way to /command/x'],
    [{ set: { '': 'text' } }, bash('ls'), 'wrong type'],
    [{ target: 'output', set: { '/a': 1 } }, bash('ls'), 'PreToolUse has no output'],
    [{ set: { '/a': 1 } }, makeEvent({ name: 'SessionEnd', fields: {} }), 'SessionEnd has no value'],
  ])('%j does not fit', async (config, event, words) => {
    expect(await runBuiltinHook('modify', config, event)).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NOT_APPLICABLE',
      why: expect.stringContaining(words),
    })
  })

  it('never touches the event it was given', async () => {
    const event = bash('ls')
    await runBuiltinHook('modify', { set: { '/command': 'pwd', '/a/b': 1 }, remove: ['/timeout'] }, event)
    expect(event).toEqual(bash('ls'))
  })

  it('__proto__ is a key like any other', async () => {
    const { rewrite } = await resultOf('modify', { set: { '/__proto__/polluted': true } }, bash('ls'))
    expect(Object.keys(rewrite?.input ?? {})).toEqual(['command', 'timeout', '__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
