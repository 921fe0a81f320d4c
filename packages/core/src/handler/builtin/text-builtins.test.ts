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

describe('input_sanitization', () => {
  it.each<[Config, HookEvent, HookResult]>([
    [{}, bash('ls -l\r\n\tpwd'), NOTHING],
    [
      {},
      bash('ls\u0000\u001b[2J\u0085'),
      { verdict: none(), rewrite: { input: { command: 'ls[2J', timeout: 5 } }, message: 'removed control characters in the input' },
    ],
    [
      {},
      bash('rm \u202Etxt.exe\u2066'),
      {
        verdict: none(),
        rewrite: { input: { command: 'rm txt.exe', timeout: 5 } },
        message: 'removed bidirectional controls in the input',
      },
    ],
    [{ strip_bidi: false, strip_control: false }, bash('a\u202E\u0000'), NOTHING],
    [{ trim: true }, prompt('  hi '), { verdict: none(), rewrite: { prompt: 'hi' }, message: 'trimmed white space in the prompt' }],
  ])('%j', async (config, event, result) => {
    expect(await resultOf('input_sanitization', config, event)).toEqual(result)
  })

  it('redacts through the port, also in nested values, and says so', async () => {
    const event = makeEvent({ name: 'PreToolUse', fields: { toolName: 'X', toolInput: { list: [{ note: 'key sk-1' }], n: 1 } } })
    const answer = await runBuiltinHook('input_sanitization', { redact: true }, event, {
      redactText: text => text.replace(/sk-\d+/, '[redacted]'),
    })
    expect(answer).toEqual({
      kind: 'answered',
      result: {
        verdict: none(),
        rewrite: { input: { list: [{ note: 'key [redacted]' }], n: 1 } },
        message: 'redacted secrets in the input',
      },
      detail: { notes: ['redacted secrets in the input'] },
    })
  })
})

describe('format_output', () => {
  it.each<[Config, unknown, unknown]>([
    [{ strip_ansi: true }, '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007', 'red link'],
    [{ trim: true }, { stdout: ' a \n', stderr: '', code: 0 }, { stdout: 'a', stderr: '', code: 0 }],
    [{ max_length: 3 }, 'abcdef', 'abc… (3 more characters)'],
    [{ max_length: 1 }, '😀!', '… (3 more characters)'],
    [
      { trim: true, fields: ['/stdout', '/absent'] },
      { stdout: ' a ', stderr: ' b ' },
      { stdout: 'a', stderr: ' b ' },
    ],
    [{ trim: true, template: '[{{/tool_name}}] {{.}}', fields: ['/stdout'] }, { stdout: ' a ' }, { stdout: '[Bash] a' }],
  ])('%j on %j', async (config, given, expected) => {
    expect(await resultOf('format_output', config, output(given))).toEqual({ verdict: none(), rewrite: { output: expected } })
  })

  it('leaves alone what is in order', async () => {
    expect(await resultOf('format_output', { trim: true, strip_ansi: true, max_length: 10 }, output({ stdout: 'ok' }))).toEqual(NOTHING)
  })

  it('fails on a slot that the event does not have', async () => {
    expect(await runBuiltinHook('format_output', { template: '{{/absent}}' }, output('a'))).toMatchObject({
      code: 'BELAY_HANDLER_NOT_APPLICABLE',
    })
  })
})
