// What must hold while a person has switched deciding off.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryEntries } from '../ledger/read-entry.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import { type Flow, runFlow } from './fixtures/flow.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

test('while paused nothing is decided, everything recorded; it ends by itself', async () => {
  const agent = flow.as('pausing')
  const push = () => agent.tool('Bash', { command: 'git push' })
  expect(await push()).toMatchObject({ decision: 'deny' })
  expect(await flow.rpc('daemon.pause', { duration: 'soon' })).toEqual({ error: expect.stringContaining('no duration') })
  expect(await flow.rpc('daemon.pause', { duration: '1h' })).toMatchObject({ paused: true })
  expect(await push()).toMatchObject({ allow: true, decision: 'none' })
  await flow.restart()
  expect(await push()).toMatchObject({ decision: 'none' })
  expect((await flow.rpc('daemon.status')).paused).toMatchObject({ until: expect.any(Number) })
  expect(await flow.rpc('daemon.resume')).toEqual({ paused: false })
  expect(await push()).toMatchObject({ decision: 'deny' })
  await flow.rpc('daemon.pause', { duration: '1ms' })
  await expect.poll(async () => (await flow.rpc('daemon.status')).paused).toBe(null)
  expect(await push()).toMatchObject({ decision: 'deny' })
  const store = await openSqliteStore({ file: join(flow.home, 'belay.db'), readOnly: true })
  const entries = await queryEntries(store, {}, { limit: 100, newestFirst: false })
  await store.close()
  const calls = entries.filter(({ kind }) => kind === 'pre_tool_use').map(({ body }) => JSON.parse(body))
  expect(calls.map(({ verdict, paused }) => [verdict, paused])).toEqual([
    ['deny', undefined],
    ['none', true],
    ['none', true],
    ['deny', undefined],
    ['deny', undefined],
  ])
  expect(entries.filter(({ kind }) => kind === 'pause' || kind === 'resume').map(({ kind, actor }) => [kind, actor])).toEqual([
    ['pause', expect.stringMatching(/^human:/)],
    ['resume', expect.stringMatching(/^human:/)],
    ['pause', expect.stringMatching(/^human:/)],
  ])
})
