// The real LangChain agent with its own fake model.
import { AIMessage, createAgent, fakeModel, tool } from 'langchain'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { deny } from '../verdict/verdict.ts'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'
import { createBelayMiddleware } from './langchain.ts'

type Prepare = (hooks: ReturnType<typeof guardedPipeline>['hooks']) => unknown

async function run(command: string, prepare: Prepare = () => undefined, prompts = ['go']) {
  const { pipeline, hooks } = guardedPipeline()
  prepare(hooks)
  const ran: string[] = []
  const bash = tool(
    ({ command: given }) => {
      ran.push(given)
      if (given === 'fail') throw new Error('exit 1')
      return `ran ${given}`
    },
    { name: 'Bash', description: 'runs a command', schema: z.object({ command: z.string() }) },
  )
  const model = fakeModel()
    .respondWithTools([{ name: 'Bash', args: { command }, id: 'c1' }])
    .respond(new AIMessage('done'))
    .respond(new AIMessage('done again'))
    .respond(new AIMessage('done at last'))
  const agent = createAgent({ model, tools: [bash], middleware: [createBelayMiddleware(pipeline)] })
  const { messages } = await agent.invoke({ messages: prompts.map(content => ({ role: 'user', content })) })
  const answer = messages.find(message => message.getType() === 'tool')
  return {
    ran,
    content: answer?.content,
    status: (answer as { status?: string } | undefined)?.status,
    // Without what the model itself said: the fake one repeats what it read.
    requests: model.calls.map(({ messages: sent }) =>
      JSON.stringify(sent.filter(message => message.getType() !== 'ai').map(message => message.content)),
    ),
    last: messages.at(-1)?.content,
  }
}

describe('tools', () => {
  test('an allowed call runs, and its message is untouched', async () => {
    expect(await run('ls')).toMatchObject({ ran: ['ls'], content: 'ran ls' })
  })

  test('a denied call does not run, and the model reads why', async () => {
    expect(await run('rm x')).toMatchObject({ ran: [], content: expect.stringMatching(/^Tool denied: /), status: 'error' })
  })

  test('a hook rewrites the input', async () => {
    const { ran } = await run('ls', hooks =>
      hooks.on('PreToolUse', context => {
        context.toolInput.command = 'pwd'
      }),
    )
    expect(ran).toEqual(['pwd'])
  })

  test('a hook adds to the output', async () => {
    expect(await run('ls', hooks => hooks.on('PostToolUse', () => ({ context: 'look twice' })))).toMatchObject({
      content: 'ran ls\n\nlook twice',
    })
  })
})

describe('the conversation', () => {
  test('hooks of tools see it', async () => {
    const seen: unknown[] = []
    await run('ls', hooks =>
      hooks.on('PreToolUse', ({ messages }) => void seen.push(messages.map(message => (message as AIMessage).getType()))),
    )
    expect(seen).toEqual([['human', 'ai']])
  })

  const EVENTS_OF_RUN = [
    ['SessionStart', [false, false]],
    ['UserPromptSubmit', [false, false]],
    ['PreModel', [false, false]],
    ['PostModel', [true, false]],
    ['PreToolUse', [true, false]],
    ['PostToolUse', [true, false]],
    ['PostToolBatch', [true, false]],
    ['Stop', [true, true, false]],
  ] as const

  test.each(EVENTS_OF_RUN)('what a %s hook takes out is in no request that follows', async (event, holdIt) => {
    const { requests } = await run(
      'ls',
      hooks => {
        hooks.on(event, ({ messages }) => {
          const at = messages.findIndex(message => (message as AIMessage).content === 'sk-secret')
          if (at !== -1) messages.splice(at, 1)
        })
        // So that there is a request after it.
        if (event === 'Stop') hooks.on('Stop', ({ source }) => (source.fields.stopHookActive === true ? undefined : deny('go on')))
      },
      ['sk-secret', 'go'],
    )
    expect(requests.map(text => text.includes('sk-secret'))).toEqual(holdIt)
    expect(requests.every(text => text.includes('go'))).toBe(true)
  })
})

describe('events', () => {
  test('all of a run, in their order', async () => {
    const told: string[] = []
    const names = ['SessionStart', 'UserPromptSubmit', 'PreModel', 'PostModel', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'] as const
    await run('ls', hooks => {
      for (const name of [...names, 'PostToolBatch', 'Stop'] as const) hooks.on(name, ({ event }) => void told.push(event))
    })
    expect(told.join(' ')).toBe(
      'SessionStart UserPromptSubmit PreModel PostModel PreToolUse PostToolUse PostToolBatch PreModel PostModel Stop',
    )
  })

  test('a tool that throws', async () => {
    const told: unknown[] = []
    const going = run('fail', hooks => hooks.on('PostToolUseFailure', ({ error }) => void told.push(error)))
    await going.catch(() => undefined)
    expect(told).toEqual([expect.stringContaining('exit 1')])
  })

  test('a prompt that is refused reaches no model', async () => {
    const { requests, last } = await run('ls', hooks => hooks.on('UserPromptSubmit', () => deny('not today')))
    expect([requests, last]).toEqual([[], 'Prompt denied: not today'])
  })

  test('a prompt that a hook changed is the one in the conversation', async () => {
    const { requests } = await run('ls', hooks =>
      hooks.on('UserPromptSubmit', context => {
        context.userPrompt = `[safe] ${context.userPrompt}`
      }),
    )
    expect(requests[0]).toContain('[safe] go')
    expect(requests[0]).not.toContain('"go"')
  })

  test('a request that is refused is not sent', async () => {
    const { requests, last } = await run('ls', hooks => hooks.on('PreModel', () => deny('too dear')))
    expect([requests, last]).toEqual([[], 'Request denied: too dear'])
  })

  test('what hooks of the session, the prompt and a batch add is in the request', async () => {
    const { requests } = await run('ls', hooks => {
      hooks.on('SessionStart', () => ({ context: 'of the session' }))
      hooks.on('UserPromptSubmit', () => ({ context: 'of the prompt' }))
      hooks.on('PostToolBatch', () => ({ context: 'of the batch' }))
    })
    expect(requests.map(text => ['of the session', 'of the prompt', 'of the batch'].map(words => text.includes(words)))).toEqual([
      [true, true, false],
      [false, false, true],
    ])
  })

  test('an agent that may not stop yet goes on', async () => {
    let times = 0
    const { requests, last } = await run('ls', hooks =>
      hooks.on('Stop', () => {
        times += 1
        return times === 1 ? deny('write the tests first') : undefined
      }),
    )
    expect([requests.length, requests[2]?.includes('write the tests first'), last]).toEqual([3, true, 'done again'])
  })
})

test('a tool that is said to be a shell obeys the rules for Bash, whatever its fields are called', async () => {
  const ran: string[] = []
  const box = tool(({ job }) => ran.push(job) && 'ran', { name: 'box', description: 'runs a job', schema: z.object({ job: z.string() }) })
  for (const job of ['rm x', 'ls']) {
    const model = fakeModel()
      .respondWithTools([{ name: 'box', args: { job }, id: 'c1' }])
      .respond(new AIMessage('done'))
    const belay = createBelayMiddleware(guardedPipeline().pipeline, { kinds: { box: 'shell' } })
    await createAgent({ model, tools: [box], middleware: [belay] }).invoke({ messages: [{ role: 'user', content: 'go' }] })
  }
  expect(ran).toEqual(['ls'])
})
