import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Handler, HookDefinition } from '../hook/hook-definition.ts'
import { deny, none } from '../verdict/verdict.ts'
import { makeEvent } from './fixtures/make-event.ts'
import type { HandlerOptions } from './handler-options.ts'
import { limitOf } from './limit.ts'
import type { LlmAnswer, LlmRequest } from './llm.ts'
import type { McpAnswer, McpCall } from './mcp.ts'
import { runHandler } from './run-handler.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-handler-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const EVENT = makeEvent({ cwd: folder, fields: { toolName: 'Write', toolInput: { file_path: 'a.ts', lines: 3 } } })

const command = (text: string): Handler => ({ type: 'command', command: text, dialect: 'settings' })
const prompt: Handler = { type: 'prompt', prompt: 'Is $ARGUMENTS fine?' }
const agent: Handler = { type: 'agent', prompt: 'Look', model: 'big' }

function hookFor(handler: Handler, change: Partial<HookDefinition> = {}): HookDefinition {
  return { event: 'PreToolUse', scope: 'session', ...change, handler }
}

function run(handler: Handler, options: HandlerOptions = {}, change: Partial<HookDefinition> = {}) {
  return runHandler(hookFor(handler, change), EVENT, options)
}

describe('every type has its runner', () => {
  it.each<[string, Handler, object]>([
    ['command', command('exit 2'), { kind: 'answered', result: { verdict: { decision: 'deny' } } }],
    [
      'http',
      { type: 'http', url: 'http://127.0.0.1/', method: 'POST', headers: {}, allowedEnv: [] },
      { code: 'BELAY_HTTP_PRIVATE_ADDRESS' },
    ],
    ['prompt', prompt, { code: 'BELAY_LLM_NO_PROVIDER', why: expect.stringContaining('config.toml') }],
    ['agent', agent, { code: 'BELAY_LLM_NO_PROVIDER' }],
    ['mcp_tool', { type: 'mcp_tool', server: 's', tool: 't', input: {} }, { code: 'BELAY_MCP_NO_CALLER' }],
    ['builtin', { type: 'builtin', builtin: 'deny', config: {} }, { kind: 'answered', result: { verdict: { decision: 'deny' } } }],
    ['inline', { type: 'inline', run: () => undefined }, { code: 'BELAY_HANDLER_NOT_APPLICABLE' }],
  ])('%s', async (_type, handler, expected) => {
    expect(await run(handler)).toMatchObject(expected)
  })

  it('a hook that breaks its runner is a failed run', async () => {
    const broken = { type: 'http', url: 'https://example.test', method: 'POST', headers: null, allowedEnv: [] } as unknown as Handler
    expect(await run(broken)).toMatchObject({ kind: 'failed', code: 'BELAY_HANDLER_CRASHED' })
  })
})

describe('time', () => {
  it.each<[Handler, Partial<HookDefinition>, HandlerOptions, number]>([
    [command('x'), {}, {}, 600_000],
    [command('x'), { timeoutMs: 5_000 }, {}, 5_000],
    [command('x'), { timeoutMs: 900_000 }, {}, 900_000],
    [command('x'), {}, { deadlineMs: 60_000 }, 59_900],
    [command('x'), { timeoutMs: 5_000 }, { deadlineMs: 60_000 }, 5_000],
    [command('x'), { async: true }, { deadlineMs: 1_000 }, 15_000],
    [command('x'), { async: true, timeoutMs: 60_000 }, {}, 60_000],
    [{ type: 'http', url: '', method: 'POST', headers: {}, allowedEnv: [] }, {}, {}, 30_000],
    [prompt, {}, {}, 30_000],
    [agent, {}, {}, 60_000],
    [command('x'), { timeoutMs: 1e12 }, {}, 2 ** 31 - 1],
    [command('x'), {}, { deadlineMs: 50 }, -50],
  ])('%j %j %j', (handler, change, options, expected) => {
    expect(limitOf(hookFor(handler, change), options)).toBe(expected)
  })

  it('a hook with no time left is not started', async () => {
    expect(await run(command('touch started'), { deadlineMs: 50 })).toEqual({ kind: 'cancelled', why: 'timeout' })
  })

  it('a hook whose caller is gone is not started', async () => {
    expect(await run(command('touch started'), { signal: AbortSignal.abort() })).toEqual({ kind: 'cancelled', why: 'aborted' })
  })
})

describe('async hooks', () => {
  it('decide nothing and do not listen to the caller', async () => {
    const answer = await run(
      command(`sleep 0.2; echo '{"decision":"deny","continue":false,"additionalContext":"later"}'`),
      { signal: AbortSignal.timeout(20), deadlineMs: 1 },
      { async: true },
    )
    expect(answer.kind).toBe('detached')
    expect(answer.kind === 'detached' && (await answer.settled)).toMatchObject({
      kind: 'answered',
      result: { verdict: none(), context: 'later' },
    })
    expect(answer.kind === 'detached' && (await answer.settled)).not.toHaveProperty('result.stop')
  })

  it('that also answer {"async":true} settle once they are really done', async () => {
    const answer = await run(command(`echo '{"async":true}'; sleep 0.1; echo '{"systemMessage":"m"}'`), {}, { async: true })
    expect(answer.kind === 'detached' && (await answer.settled)).toMatchObject({ kind: 'answered', result: { message: 'm' } })
  })

  it('run out of time too', async () => {
    const answer = await run(command('sleep 60'), {}, { async: true, timeoutMs: 100 })
    expect(answer.kind === 'detached' && (await answer.settled)).toMatchObject({ kind: 'cancelled', why: 'timeout' })
  })
})

describe('prompt and agent hooks', () => {
  const asking = (answer: LlmAnswer | Error, seen: LlmRequest[] = []): HandlerOptions => ({
    llm: {
      ask: async request => {
        seen.push(request)
        if (answer instanceof Error) throw answer
        return answer
      },
    },
  })

  it.each<[LlmAnswer | Error, object]>([
    [
      { kind: 'answer', ok: true, reason: 'fine' },
      { kind: 'answered', result: { verdict: none() } },
    ],
    [
      { kind: 'answer', ok: false, reason: 'no tests' },
      { kind: 'answered', result: { verdict: deny('no tests') } },
    ],
    [
      { kind: 'answer', ok: false },
      { kind: 'answered', result: { verdict: { decision: 'deny', reason: expect.stringMatching(/\S/) } } },
    ],
    [
      { kind: 'failed', why: 'over budget' },
      { kind: 'failed', code: 'BELAY_LLM_FAILED', why: expect.stringContaining('over budget') },
    ],
    [new Error('no network'), { kind: 'failed', code: 'BELAY_LLM_FAILED', why: expect.stringContaining('no network') }],
  ])('%j', async (answer, expected) => {
    expect(await run(prompt, asking(answer))).toMatchObject(expected)
  })

  it('hand the event over as data beside the prompt', async () => {
    const seen: LlmRequest[] = []
    await run(agent, asking({ kind: 'answer', ok: true }, seen))
    expect(seen).toMatchObject([
      { kind: 'agent', prompt: 'Look', model: 'big', event: { hook_event_name: 'PreToolUse', tool_name: 'Write' } },
    ])
  })

  it('fail in batch mode', async () => {
    expect(await run(prompt, { ...asking({ kind: 'answer', ok: true }), mode: 'batch' })).toMatchObject({
      kind: 'failed',
      code: 'BELAY_HANDLER_BATCH',
    })
  })

  it('end at their limit, and the provider is told', async () => {
    let told = false
    const ask = ({ signal }: LlmRequest) =>
      new Promise<never>(() => {
        signal.addEventListener('abort', () => {
          told = true
        })
      })
    expect(await run(prompt, { llm: { ask } }, { timeoutMs: 50 })).toEqual({ kind: 'cancelled', why: 'timeout' })
    expect(told).toBe(true)
  })
})

describe('mcp_tool hooks', () => {
  const calling = (answer: McpAnswer, seen: McpCall[] = []): HandlerOptions => ({
    mcp: {
      call: async call => {
        seen.push(call)
        return answer
      },
    },
  })
  const handler: Handler = {
    type: 'mcp_tool',
    server: 'guard',
    tool: 'check',
    input: {
      path: '${tool_input.file_path}',
      lines: '${tool_input.lines}',
      text: 'in ${cwd}: ${absent.x}',
      nested: [{ a: '${tool_input}' }],
      n: 1,
    },
  }

  it.each<[McpAnswer, object]>([
    [
      { ok: true, text: '{"decision":"deny","reason":"no"}' },
      { kind: 'answered', result: { verdict: deny('no') } },
    ],
    [
      { ok: true, text: 'looks fine' },
      { kind: 'answered', result: { verdict: none() } },
    ],
    [
      { ok: true, text: '{"decision":"perhaps"}' },
      { kind: 'failed', code: 'BELAY_HANDLER_BAD_ANSWER' },
    ],
    [
      { ok: false, why: 'no such tool' },
      { kind: 'failed', code: 'BELAY_MCP_FAILED', why: expect.stringContaining('no such tool') },
    ],
  ])('%j', async (answer, expected) => {
    expect(await run(handler, calling(answer))).toMatchObject(expected)
  })

  it('fill in values of the event', async () => {
    const seen: McpCall[] = []
    await run(handler, calling({ ok: true, text: '' }, seen))
    expect(seen).toMatchObject([
      {
        server: 'guard',
        tool: 'check',
        input: { path: 'a.ts', lines: 3, text: `in ${folder}: `, nested: [{ a: { file_path: 'a.ts', lines: 3 } }], n: 1 },
      },
    ])
  })
})
