import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'

it('a process that leaves takes its running hooks along', async () => {
  // Its own copy: other files of this process may have hooks that run.
  vi.resetModules()
  const { createMark, forgetGroup, trackGroup } = await import('./process-group.ts')
  const before = process.listeners('exit')
  const child = spawn('sleep', ['60'], { detached: true })
  const exited = once(child, 'exit')
  const group = { id: child.pid ?? 0, mark: createMark() }
  trackGroup(group)
  const added = process.listeners('exit').filter(listener => !before.includes(listener))
  expect(added).toHaveLength(1)
  for (const listener of added) Reflect.apply(listener, process, [0])
  expect(await exited).toEqual([null, 'SIGKILL'])
  forgetGroup(group)
  expect(process.listeners('exit')).toEqual(before)
})
