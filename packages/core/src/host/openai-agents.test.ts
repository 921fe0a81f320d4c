// The real Agents SDK with a scripted model.
import { Agent, type Model, type ModelRequest, Runner, setTracingDisabled, tool, Usage } from '@openai/agents-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'
import { createToolGuardrails } from './openai-agents.ts'

setTracingDisabled(true)

/** Calls Bash with the command, then does as it is told: called back with another input, it calls with that. */
class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  private readonly command: string

  constructor(command: string) {
    this.command = command
  }

  async getResponse(request: ModelRequest) {
    this.requests.push(request)
    const told = toldInput(request)
    const call = {
      type: 'function_call',
      callId: `c${this.requests.length}`,
      name: 'Bash',
      arguments: told ?? JSON.stringify({ command: this.command }),
      status: 'completed',
    }
    const message = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }
    return { usage: new Usage(), output: [this.requests.length === 1 || told !== null ? call : message] } as never
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed here
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not used')
  }
}

/** What the last answer of a tool says to call with. */
function toldInput({ input }: ModelRequest): string | null {
  const last = Array.isArray(input) ? input.at(-1) : undefined
  const output = last?.type === 'function_call_result' ? last.output : undefined
  const text = typeof output === 'string' ? output : typeof output === 'object' && 'text' in output ? output.text : ''
  return / exactly this input: (.*)$/.exec(text)?.[1] ?? null
}

async function run(command: string, prepare: (hooks: ReturnType<typeof guardedPipeline>['hooks']) => void = () => undefined) {
  const { pipeline, hooks } = guardedPipeline()
  prepare(hooks)
  const ran: string[] = []
  const bash = tool({
    name: 'Bash',
    description: 'runs a command',
    parameters: z.object({ command: z.string() }),
    execute: async ({ command: given }) => {
      ran.push(given)
      if (given === 'fail') throw new Error('exit 1')
      return `ran ${given}`
    },
    ...createToolGuardrails(pipeline),
  })
  const model = new ScriptedModel(command)
  await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'a', instructions: 'x', model, tools: [bash] }), 'go')
  return {
    ran,
    seen: JSON.stringify(model.requests[1]?.input),
    last: JSON.stringify(model.requests.at(-1)?.input),
    turns: model.requests.length,
  }
}

test('an allowed call runs', async () => {
  const { ran, seen } = await run('ls')
  expect([ran, seen]).toEqual([['ls'], expect.stringContaining('ran ls')])
})

test('a denied call does not run, and the model reads why', async () => {
  const { ran, seen } = await run('rm x')
  expect([ran, seen]).toEqual([[], expect.stringContaining('Tool denied: ')])
})

test('an input that a hook changed is sent back once, and runs when the model does as it is told', async () => {
  const { ran, seen, turns } = await run('ls', hooks =>
    hooks.on('PreToolUse', context => {
      context.toolInput.command = `cd /mnt/remote; ${context.toolInput.command}`
    }),
  )
  expect([ran, seen, turns]).toEqual([['cd /mnt/remote; ls'], expect.stringContaining('call it again with exactly this input'), 3])
})

test('hooks that change the input anew each time end it', async () => {
  let times = 0
  const { ran, last, turns } = await run('ls', hooks =>
    hooks.on('PreToolUse', context => {
      times += 1
      context.toolInput.command = `ls ${times}`
    }),
  )
  expect([ran, last, turns]).toEqual([[], expect.stringContaining('do not call it again'), 5])
})

test('a rule holds for what the model is told to call with', async () => {
  const { ran, seen } = await run('ls', hooks =>
    hooks.on('PreToolUse', context => {
      context.toolInput.command = 'rm x'
    }),
  )
  expect([ran, seen]).toEqual([[], expect.stringContaining('Tool denied: ')])
})

test('a tool that throws is told as a failure, with hints for the model', async () => {
  const told: unknown[] = []
  const { seen } = await run('fail', hooks => {
    hooks.on('PostToolUse', () => void told.push('PostToolUse'))
    hooks.on('PostToolUseFailure', context => {
      told.push([context.toolUseId, context.error])
      return { context: 'try ls' }
    })
  })
  expect(told).toEqual([['c1', 'exit 1']])
  expect(seen).toMatch(/An error occurred[\s\S]*try ls/)
})

test('an output that a hook changed is what the model reads', async () => {
  const { seen } = await run('ls', hooks =>
    hooks.on('PostToolUse', context => {
      context.toolOutput = 'hidden'
    }),
  )
  expect(seen).toContain('hidden')
  expect(seen).not.toContain('ran ls')
})

test('a tool that says what it is obeys the rules for that, whatever its fields are called', async () => {
  const judge = async (job: string) => {
    const guards = createToolGuardrails(guardedPipeline().pipeline, { kind: 'shell' })
    const toolCall = { name: 'box', callId: 'c', arguments: JSON.stringify({ job }) }
    return (await guards.inputGuardrails[0]?.run({ toolCall }))?.behavior.type
  }
  expect([await judge('rm x'), await judge('ls')]).toEqual(['rejectContent', 'allow'])
})
