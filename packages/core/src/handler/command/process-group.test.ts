import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { forgetGroup, trackGroup } from './process-group.ts'

it('a process that leaves takes its running hooks along', async () => {
  const before = process.listeners('exit')
  const child = spawn('sleep', ['60'], { detached: true })
  const exited = once(child, 'exit')
  const groupId = child.pid ?? 0
  trackGroup(groupId)
  const added = process.listeners('exit').filter(listener => !before.includes(listener))
  expect(added).toHaveLength(1)
  for (const listener of added) Reflect.apply(listener, process, [0])
  expect(await exited).toEqual([null, 'SIGKILL'])
  forgetGroup(groupId)
  expect(process.listeners('exit')).toEqual(before)
})
