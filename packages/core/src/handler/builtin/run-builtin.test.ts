import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { BuiltinName } from '../../hook/hook-definition.ts'
import type { HookEvent } from '../../hook/hook-event.ts'
import type { HandlerRun, HookResult } from '../../hook/hook-result.ts'
import { ask, deny, none } from '../../verdict/verdict.ts'
import type { Config } from './config-value.ts'
import type { BuiltinPorts } from './ports.ts'
import { checkLoad } from './resource-check.ts'
import { runBuiltin, validateBuiltinConfig } from './run-builtin.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-builtin-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function makeEvent(name: string, fields: Record<string, unknown>): HookEvent {
  return {
    name,
    sessionId: 's1',
    cwd: folder,
    transcriptPath: null,
    permissionMode: null,
    actor: 'agent:test',
    agent: 'claude-code',
    commitment: null,
    fields,
    env: {},
  }
}

const bash = (command: string) => makeEvent('PreToolUse', { toolName: 'Bash', toolInput: { command, timeout: 5 } })
const output = (toolResponse: unknown) => makeEvent('PostToolUse', { toolName: 'Bash', toolInput: {}, toolResponse })
const prompt = (text: string) => makeEvent('UserPromptSubmit', { prompt: text })

function run(builtin: BuiltinName, config: Config, event: HookEvent, ports: BuiltinPorts = {}): Promise<HandlerRun> {
  return runBuiltin({ event: event.name, scope: 'policy', handler: { type: 'builtin', builtin, config } }, event, { ports })
}

async function resultOf(builtin: BuiltinName, config: Config, event: HookEvent, ports: BuiltinPorts = {}): Promise<HookResult> {
  const answer = await run(builtin, config, event, ports)
  if (answer.kind !== 'answered') throw new Error(JSON.stringify(answer))
  return answer.result
}

const NOTHING = { verdict: none() }

describe('deny', () => {
  it.each([
    [{ reason: 'Environment files are protected' }, 'Environment files are protected'],
    [{}, 'denied by policy'],
  ])('%j', async (config, reason) => {
    expect(await resultOf('deny', config, bash('ls'))).toEqual({ verdict: deny(reason) })
  })
})

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
    [{ set: { '/a': 1 } }, makeEvent('SessionEnd', {}), 'SessionEnd has no value'],
  ])('%j does not fit', async (config, event, words) => {
    expect(await run('modify', config, event)).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NOT_APPLICABLE',
      why: expect.stringContaining(words),
    })
  })

  it('never touches the event it was given', async () => {
    const event = bash('ls')
    await run('modify', { set: { '/command': 'pwd', '/a/b': 1 }, remove: ['/timeout'] }, event)
    expect(event).toEqual(bash('ls'))
  })

  it('__proto__ is a key like any other', async () => {
    const { rewrite } = await resultOf('modify', { set: { '/__proto__/polluted': true } }, bash('ls'))
    expect(Object.keys(rewrite?.input ?? {})).toEqual(['command', 'timeout', '__proto__'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

describe('input_sanitization', () => {
  it.each<[Config, HookEvent, HookResult]>([
    [{}, bash('ls -l\n\tpwd'), NOTHING],
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
    const event = makeEvent('PreToolUse', { toolName: 'X', toolInput: { list: [{ note: 'key sk-1' }], n: 1 } })
    const answer = await run('input_sanitization', { redact: true }, event, { redactText: text => text.replace(/sk-\d+/, '[redacted]') })
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
    expect(await run('format_output', { template: '{{/absent}}' }, output('a'))).toMatchObject({ code: 'BELAY_HANDLER_NOT_APPLICABLE' })
  })
})

describe('resource_check', () => {
  const big = join(folder, 'tree', 'big.bin')
  mkdirSync(join(folder, 'tree', 'deep'), { recursive: true })
  writeFileSync(big, Buffer.alloc(2000))
  writeFileSync(join(folder, 'tree', 'deep', 'a'), '')
  writeFileSync(join(folder, 'tree', 'deep', 'b'), '')
  const onFile = (file_path: string, content?: string) => makeEvent('PreToolUse', { toolName: 'Write', toolInput: { file_path, content } })

  it.each<[Config, HookEvent, HookResult | string]>([
    [{ min_free_disk: 1 }, bash('ls'), NOTHING],
    [{ min_free_disk: '1000000TB' }, bash('ls'), 'at least 1000000.0 TB are required'],
    [{ max_load: 1_000_000 }, bash('ls'), NOTHING],
    [{ max_file_size: '2KB' }, onFile(big), NOTHING],
    [{ max_file_size: '1.5KB' }, onFile('tree/big.bin'), `${big} has 2.0 KB, the limit is 1.5 KB`],
    [{ max_file_size: 3 }, onFile('new.txt', 'long'), 'the new content has 4 bytes, the limit is 3 bytes'],
    [{ max_file_size: 3 }, onFile('new.txt', 'abc'), NOTHING],
    [{ max_file_count: 3, path: 'tree' }, bash('ls'), NOTHING],
    [{ max_file_count: 2, path: 'tree' }, bash('ls'), `${join(folder, 'tree')} holds more than 2 files`],
  ])('%j', async (config, event, expected) => {
    const result = await resultOf('resource_check', config, event)
    expect(result).toEqual(
      typeof expected === 'string' ? { verdict: { decision: 'deny', reason: expect.stringContaining(expected) } } : expected,
    )
  })

  it('asks where the config says so, and names everything it found', async () => {
    const { verdict } = await resultOf(
      'resource_check',
      { max_file_count: 0, max_file_size: 1, path: 'tree', decision: 'ask' },
      onFile(big),
    )
    expect(verdict).toEqual(ask(`${big} has 2.0 KB, the limit is 1 bytes; ${join(folder, 'tree')} holds more than 0 files`))
  })

  it.each([
    [null, 99, null],
    [2, 2, null],
    [2, 2.5, 'the load of this machine is 2.50, the limit is 2'],
  ])('max_load %s with a load of %s', (most, load, finding) => {
    expect(checkLoad(most, load)).toBe(finding)
  })

  it('fails when it cannot look', async () => {
    expect(await run('resource_check', { max_file_count: 1, path: 'absent' }, bash('ls'))).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining('ENOENT'),
    })
  })
})

describe('built-ins behind a port', () => {
  const stop = makeEvent('Stop', {})
  const answerWith = (state: object) => ({ approvals: { ask: async () => state } }) as BuiltinPorts

  it.each<[BuiltinName, Config]>([
    ['genesis_enforcement', {}],
    ['evidence_capture', { ledger: true }],
    ['ledger_annotation', { text: 'x' }],
    ['approval_gate', {}],
    ['approval_gate', { condition: 'true' }],
    ['final_validation', {}],
    ['input_sanitization', { redact: true }],
  ])('%s %j without its port', async (builtin, config) => {
    expect(await run(builtin, config, bash('ls'))).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_NO_PORT',
      why: expect.stringContaining('in the daemon'),
    })
  })

  it('a port that fails', async () => {
    const judgeEvent = () => Promise.reject(new Error('store is closed'))
    expect(await run('genesis_enforcement', {}, bash('ls'), { judgeEvent })).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_PORT_FAILED',
      why: expect.stringContaining('store is closed'),
    })
  })

  it('a port that never answers', async () => {
    const hook = {
      event: 'PreToolUse',
      scope: 'policy',
      timeoutMs: 50,
      handler: { type: 'builtin', builtin: 'genesis_enforcement', config: {} },
    } as const
    const judgeEvent = () => new Promise<never>(() => undefined)
    expect(await runBuiltin(hook, bash('ls'), { ports: { judgeEvent } })).toEqual({ kind: 'cancelled', why: 'timeout' })
  })

  it('genesis_enforcement says what the policy says', async () => {
    const judgeEvent = (event: HookEvent) => deny(`${event.actor} may not`)
    expect(await resultOf('genesis_enforcement', {}, bash('ls'), { judgeEvent })).toEqual({ verdict: deny('agent:test may not') })
  })

  it('evidence_capture records with its kind', async () => {
    const seen: unknown[] = []
    const evidence = { capture: async (item: unknown) => ({ id: `ev_${seen.push(item)}` }) }
    const event = output('done')
    expect(await run('evidence_capture', { ledger: true, kind: 'command_execution' }, event, { evidence })).toEqual({
      kind: 'answered',
      result: NOTHING,
      detail: { notes: ['recorded as ev_1'] },
    })
    expect(seen).toEqual([{ kind: 'command_execution', event }])
  })

  it('evidence_capture without the ledger goes with the run', async () => {
    expect(await resultOf('evidence_capture', { kind: 'k' }, bash('ls'))).toEqual({
      verdict: none(),
      evidence: { kind: 'k', data: { event: 'PreToolUse', toolName: 'Bash' } },
    })
  })

  it('ledger_annotation fills in its text', async () => {
    const seen: unknown[] = []
    const annotator = { annotate: async (item: unknown) => ({ id: `an_${seen.push(item)}` }) }
    const event = bash('ls')
    await run('ledger_annotation', { text: '{{/tool_name}} ran', tags: ['ci'] }, event, { annotator })
    expect(seen).toEqual([{ text: 'Bash ran', tags: ['ci'], event }])
  })

  it.each<[HookEvent, object, HookResult]>([
    [bash('ls'), { state: 'approved', by: 'human:a' }, NOTHING],
    [bash('ls'), { state: 'not-needed' }, NOTHING],
    [bash('ls'), { state: 'rejected', by: 'human:a', reason: 'no' }, { verdict: deny('rejected by human:a: no') }],
    [
      bash('ls'),
      { state: 'pending', id: 'r1', isNew: true },
      { verdict: ask('human:rashid has to approve this (request r1: belay approvals allow r1)') },
    ],
    [
      stop,
      { state: 'pending', id: 'r1', isNew: true },
      { verdict: deny('human:rashid has to approve this (request r1: belay approvals allow r1)') },
    ],
    [
      stop,
      { state: 'pending', id: 'r1', isNew: false },
      { verdict: none(), message: 'human:rashid has to approve this (request r1: belay approvals allow r1)' },
    ],
  ])('approval_gate on $name, %j', async (event, state, result) => {
    expect(await resultOf('approval_gate', { approvers: ['human:rashid'] }, event, answerWith(state))).toEqual(result)
  })

  it.each([
    [{ ok: true, value: false } as const, 'none'],
    [{ ok: true, value: true } as const, 'ask'],
    [{ ok: false, why: 'no such field' } as const, 'ask'],
  ])('approval_gate with a condition that gives %j', async (outcome, decision) => {
    const ports = { ...answerWith({ state: 'pending', id: 'r1', isNew: true }), evaluateCondition: () => outcome }
    expect((await resultOf('approval_gate', { condition: 'c' }, bash('ls'), ports)).verdict.decision).toBe(decision)
  })

  it('final_validation hands the completion contract over and lists what is missing', async () => {
    const plans: unknown[] = []
    const validator = { validate: async (plan: unknown) => (plans.push(plan) === 1 ? ['src/a.ts is missing', 'npm run build failed'] : []) }
    const config = {
      required_files: ['src/a.ts'],
      checks: { tsc: true, build: true, test: false },
      mentu: { enabled: true, commitments: { mode: 'dynamic', min_count: 1, require_closed: true, require_evidence: true } },
      max_iterations: 50,
    }
    expect(await resultOf('final_validation', config, stop, { validator })).toEqual({
      verdict: deny('Not finished yet:\n- src/a.ts is missing\n- npm run build failed'),
    })
    expect(await resultOf('final_validation', config, stop, { validator })).toEqual(NOTHING)
    expect(plans[0]).toEqual({
      requiredFiles: ['src/a.ts'],
      checks: ['tsc', 'build'],
      commitments: { minCount: 1, requireClosed: true, requireEvidence: true },
      maxIterations: 50,
      event: stop,
    })
  })
})

describe('configs that are wrong', () => {
  it.each<[BuiltinName, Config, object[]]>([
    ['deny', { reson: 'x' }, [{ key: 'reson', message: '`config.reson` is not a known key', remedy: 'did you mean reason?' }]],
    ['deny', { reason: 7 }, [{ key: 'reason', message: '`config.reason` must be a text' }]],
    [
      'genesis_enforcement',
      { strict: true },
      [{ key: 'strict', message: '`config.strict` is not a known key', remedy: 'leave it out: there is nothing to set' }],
    ],
    ['modify', {}, [{ key: null, message: '`config` changes nothing', remedy: 'give it set, remove, replace or template' }]],
    [
      'modify',
      { set: { command: 1 } },
      [{ key: 'set', message: '`config.set` has "command", which is not a JSON pointer', remedy: 'write /command or /a/0/b' }],
    ],
    [
      'modify',
      { template: { '/a': '{{b}}' } },
      [
        {
          key: 'template',
          message: '`config.template./a` has {{b}}, which is not a JSON pointer',
          remedy: 'write {{/tool_input/command}}',
        },
      ],
    ],
    [
      'modify',
      { target: 'outptu', set: { '/a': 1 } },
      [{ key: 'target', message: '`config.target` is "outptu"', remedy: 'did you mean output?' }],
    ],
    [
      'resource_check',
      {},
      [{ key: null, message: '`config` checks nothing', remedy: 'give it min_free_disk, max_load, max_file_size, max_file_count' }],
    ],
    [
      'resource_check',
      { min_free_disk: '10 potatoes' },
      [{ key: 'min_free_disk', message: '`config.min_free_disk` must be a size such as 500MB or a number of bytes' }],
    ],
    [
      'resource_check',
      { max_file_count: 1.5 },
      [{ key: 'max_file_count', message: '`config.max_file_count` must be a whole number, not negative' }],
    ],
    ['approval_gate', { approvers: 'human:a' }, [{ key: 'approvers', message: '`config.approvers` must be a list of texts' }]],
    [
      'final_validation',
      { mentu: { commitments: { min_cout: 1 } } },
      [{ key: 'mentu', message: '`config.mentu.commitments.min_cout` is not a known key', remedy: 'did you mean min_count?' }],
    ],
    ['final_validation', { checks: { tsc: 'yes' } }, [{ key: 'checks', message: '`config.checks.tsc` must be true or false' }]],
    ['ledger_annotation', {}, [{ key: null, message: '`config` notes nothing', remedy: 'give it a text or tags' }]],
    [
      'format_output',
      { fields: ['stdout'] },
      [{ key: 'fields', message: '`config.fields` has "stdout", which is not a JSON pointer', remedy: 'write /stdout' }],
    ],
  ])('%s %j', (builtin, config, problems) => {
    expect(validateBuiltinConfig(builtin, config)).toEqual(problems)
  })

  it('do not run', async () => {
    expect(await run('deny', { reson: 'x' }, bash('ls'))).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_BAD_CONFIG',
      why: expect.stringContaining('reson'),
    })
  })
})
