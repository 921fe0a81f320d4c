// The real AI SDK with its own mock model: a tool call of the model, the tool's answer back to the model.
import { generateText, stepCountIs, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deny } from '../verdict/verdict.ts'
import { createModelMiddleware, createPrepareStep, guardTools } from './ai-sdk.ts'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** Calls Bash with the command, then says what it read. */
function scripted(command: string) {
  let turn = 0
  return new MockLanguageModelV3({
    doGenerate: async () => {
      turn += 1
      if (turn > 1)
        return { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
      return {
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'Bash', input: JSON.stringify({ command }) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      }
    },
  })
}

async function run(command: string, prepare: (hooks: ReturnType<typeof guardedPipeline>['hooks']) => void = () => undefined) {
  const { pipeline, hooks } = guardedPipeline()
  prepare(hooks)
  const ran: string[] = []
  const tools = {
    Bash: tool({
      inputSchema: z.object({ command: z.string() }),
      execute: async ({ command: given }) => {
        ran.push(given)
        if (given === 'fail') throw new Error('exit 1')
        return { stdout: `ran ${given}` }
      },
    }),
  }
  const model = scripted(command)
  const { steps } = await generateText({ model, tools: guardTools(tools, pipeline), prompt: 'go', stopWhen: stepCountIs(3) })
  const seen = JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1))
  return { ran, seen, steps }
}

describe('tools', () => {
  test('an allowed call runs, and its output is untouched', async () => {
    const { ran, steps } = await run('ls')
    expect([ran, steps[0]?.toolResults[0]?.output]).toEqual([['ls'], { stdout: 'ran ls' }])
  })

  test('a denied call does not run, and the model reads why', async () => {
    const { ran, seen } = await run('rm x')
    expect([ran, seen]).toEqual([[], expect.stringContaining('Tool denied: ')])
  })

  test('a hook rewrites the input', async () => {
    const { ran } = await run('ls', hooks =>
      hooks.on('PreToolUse', context => {
        context.toolInput.command = 'pwd'
      }),
    )
    expect(ran).toEqual(['pwd'])
  })

  test('a failure reaches the model as one, with hints', async () => {
    const { seen } = await run('fail', hooks => void hooks.on('PostToolUseFailure', () => ({ context: 'try ls' })))
    expect(seen).toMatch(/exit 1[\s\S]*try ls/)
  })

  test('hooks see the conversation', async () => {
    const counts: number[] = []
    await run('ls', hooks => void hooks.on('PreToolUse', context => void counts.push(context.messages.length)))
    expect(counts).toEqual([1])
  })
})

describe('messages that a hook of a tool edits', () => {
  type Message = { role: string; content: unknown }

  /** The texts of each request, and how many messages the hook saw. */
  async function talk(edit: (messages: Message[]) => void) {
    const { pipeline, hooks } = guardedPipeline()
    const seen: number[] = []
    hooks.on('PreToolUse', ({ messages }) => {
      seen.push(messages.length)
      edit(messages as Message[])
    })
    let turn = 0
    const model = new MockLanguageModelV3({
      doGenerate: async () => {
        turn += 1
        const content =
          turn > 2
            ? [{ type: 'text' as const, text: 'done' }]
            : [{ type: 'tool-call' as const, toolCallId: `c${turn}`, toolName: 'Bash', input: '{"command":"ls"}' }]
        return { content, finishReason: { unified: turn > 2 ? 'stop' : 'tool-calls', raw: undefined }, usage, warnings: [] }
      },
    })
    const tools = { Bash: tool({ inputSchema: z.object({ command: z.string() }), execute: async () => 'ran' }) }
    await generateText({
      model,
      tools: guardTools(tools, pipeline),
      messages: [
        { role: 'user', content: 'the key is sk-secret' },
        { role: 'user', content: 'go' },
      ],
      stopWhen: stepCountIs(5),
      prepareStep: createPrepareStep(),
    })
    return { requests: model.doGenerateCalls.map(({ prompt }) => JSON.stringify(prompt)), seen }
  }

  test('one that is taken out is in no request that follows, and hooks do not see it again', async () => {
    const { requests, seen } = await talk(messages => {
      const at = messages.findIndex(({ content }) => JSON.stringify(content).includes('sk-secret'))
      if (at !== -1) messages.splice(at, 1)
    })
    expect(requests.map(text => text.includes('sk-secret'))).toEqual([true, false, false])
    expect(requests.map(text => text.includes('"go"'))).toEqual([true, true, true])
    expect(seen).toEqual([2, 3])
  })

  test('one that is put in stays', async () => {
    const { requests } = await talk(messages => {
      if (!messages.some(({ content }) => content === 'be careful')) messages.push({ role: 'user', content: 'be careful' })
    })
    expect(requests.map(text => text.split('be careful').length - 1)).toEqual([0, 1, 1])
  })
})

describe('the middleware', () => {
  const ask = (prepare: Parameters<typeof run>[1]) => {
    const { pipeline, hooks } = guardedPipeline()
    prepare?.(hooks)
    const model = scripted('ls')
    const wrapped = wrapLanguageModel({ model, middleware: createModelMiddleware(pipeline) })
    return { model, going: generateText({ model: wrapped, prompt: 'hello' }) }
  }

  test('adds what the model should know', async () => {
    const { model, going } = ask(hooks => void hooks.on('PreModel', () => ({ context: 'today is Sunday' })))
    await going
    expect(model.doGenerateCalls[0]?.prompt[0]).toEqual({ role: 'system', content: 'today is Sunday' })
  })

  test('a hook edits the messages of a request', async () => {
    const { model, going } = ask(
      hooks =>
        void hooks.on('PreModel', ({ messages }) => void messages.splice(0, 1, { role: 'user', content: [{ type: 'text', text: 'bye' }] })),
    )
    await going
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toMatch(/bye/)
    expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).not.toMatch(/hello/)
  })

  test('refuses a request', async () => {
    const { model, going } = ask(hooks => void hooks.on('PreModel', () => deny('not now')))
    await expect(going).rejects.toThrow('Request denied: not now')
    expect(model.doGenerateCalls.length).toBe(0)
  })
})
