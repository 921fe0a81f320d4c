import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseGenesis } from '../../policy/genesis/parse-genesis.ts'
import { allow, ask, deny } from '../../verdict/verdict.ts'
import { createHooks } from '../create-hooks.ts'
import type { GuardedCall } from '../guard-call.ts'
import { createToolPipeline, type ToolPipelineOptions } from './create-tool-pipeline.ts'
import { renderToolResult, type Tool, type ToolResult } from './tool.ts'

const POLICY = `
version: "2.0"
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Echo", "Bash(ls *)"]
      deny: ["Bash(rm *)"]
      ask: ["Bash(git push *)"]
`

function policies() {
  const parsed = parseGenesis(POLICY, 'genesis.key')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  return [parsed.policy]
}

function bashTool(ran: unknown[] = []): Tool {
  return {
    name: 'Bash',
    schema: z.object({ command: z.string().min(2) }),
    execute(input) {
      ran.push(input.command)
      if (input.command === 'false') throw new Error('exit 1')
      return `ran ${input.command}`
    },
  }
}

function run(options: ToolPipelineOptions, input: Record<string, unknown>, ran: unknown[] = []): Promise<ToolResult> {
  return createToolPipeline({ tools: [bashTool(ran)], ...options }).runTool('Bash', input)
}

describe('the stages', () => {
  test('a tool that nobody watches runs as it is', async () => {
    const result = await run({}, { command: 'ls' })
    expect(result).toEqual({
      status: 'succeeded',
      tool: 'Bash',
      toolUseId: expect.stringMatching(/^call_\w+_1$/),
      input: { command: 'ls' },
      output: 'ran ls',
      reason: null,
      error: null,
      context: [],
      messages: [],
      stop: null,
      rewrites: [],
      runs: [],
    })
  })

  test('a tool that is not there', async () => {
    const result = await createToolPipeline().runTool('Nope', {})
    expect([result.status, renderToolResult(result)]).toEqual(['unknown', 'Tool unknown: there is no tool Nope'])
  })

  test.each([
    ['says no', () => false],
    ['throws', () => Promise.reject(new Error('no'))],
  ])('isEnabled %s: nothing else happens', async (_title, isEnabled) => {
    const hooks = createHooks()
    const seen: string[] = []
    hooks.on('PreToolUse', context => void seen.push(context.toolName))
    const pipeline = createToolPipeline({ hooks, tools: [{ ...bashTool(), isEnabled }] })
    expect([(await pipeline.runTool('Bash', { command: 'ls' })).status, seen]).toEqual(['disabled', []])
  })

  test('validation stands before the hooks', async () => {
    const hooks = createHooks()
    const seen: string[] = []
    hooks.on('PreToolUse', context => void seen.push(context.toolName))
    const result = await run({ hooks }, { command: 7 })
    expect([result.status, result.reason, seen]).toEqual(['invalid', expect.stringMatching(/^command: .*string/), []])
  })

  test('a check of the tool itself', async () => {
    const tool: Tool = { name: 'T', validate: input => (input.n === 1 ? 'n must not be 1' : null), execute: () => 'ok' }
    const pipeline = createToolPipeline({ tools: [tool] })
    expect((await pipeline.runTool('T', { n: 1 })).reason).toBe('n must not be 1')
    expect((await pipeline.runTool('T', { n: 2 })).status).toBe('succeeded')
  })

  test('validateBeforeExecute sees the final input', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', context => {
      context.toolInput.n = 9
    })
    const tool: Tool = { name: 'T', validateBeforeExecute: input => (input.n === 9 ? 'nine' : null), execute: () => 'ok' }
    expect((await createToolPipeline({ hooks, tools: [tool] }).runTool('T', { n: 1 })).reason).toBe('nine')
  })
})

describe('permissions and hooks', () => {
  const cases: readonly [command: string, status: string, reason: string | null][] = [
    ['ls -l', 'succeeded', null],
    ['rm x', 'denied', 'Bash(rm *)'],
    ['git push', 'denied', 'nobody is there'],
    ['make', 'denied', 'nobody is there'],
  ]
  test.each(cases)('%s: %s', async (command, status, reason) => {
    const ran: unknown[] = []
    const result = await run({ policies: policies() }, { command }, ran)
    expect(result.status).toBe(status)
    if (reason !== null) expect(result.reason).toContain(reason)
    expect(ran).toEqual(status === 'succeeded' ? [command] : [])
  })

  test('a hook denies, and the model reads why', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', 'Bash(ls *)', () => deny('not today'))
    expect(renderToolResult(await run({ hooks }, { command: 'ls' }))).toBe('Tool denied: not today')
  })

  test('permissions hold on the input that a hook made', async () => {
    const hooks = createHooks()
    const ran: unknown[] = []
    hooks.on('PreToolUse', context => {
      context.toolInput.command = 'rm x'
      return allow()
    })
    const result = await run({ hooks, policies: policies() }, { command: 'ls' }, ran)
    expect([result.status, result.input, ran]).toEqual(['denied', { command: 'rm x' }, []])
  })

  test('a hook allows what no rule covers, and not what a rule asks about', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', () => allow())
    expect((await run({ hooks, policies: policies() }, { command: 'make' })).status).toBe('succeeded')
    const other = createHooks()
    other.on('PreToolUse', () => allow())
    expect((await run({ hooks: other, policies: policies() }, { command: 'git push' })).status).toBe('denied')
  })

  test('a PermissionRequest hook answers the ask that stands for "no rule"', async () => {
    const hooks = createHooks()
    hooks.on('PermissionRequest', () => allow())
    expect((await run({ hooks, policies: policies() }, { command: 'make' })).status).toBe('succeeded')
  })

  test('a PermissionRequest hook cannot answer for a person where a rule asks', async () => {
    const hooks = createHooks()
    hooks.on('PermissionRequest', () => allow())
    expect((await run({ hooks, policies: policies() }, { command: 'git push' })).status).toBe('denied')
  })
})

describe('rewritten input', () => {
  function rewriting(command: unknown) {
    const hooks = createHooks()
    hooks.on('PreToolUse', context => {
      context.toolInput.command = command
    })
    return hooks
  }

  test('is validated again', async () => {
    const ran: unknown[] = []
    const result = await run({ hooks: rewriting(3) }, { command: 'ls' }, ran)
    expect([result.status, ran]).toEqual(['invalid', []])
  })

  test('is not where that is switched off', async () => {
    const ran: unknown[] = []
    const result = await run({ hooks: rewriting(3), revalidate: false }, { command: 'ls' }, ran)
    expect([result.status, ran]).toEqual(['succeeded', [3]])
  })

  test('is what the tool gets, and is in the result', async () => {
    const result = await run({ hooks: rewriting('pwd') }, { command: 'ls' })
    expect([result.output, result.rewrites.map(({ before, after }) => [before, after])]).toEqual([
      'ran pwd',
      [[{ command: 'ls' }, { command: 'pwd' }]],
    ])
  })
})

describe('approvals', () => {
  test('a person says yes', async () => {
    const asked: unknown[] = []
    const approve: ToolPipelineOptions['approve'] = ({ tool, input, reason }) => {
      asked.push([tool, input, reason])
      return { decision: 'allow' }
    }
    expect((await run({ policies: policies(), approve }, { command: 'git push' })).status).toBe('succeeded')
    expect(asked).toEqual([['Bash', { command: 'git push' }, expect.stringContaining('git push')]])
  })

  test('a person says no', async () => {
    const result = await run({ policies: policies(), approve: () => ({ decision: 'deny', reason: 'wait' }) }, { command: 'git push' })
    expect([result.status, result.reason]).toEqual(['denied', 'wait'])
  })

  test('an input that the approver changed is judged again', async () => {
    const ran: unknown[] = []
    const approve = () => ({ decision: 'allow', input: { command: 'rm x' } }) as const
    expect((await run({ policies: policies(), approve }, { command: 'git push' }, ran)).status).toBe('denied')
    expect(ran).toEqual([])
  })

  test('an input that the approver changed is validated again', async () => {
    const approve = () => ({ decision: 'allow', input: { command: 1 } }) as const
    expect((await run({ policies: policies(), approve }, { command: 'git push' })).status).toBe('invalid')
  })

  test('an approver that keeps changing the input is not asked for ever', async () => {
    let times = 0
    const approve = () => {
      times += 1
      return { decision: 'allow', input: { command: `git push ${times}` } } as const
    }
    expect([(await run({ policies: policies(), approve }, { command: 'git push' })).status, times]).toEqual(['denied', 3])
  })

  test('an approver that throws is no yes', async () => {
    const approve = () => Promise.reject(new Error('offline'))
    expect((await run({ policies: policies(), approve }, { command: 'git push' })).reason).toContain('offline')
  })

  test('a hook asks', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', () => ask('sure?'))
    expect((await run({ hooks, approve: () => ({ decision: 'allow' }) }, { command: 'ls' })).status).toBe('succeeded')
  })
})

describe('after the tool', () => {
  test('PostToolUse sees the output and may replace it; a deny is feedback', async () => {
    const hooks = createHooks()
    hooks.on('PostToolUse', context => {
      context.toolOutput = `${String(context.toolOutput)}!`
      return { context: 'note' }
    })
    hooks.on('PostToolUse', () => deny('look at it again'))
    const result = await run({ hooks }, { command: 'ls' })
    expect([result.status, renderToolResult(result)]).toEqual(['succeeded', 'ran ls!\n\nnote\n\nlook at it again'])
  })

  test('PostToolUseFailure sees the error, PostToolUse does not fire', async () => {
    const hooks = createHooks()
    const seen: unknown[] = []
    hooks.on('PostToolUse', () => void seen.push('success'))
    hooks.on('PostToolUseFailure', context => void seen.push([context.error, context.toolInput]))
    const result = await run({ hooks }, { command: 'false' })
    expect([result.status, result.reason, seen]).toEqual(['failed', 'exit 1', [['exit 1', { command: 'false' }]]])
  })

  test('a call cancelled before it ran does not run', async () => {
    const stop = new AbortController()
    stop.abort()
    const ran: unknown[] = []
    const pipeline = createToolPipeline({ tools: [bashTool(ran)] })
    expect([(await pipeline.runTool('Bash', { command: 'ls' }, { signal: stop.signal })).status, ran]).toEqual(['cancelled', []])
  })

  test('a call cancelled while it ran is an interrupt', async () => {
    const stop = new AbortController()
    const hooks = createHooks()
    const seen: unknown[] = []
    hooks.on('PostToolUseFailure', context => void seen.push(context.source.fields.isInterrupt))
    const tool: Tool = {
      name: 'Wait',
      execute: (_input, { signal }) => new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('gone')))),
    }
    const going = createToolPipeline({ hooks, tools: [tool] }).runTool('Wait', {}, { signal: stop.signal })
    setImmediate(() => stop.abort())
    expect([(await going).status, seen]).toEqual(['cancelled', [true]])
  })
})

test('every hook that ran is told of, with its call', async () => {
  const hooks = createHooks()
  hooks.on('PreToolUse', () => undefined, { name: 'before' })
  hooks.on('PostToolUse', () => undefined, { name: 'after' })
  const told: unknown[] = []
  const result = await run(
    { hooks, onHook: ({ event, toolUseId, run: { hook, outcome } }) => told.push([event, toolUseId, hook, outcome]) },
    { command: 'ls' },
  )
  const { toolUseId } = result
  expect(told).toEqual([
    ['PreToolUse', toolUseId, 'before', 'success'],
    ['PostToolUse', toolUseId, 'after', 'success'],
  ])
  expect(result.runs.map(({ hook }) => hook)).toEqual(['before', 'after'])
})

test('a call whose record is refused does not run', async () => {
  const hooks = createHooks()
  hooks.on('PreToolUse', () => undefined)
  const ran: unknown[] = []
  const result = await run({ hooks, record: () => Promise.reject(new Error('disk full')) }, { command: 'ls' }, ran)
  expect([result.status, result.reason, ran]).toEqual(['denied', 'it could not be recorded: disk full', []])
})

describe('around the calls', () => {
  test('a prompt is rewritten, given context, or refused', async () => {
    const hooks = createHooks()
    hooks.on('UserPromptSubmit', context => {
      if (context.userPrompt.includes('secret')) return deny('no secrets')
      context.userPrompt = context.userPrompt.trim()
      return { context: 'today is Sunday' }
    })
    const pipeline = createToolPipeline({ hooks })
    expect(await pipeline.submitPrompt(' hello ')).toEqual({
      isRefused: false,
      reason: null,
      prompt: 'hello',
      context: ['today is Sunday'],
      messages: [],
      stop: null,
    })
    expect(await pipeline.submitPrompt('my secret')).toMatchObject({ isRefused: true, reason: 'no secrets' })
  })

  test('sessions, prompts, calls, sub-agents, stops and compaction fire their events, in order', async () => {
    const hooks = createHooks()
    const seen: string[] = []
    const names = [
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'SubagentStart',
      'SubagentStop',
      'PreCompact',
      'PostCompact',
      'PostToolBatch',
      'Stop',
      'SessionEnd',
    ] as const
    for (const name of names) hooks.on(name, context => void seen.push(context.event))
    hooks.on('Stop', () => deny('go on'))
    const pipeline = createToolPipeline({ hooks, tools: [bashTool()] })
    await pipeline.startSession({ source: 'startup' })
    await pipeline.submitPrompt('go')
    await pipeline.runTool('Bash', { command: 'ls' })
    await pipeline.startSubagent({ agentId: 'a', agentType: 'writer' })
    await pipeline.stopSubagent({ agentId: 'a', agentType: 'writer' })
    await pipeline.beforeCompact({ trigger: 'auto' })
    await pipeline.afterCompact({ trigger: 'auto' })
    await pipeline.finishBatch({ toolCalls: [] })
    expect(await pipeline.stop({ lastAssistantMessage: 'done' })).toMatchObject({ isRefused: true, reason: 'go on' })
    await pipeline.endSession({ reason: 'exit' })
    expect(seen).toEqual(names)
  })

  test('hooks edit the messages of the host in place', async () => {
    const hooks = createHooks()
    hooks.on('PreToolUse', context => void context.messages.push('added'))
    const messages: unknown[] = ['first']
    await createToolPipeline({ hooks, tools: [bashTool()] }).runTool('Bash', { command: 'ls' }, { messages })
    expect(messages).toEqual(['first', 'added'])
  })
})

describe('a policy in process', () => {
  const read = (text: string) => {
    const parsed = parseGenesis(`version: "2.0"\n${text}`, 'genesis.key')
    if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
    return [parsed.policy]
  }
  const ALL = 'permissions: {actors: {"agent:*": {allow: ["Bash(*)"]}}}\n'

  test.each([
    ['alone', undefined],
    ['beside hooks in code', createHooks()],
  ])('%s: its built-in hooks have its permissions to ask', async (_name, hooks) => {
    const policies = read(`hooks: {pre_tool_use: [{matcher: "*", type: genesis_enforcement}]}\n${ALL}`)
    const result = await run({ policies, ...(hooks === undefined ? {} : { hooks }) }, { command: 'ls' })
    expect([result.status, result.reason]).toEqual(['succeeded', null])
  })

  test('its guardrails hold', async () => {
    const policies = read(`${ALL}guardrails:\n  schema_guard: {tools: {Bash: {required: [command, description]}}}\n`)
    expect(await run({ policies }, { command: 'ls' })).toMatchObject({ status: 'denied', reason: expect.stringContaining('description') })
  })

  test('its tool ledger runs a call once, also of two at once', async () => {
    const policies = read(`${ALL}guardrails:\n  tool_ledger: {rules: [{tool: "Bash(deploy *)", class: external}]}\n`)
    const ran: unknown[] = []
    const pipeline = createToolPipeline({ policies, tools: [bashTool(ran)] })
    const deploy = (to: string) => pipeline.runTool('Bash', { command: `deploy ${to}` })
    const [first, second] = await Promise.all([deploy('a'), deploy('a')])
    const third = await deploy('b')
    const fourth = await deploy('b')
    expect([first.status, second.status, third.status, fourth.status]).toEqual(['succeeded', 'denied', 'succeeded', 'replayed'])
    expect([ran, fourth.output]).toEqual([['deploy a', 'deploy b'], 'ran deploy b'])
  })

  test('one that needs more than a process has is an error at once, until it is given', () => {
    const policies = read('guardrails:\n  skill_discovery: {}\n')
    expect(() => createToolPipeline({ policies })).toThrow(/genesis\.key:3.*skill_discovery needs to know the skills.*BELAY_HOOK_GUARDRAIL/)
    const skills = { list: async () => [], read: async () => '' }
    expect(createToolPipeline({ policies, guardrails: { skills } }).gate.isWatched('UserPromptSubmit')).toBe(true)
  })

  test.each([
    ['alone', undefined],
    ['beside hooks in code', createHooks()],
  ])('%s: its prompt hooks ask the model of the pipeline', async (_name, hooks) => {
    const policies = read(`hooks: {pre_tool_use: [{matcher: "*", type: prompt, config: {prompt: "Safe? $ARGUMENTS"}}]}\n${ALL}`)
    const llm = { ask: async () => ({ kind: 'answer' as const, ok: false, reason: 'no' }) }
    const options = { policies, ...(hooks === undefined ? {} : { hooks }) }
    expect(await run({ ...options, llm }, { command: 'ls' })).toMatchObject({ status: 'denied', reason: 'no' })
  })
})

test('a denial that a genesis_enforcement hook found first carries its rule', async () => {
  const text = POLICY.replace('permissions:', 'hooks:\n  pre_tool_use:\n    - { type: genesis_enforcement }\npermissions:')
  const parsed = parseGenesis(text, 'genesis.key')
  if (!parsed.ok) throw new Error(parsed.errors[0]?.message)
  const recorded: (string | undefined)[] = []
  const record = ({ judgement }: GuardedCall) => void recorded.push(judgement?.rule?.text)
  const result = await run({ policies: [parsed.policy], record }, { command: 'ls; rm x' })
  expect([result.status, result.reason, recorded[0]]).toEqual(['denied', expect.stringContaining('the rule Bash(rm *)'), 'Bash(rm *)'])
})
