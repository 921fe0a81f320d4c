// Hooks that take their time, in a real daemon: they are seen while they run, told of on the stream, and stopped by a person.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import type { RunningHook } from '../guard/running-hook.ts'
import { followEvents } from '../wire/follow-events.ts'

/** Tells of itself, then waits for its file. */
const slow = (file: string) => `echo looking at the build >&2; while [ ! -e ${file} ]; do sleep 0.05; done`

const hook = (name: string, matcher: string, more = '') =>
  `    - { name: ${name}, matcher: ${matcher}, type: command, status_message: "checking ${matcher}", config: { command: "${slow(name)}" }${more} }`

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
${hook('closed', 'Bash')}
${hook('opened', 'Write', ', fail: open')}
${hook('asking', 'Edit', ', fail: ask')}
${hook('waited', 'Read')}
${hook('behind', 'Grep', ', async: true, timeout: 300')}
    - { name: quick, matcher: Glob, type: command, config: { command: "true" } }
`

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

const call = (tool: string) =>
  belay.hook('PreToolUse', { tool_name: tool, tool_input: { command: 'ls', file_path: 'a' }, tool_use_id: tool })

async function running(): Promise<readonly RunningHook[]> {
  const reply = await belay.rpc('hooks.running')
  return 'result' in reply ? (reply.result.hooks as readonly RunningHook[]) : []
}

async function untilRunning(name: string): Promise<RunningHook> {
  let found: RunningHook | undefined
  await expect
    .poll(async () => {
      found = (await running()).find(each => each.hook === name && each.progress !== null)
      return found !== undefined
    })
    .toBe(true)
  return found as RunningHook
}

const cancel = (id: string) => belay.rpc('hooks.cancel', { id })

test('what runs is listed with what it tells of itself, and is gone when it has ended', async () => {
  const going = call('Read')
  expect(await untilRunning('waited')).toEqual({
    id: expect.stringMatching(/^run_[0-9a-f]{8}$/),
    hook: 'waited',
    scope: 'policy',
    handler: 'command',
    place: expect.stringMatching(/genesis\.key:\d+$/),
    event: 'PreToolUse',
    tool: 'Read',
    agent: 'claude-code',
    agentId: 'claude-code:s1',
    session: 's1',
    root: belay.project,
    status: 'checking Read',
    progress: 'looking at the build',
    startedAt: expect.stringMatching(/^\d{4}-/),
    isAsync: false,
  })
  writeFileSync(join(belay.project, 'waited'), '')
  expect((await going).decision).toBeUndefined()
  expect(await running()).toEqual([])
})

test.each([
  ['Bash', 'closed', 'deny', /hook "closed" was stopped by a person, and it is set to refuse then/],
  ['Write', 'opened', undefined, /hook "opened" was stopped by a person, and what it watches went on without it/],
  ['Edit', 'asking', 'deny', /hook "asking" was stopped by a person, and it is set to ask then/],
])('a hook of %s that a person stops counts as failed, by its `fail`', async (tool, name, decision, words) => {
  const going = call(tool)
  const { id } = await untilRunning(name)
  expect(await cancel(id)).toMatchObject({ result: { cancelled: true, hook: { hook: name } } })
  const reply = await going
  expect([reply.decision, reply.stdout.replaceAll('\\', '')]).toEqual([decision, expect.stringMatching(words)])
  // What went on is recorded a moment after its answer.
  await expect
    .poll(async () => (await belay.entries('pre_tool_use')).filter(({ read }) => read.toolUseId === tool).map(({ read }) => read.hooks))
    .toMatchObject([[{ hook: name, outcome: 'cancelled', error: 'stopped' }]])
  const [recorded] = (await belay.entries('hook_cancel')).filter(({ read }) => read.hook === name)
  expect([recorded?.actor, recorded?.read]).toMatchObject([expect.stringMatching(/^human:/), { run: id, event: 'PreToolUse', tool }])
  expect(await cancel(id)).toMatchObject({ error: { message: expect.stringContaining(`no hook ${id} is running`) } })
})

test('a hook that nobody waits for can be stopped too, and its end is recorded', async () => {
  expect((await call('Grep')).decision).toBeUndefined()
  const { id, isAsync } = await untilRunning('behind')
  expect(isAsync).toBe(true)
  await cancel(id)
  await expect
    .poll(async () => (await belay.entries('hook_run')).map(({ read }) => read.hooks))
    .toMatchObject([[{ hook: 'behind', outcome: 'cancelled', error: 'stopped' }]])
  expect(await running()).toEqual([])
})

test('the stream tells of what takes its time, and how it ended; not of what is done at once', async () => {
  const told: Record<string, unknown>[] = []
  const controller = new AbortController()
  let following: Promise<void> = Promise.resolve()
  await new Promise<void>(onOpen => {
    const onEvent = ({ data }: { readonly data: unknown }) => void told.push(data as never)
    following = followEvents({ socket: belay.paths.socket, types: ['hook'], signal: controller.signal, onOpen, onEvent })
  })
  await call('Glob')
  const going = call('Bash')
  const { id } = await untilRunning('closed')
  await expect.poll(() => told.length).toBeGreaterThan(0)
  await cancel(id)
  await going
  await expect.poll(() => told.at(-1)?.state).toBe('stopped')
  controller.abort()
  await following
  expect(told[0]).toMatchObject({ id, hook: 'closed', status: 'checking Bash', state: 'running' })
  expect(told.filter(each => each.hook === 'quick')).toEqual([])
})
