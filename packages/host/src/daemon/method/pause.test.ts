// What must hold while a person has switched deciding off.
import { afterAll, beforeAll, expect, test } from 'vitest'
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
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(await push()).toMatchObject({ decision: 'deny' })
})
