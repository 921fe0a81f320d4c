// An agent in its own process, with the daemon as its gate: same policy, same ledger.
import { createDaemonGate, createToolPipeline, renderToolResult } from '@belay/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
guardrails:
  failure_hints: {}
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(rm *)"]
      ask: ["Bash(git push *)"]
`

function speaking(event: string, answer: object): string {
  return `  ${event}:\n    - { type: command, config: { command: "printf %s '${JSON.stringify(answer).replaceAll('"', '\\"')}'" } }\n`
}

const SPEAKING = `version: "2.0"
hooks:
${speaking('pre_tool_use', { modified_input: { command: 'pwd' }, additionalContext: 'before', systemMessage: 'm' })}${speaking('post_tool_use', { additionalContext: 'after' })}${speaking('user_prompt_submit', { modified_input: { prompt: 'went' }, additionalContext: 'asked' })}${speaking('stop', { decision: 'block', reason: 'go on' })}`

let daemon: TestDaemon
let secret: string
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  secret = await daemon.bind('own', 'own')
})
afterAll(() => daemon.stop())

function pipeline(ran: unknown[], socket = daemon.paths.socket) {
  const execute = ({ command }: { readonly command?: unknown }) => {
    ran.push(command)
    if (command === 'fail') throw new Error('ENOSPC')
    return 'ok'
  }
  return createToolPipeline({
    gate: createDaemonGate({ socket, secret }),
    tools: [{ name: 'Bash', execute }],
    cwd: daemon.project,
    actor: 'agent:own',
  })
}

test.each([
  ['ls', 'succeeded'],
  ['rm x', 'denied'],
  ['git push', 'denied'],
])('%s: %s', async (command, status) => {
  const ran: unknown[] = []
  const result = await pipeline(ran).runTool('Bash', { command })
  expect([result.status, ran]).toEqual([status, status === 'succeeded' ? [command] : []])
  const rendered = renderToolResult(result)
  expect([rendered.startsWith('Tool denied: '), rendered.split('Tool denied: ').length - 1]).toEqual(
    status === 'denied' ? [true, 1] : [false, 0],
  )
})

test('it is recorded as what it is', async () => {
  await pipeline([]).runTool('Bash', { command: 'rm y' })
  expect((await daemon.entries('pre_tool_use')).at(-1)?.read).toMatchObject({ agent: 'in-process', verdict: 'deny' })
})

test('all that a hook may say comes through the gate, at every event', async () => {
  const own = await runDaemon({ policy: SPEAKING })
  try {
    const gate = createDaemonGate({ socket: own.paths.socket, attended: true })
    const options = { gate, tools: [{ name: 'Bash', execute: ({ command }: { command?: unknown }) => command }], cwd: own.project }
    const { runTool, submitPrompt, stop } = createToolPipeline(options)
    expect(await runTool('Bash', { command: 'ls' })).toMatchObject({
      status: 'succeeded',
      output: 'pwd',
      context: ['before', 'after'],
      messages: ['m'],
    })
    expect(await submitPrompt('go')).toMatchObject({ prompt: 'went', context: ['asked'] })
    expect(await stop({})).toMatchObject({ isRefused: true, reason: 'go on' })
  } finally {
    await own.stop()
  }
})

test('hints of guardrails come back, and all of it is in the ledger', async () => {
  const result = await pipeline([]).runTool('Bash', { command: 'fail' })
  expect([result.status, result.context.join()]).toEqual(['failed', expect.stringContaining('disk is full')])
  // What decides nothing is answered before it is on disk.
  await expect
    .poll(async () => (await daemon.entries()).some(({ kind, actor }) => kind === 'post_tool_use_failure' && actor === 'agent:own'))
    .toBe(true)
})

test('the actor of the pipeline alone lowers rights and gives none', async () => {
  const gate = createDaemonGate({ socket: daemon.paths.socket, secret: '' })
  const run = (actor: string, id: string) =>
    createToolPipeline({ gate, tools: [{ name: 'Bash', execute: () => 'ok' }], cwd: daemon.project, actor }).runTool('Bash', {
      command: `rm ${id}`,
    })
  for (const actor of ['human:ada', 'agent:own']) expect((await run(actor, actor)).status).toBe('denied')
  const [person, own] = (await daemon.entries('pre_tool_use')).slice(-2)
  expect([person?.actor, person?.read.refusedNames]).toEqual(['agent:in-process', ['human:ada']])
  expect([own?.actor, own?.read.alsoAs]).toEqual(['agent:in-process', ['agent:own']])
})

test('without a daemon nothing runs', async () => {
  const ran: unknown[] = []
  const result = await pipeline(ran, '/nowhere/daemon.sock').runTool('Bash', { command: 'ls' })
  expect([result.status, result.reason, ran]).toEqual([
    'denied',
    expect.stringMatching(/start it with `(?:belay|npx @belay\/host|\S+belay\.cjs) up`/),
    [],
  ])
})
