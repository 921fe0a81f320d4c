import { describe, expect, it } from 'vitest'
import type { CommandDialect, HookDefinition } from '../../hook/hook-definition.ts'
import type { HandlerRun } from '../../hook/hook-result.ts'
import { allow, deny, none } from '../../verdict/verdict.ts'
import { interpretEnd } from './interpret-end.ts'

interface Case {
  dialect?: CommandDialect
  event?: string
  code?: number
  signal?: string
  stdout?: string
  stderr?: string
  readsStdout?: boolean
  isAsync?: boolean
}

function interpret({
  dialect = 'settings',
  event = 'PreToolUse',
  code = 0,
  signal,
  stdout = '',
  stderr = '',
  readsStdout = true,
  isAsync = false,
}: Case): HandlerRun {
  const hook: HookDefinition = {
    event,
    scope: 'session',
    name: 'guard',
    async: isAsync,
    handler: { type: 'command', command: 'x', dialect },
  }
  const output = { stdout, stderr, truncated: false }
  const end =
    signal === undefined ? ({ kind: 'exited', exitCode: code, ...output } as const) : ({ kind: 'killed', signal, ...output } as const)
  return interpretEnd(end, { hook, dialect, eventName: event, readsStdout })
}

const DENY = '{"decision":"deny","reason":"json"}'
const ALLOW = '{"decision":"allow"}'

describe('exit codes, by dialect', () => {
  it.each<[Case, unknown]>([
    // settings: 2 denies whatever stdout says; JSON is read on every other code.
    [{ code: 0 }, { verdict: none() }],
    [{ code: 0, stdout: DENY }, { verdict: deny('json') }],
    [{ code: 2, stderr: 'no\n' }, { verdict: deny('no') }],
    [{ code: 2 }, { verdict: deny('the hook exited with code 2 and gave no reason') }],
    [{ code: 2, stdout: ALLOW, stderr: 'no' }, { verdict: deny('no') }],
    [{ code: 2, stdout: '{"decision":', stderr: 'no' }, { verdict: deny('no') }],
    [{ code: 2, stdout: 'the reason' }, { verdict: deny('the reason') }],
    [{ code: 2, stdout: DENY }, { verdict: deny('json') }],
    [
      { code: 2, stdout: '{"systemMessage":"m","additionalContext":"c"}', stderr: 'no' },
      { verdict: deny('no'), message: 'm', context: 'c' },
    ],
    [{ code: 1, stdout: DENY }, { verdict: deny('json') }],
    [{ code: 1, stdout: ALLOW }, { verdict: allow() }],
    [{ code: 0, stdout: 'formatted' }, { verdict: none() }],
    [
      { code: 0, stdout: 'hello', event: 'SessionStart' },
      { verdict: none(), context: 'hello' },
    ],
    [
      { code: 0, stdout: 'hello\n', event: 'UserPromptSubmit' },
      { verdict: none(), context: 'hello' },
    ],
    [{ code: 0, stdout: '{"session_id":"s","prompt":"p"}', event: 'UserPromptSubmit' }, { verdict: none() }],
    // hooks.toml: every other end is a deny.
    [{ dialect: 'toml', code: 0, stdout: '"Continue"' }, { verdict: none() }],
    [{ dialect: 'toml', code: 0, stdout: '{"Reject":{"reason":"r"}}' }, { verdict: deny('r') }],
    [{ dialect: 'toml', code: 0, stdout: '{"Reject":{"reason":"r"}}', readsStdout: false }, { verdict: none() }],
    [{ dialect: 'toml', code: 0, stdout: 'not JSON' }, { verdict: none() }],
    [{ dialect: 'toml', code: 1, stderr: 'boom\n' }, { verdict: deny('Hook failed: boom') }],
    [{ dialect: 'toml', code: 3, stdout: ALLOW }, { verdict: deny('Hook failed: exited with code 3') }],
    [{ dialect: 'toml', signal: 'SIGKILL' }, { verdict: deny('Hook failed: was ended by SIGKILL') }],
    [{ dialect: 'toml', code: 1, event: 'UserPromptSubmit', stderr: 'boom' }, { verdict: deny('Hook failed: boom') }],
    // genesis: 2 denies, of other codes only a deny counts.
    [
      { dialect: 'genesis', code: 0, stdout: '{"decision":"allow","modified_input":{"a":1}}' },
      { verdict: allow(), rewrite: { input: { a: 1 } } },
    ],
    [{ dialect: 'genesis', code: 2, stderr: 'no' }, { verdict: deny('no') }],
    [{ dialect: 'genesis', code: 2, stdout: DENY, stderr: 'debug log' }, { verdict: deny('json') }],
    [{ code: 2, stdout: DENY, stderr: 'no' }, { verdict: deny('no') }],
    [{ dialect: 'genesis', code: 1, stdout: DENY }, { verdict: deny('json') }],
    [{ signal: 'SIGSEGV', stdout: DENY }, { verdict: deny('json') }],
  ])('%j', (given, result) => {
    const run = interpret(given)
    expect(run).toMatchObject({ kind: 'answered' })
    expect(run.kind === 'answered' && run.result).toEqual(result)
  })

  it.each<[Case, string, string]>([
    [{ code: 1 }, 'BELAY_HANDLER_EXIT', 'hook "guard" exited with code 1;'],
    [{ code: 4, stderr: 'jq: parse error' }, 'BELAY_HANDLER_EXIT', 'hook "guard" exited with code 4: jq: parse error;'],
    [{ code: 1, stdout: '{"result":"x","reason":"y"}' }, 'BELAY_HANDLER_EXIT', 'exited with code 1'],
    [{ code: 1, stdout: '{}' }, 'BELAY_HANDLER_EXIT', 'exited with code 1'],
    [{ code: 1, stdout: '{"decision":"maybe"}' }, 'BELAY_HANDLER_EXIT', 'exited with code 1'],
    [{ code: 0, stdout: '{"decision":"maybe"}' }, 'BELAY_HANDLER_BAD_ANSWER', 'decision is "maybe"'],
    [{ code: 0, stdout: 'log\n{"decision":"deny"}' }, 'BELAY_HANDLER_BAD_ANSWER', 'other text'],
    [{ dialect: 'genesis', code: 1, stdout: ALLOW }, 'BELAY_HANDLER_EXIT', 'exited with code 1'],
    [{ signal: 'SIGKILL', stdout: ALLOW }, 'BELAY_HANDLER_SIGNAL', 'was ended by SIGKILL'],
    [{ dialect: 'genesis', signal: 'SIGKILL' }, 'BELAY_HANDLER_SIGNAL', 'was ended by SIGKILL'],
    // hooks.toml: after a call a hook is told of it and rejects nothing.
    [{ dialect: 'toml', code: 1, event: 'PostToolUse', stderr: 'boom' }, 'BELAY_HANDLER_EXIT', 'exited with code 1: boom'],
    [{ dialect: 'toml', code: 2, event: 'PostToolUseFailure' }, 'BELAY_HANDLER_EXIT', 'exited with code 2'],
    [{ dialect: 'toml', code: 1, isAsync: true }, 'BELAY_HANDLER_EXIT', 'exited with code 1'],
  ])('%j fails', (given, code, words) => {
    expect(interpret(given)).toMatchObject({ kind: 'failed', code, why: expect.stringContaining(words) })
  })
})

describe('exit code 2 that nobody meant', () => {
  it.each([
    "python3: can't open file '/x/guard.py': [Errno 2] No such file or directory",
    'usage: guard.py [-h] --mode MODE\nguard.py: error: the following arguments are required: --mode',
  ])('%s', stderr => {
    const run = interpret({ code: 2, stderr })
    expect(run).toMatchObject({
      kind: 'answered',
      result: { verdict: deny(stderr) },
      detail: { notes: [expect.stringContaining('check the path')] },
    })
  })
})

describe('hooks that did not start', () => {
  const hook: HookDefinition = {
    event: 'PreToolUse',
    scope: 'session',
    name: 'guard',
    handler: { type: 'command', command: 'x', dialect: 'toml' },
  }
  const end = { kind: 'not-started', code: 'no-cwd', why: 'its working directory /gone does not exist' } as const

  it('hooks.toml denies, as its specification says', () => {
    expect(interpretEnd(end, { hook, dialect: 'toml', eventName: 'PreToolUse', readsStdout: true })).toMatchObject({
      kind: 'answered',
      result: { verdict: deny('Hook error: its working directory /gone does not exist') },
    })
  })

  it('after a call there is nothing to deny', () => {
    expect(interpretEnd(end, { hook, dialect: 'toml', eventName: 'PostToolUse', readsStdout: true })).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NO_CWD',
    })
  })

  it('the others fail', () => {
    expect(interpretEnd(end, { hook, dialect: 'genesis', eventName: 'PreToolUse', readsStdout: true })).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NO_CWD',
    })
  })
})
