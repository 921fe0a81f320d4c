// The real Agents SDK with a scripted model.
import { Agent, type Model, type ModelRequest, Runner, setTracingDisabled, tool, Usage } from '@openai/agents-core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'
import { createToolGuardrails } from './openai-agents.ts'

setTracingDisabled(true)

class ScriptedModel implements Model {
  readonly requests: ModelRequest[] = []
  private readonly command: string

  constructor(command: string) {
    this.command = command
  }

  async getResponse(request: ModelRequest) {
    this.requests.push(request)
    const call = {
      type: 'function_call',
      callId: 'c1',
      name: 'Bash',
      arguments: JSON.stringify({ command: this.command }),
      status: 'completed',
    }
    const message = { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done' }] }
    return { usage: new Usage(), output: [this.requests.length === 1 ? call : message] } as never
  }

  // biome-ignore lint/correctness/useYield: nothing is streamed here
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not used')
  }
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
      return `ran ${given}`
    },
    ...createToolGuardrails(pipeline),
  })
  const model = new ScriptedModel(command)
  await new Runner({ tracingDisabled: true }).run(new Agent({ name: 'a', instructions: 'x', model, tools: [bash] }), 'go')
  return { ran, seen: JSON.stringify(model.requests[1]?.input) }
}

test('an allowed call runs', async () => {
  const { ran, seen } = await run('ls')
  expect([ran, seen]).toEqual([['ls'], expect.stringContaining('ran ls')])
})

test('a denied call does not run, and the model reads why', async () => {
  const { ran, seen } = await run('rm x')
  expect([ran, seen]).toEqual([[], expect.stringContaining('Tool denied: ')])
})

test('an input that a hook changed is sent back to be called again', async () => {
  const { ran, seen } = await run('ls', hooks =>
    hooks.on('PreToolUse', context => {
      context.toolInput.command = 'pwd'
    }),
  )
  expect([ran, seen]).toEqual([[], expect.stringContaining('call it again with exactly this input')])
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
