// One agent's history through a real daemon: sessions and hand-overs, efforts and artifacts, messages; and that a person looked.
import { linkSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../daemon/fixtures/run-daemon.ts'
import { enterAsPerson, type Person, resultOf } from './fixtures/person.ts'

type Row = Readonly<Record<string, unknown>>

const agentId = 'builder'
let daemon: TestDaemon
let person: Person
let task: string
let log: string

beforeAll(async () => {
  daemon = await runDaemon({ policy: 'version: "2.0"\npermissions: {default: none}\n' })
  person = await enterAsPerson(daemon)
  task = join(daemon.project, 'task')
  const frame = { 'agent-id': agentId }
  const verb = async (method: string, params: Row) => resultOf(await daemon.rpc(method, { agentId, cwd: daemon.project, ...params }))
  const { artifacts } = await verb('effort.start', { skill: 'implement', task })
  log = (artifacts as readonly string[])[0] ?? ''
  await daemon.hook('SessionStart', { session_id: 'first', source: 'startup' }, frame)
  await daemon.hook('UserPromptSubmit', { session_id: 'first', prompt: 'build it' }, frame)
  await verb('session.finish', { dehydrate: { summary: 'half done' } })
  await daemon.hook('SessionStart', { session_id: 'second', source: 'startup' }, frame)
  await daemon.hook('PreToolUse', { session_id: 'second', tool_name: 'Read', tool_input: { file_path: 'a' }, tool_use_id: 't' }, frame)
})
afterAll(() => daemon.stop())

const call = async (method: string, params: Row) => resultOf(await daemon.rpc(method, params))
const artifact = (path: string) => daemon.rpc('page.artifact', { effort: 1, path })

test('an agent shows its sessions in a chain, with what was handed over, and its efforts', async () => {
  const view = await call('page.agent', { agent: agentId })
  const sessions = view.sessions as readonly Row[]
  expect(view.agent).toMatchObject({ agent: agentId, status: 'working', effortId: 1, skill: 'implement', lastTool: 'Read' })
  expect(sessions).toMatchObject([
    { hostSession: 'first', previous: null, endedAt: expect.any(String), effortId: 1, dehydrated: { summary: 'half done' } },
    { hostSession: 'second', previous: sessions[0]?.id, endedAt: null, dehydrated: null },
  ])
  expect(view.efforts).toMatchObject([
    { id: 1, skill: 'implement', ordinal: 1, lifecycle: 'active', task, artifacts: [{ path: log, bytes: expect.any(Number) }] },
  ])
})

test('its messages, oldest first', async () => {
  const { sessions } = await call('page.agent', { agent: agentId })
  const [first] = sessions as readonly Row[]
  const { messages } = await call('page.messages', { session: first?.id })
  expect(messages).toMatchObject([{ role: 'user', content: 'build it', tool: null }])
  expect(first?.messages).toBe(1)
  expect(await call('page.messages', { session: 99_999 })).toEqual({ messages: [] })
})

describe('an artifact', () => {
  test('is read by its path or its name, and cut where it is long', async () => {
    expect(resultOf(await artifact(log))).toMatchObject({ text: expect.stringContaining('# implement log'), isCut: false })
    writeFileSync(log, 'x'.repeat(600_000))
    expect(resultOf(await artifact(basename(log)))).toEqual({ text: 'x'.repeat(512 * 1024), isCut: true })
  })

  test('lies in the folder of its effort and nowhere else', async () => {
    const secret = join(daemon.project, 'secret.md')
    writeFileSync(secret, 'secret')
    writeFileSync(`${task}-other.md`, 'secret')
    symlinkSync(secret, join(task, '1_LINK.md'))
    symlinkSync(daemon.project, join(task, 'up'))
    linkSync(secret, join(task, '1_HARD.md'))
    const places = [
      secret,
      '../secret.md',
      `${task}/../secret.md`,
      `${task}-other.md`,
      '1_LINK.md',
      'up/secret.md',
      '1_HARD.md',
      '',
      '.',
      task,
    ]
    for (const path of [...places, '/etc/passwd', '../../../../etc/passwd', 'x\u0000.md', '1_NONE.md']) {
      const reply = await artifact(path)
      expect(reply, path).toHaveProperty('error')
      expect(JSON.stringify(reply)).not.toContain('"text"')
    }
  })
})

describe('a person who looks', () => {
  test('leaves a working agent working, and marks one that is done as checked', async () => {
    expect(resultOf(await person.call('page.markChecked', { agent: agentId }))).toEqual({ status: 'working' })
    await daemon.hook('Stop', { session_id: 'second', stop_hook_active: false }, { 'agent-id': agentId })
    const [event] = await person.follow('v1/events?types=agent.status', 1, () => person.call('page.markChecked', { agent: agentId }))
    expect(event?.data).toMatchObject({ agent: agentId, status: 'checked' })
    expect(await call('page.agent', { agent: agentId })).toMatchObject({ agent: { status: 'checked' } })
    expect(await person.call('page.markChecked', { agent: 'nobody' })).toMatchObject({ error: { message: 'there is no agent nobody' } })
  })
})
