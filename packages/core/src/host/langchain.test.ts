// The real LangChain agent with its own fake model.
import { AIMessage, createAgent, fakeModel, tool } from 'langchain'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { guardedPipeline } from './fixtures/guarded-pipeline.ts'
import { createBelayMiddleware } from './langchain.ts'

async function run(command: string, prepare: (hooks: ReturnType<typeof guardedPipeline>['hooks']) => void = () => undefined) {
  const { pipeline, hooks } = guardedPipeline()
  prepare(hooks)
  const ran: string[] = []
  const bash = tool(
    ({ command: given }) => {
      ran.push(given)
      return `ran ${given}`
    },
    { name: 'Bash', description: 'runs a command', schema: z.object({ command: z.string() }) },
  )
  const model = fakeModel()
    .respondWithTools([{ name: 'Bash', args: { command }, id: 'c1' }])
    .respond(new AIMessage('done'))
  const agent = createAgent({ model, tools: [bash], middleware: [createBelayMiddleware(pipeline)] })
  const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] })
  const answer = messages.find(message => message.getType() === 'tool')
  return { ran, content: answer?.content, status: (answer as { status?: string } | undefined)?.status }
}

test('an allowed call runs, and its message is untouched', async () => {
  expect(await run('ls')).toMatchObject({ ran: ['ls'], content: 'ran ls' })
})

test('a denied call does not run, and the model reads why', async () => {
  expect(await run('rm x')).toEqual({ ran: [], content: expect.stringMatching(/^Tool denied: /), status: 'error' })
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
  expect(await run('ls', hooks => void hooks.on('PostToolUse', () => ({ context: 'look twice' })))).toMatchObject({
    content: 'ran ls\n\nlook twice',
  })
})
