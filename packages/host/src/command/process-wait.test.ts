import { spawn } from 'node:child_process'
import { expect, test } from 'vitest'
import { isAlive } from './process-wait.ts'

test('a process that has ended and was not collected by its parent is not alive', async () => {
  // The shell becomes a program that never looks after the child.
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 300'], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const pid = await new Promise<number>(resolve => parent.stdout.once('data', text => resolve(Number(text))))
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect(isAlive(parent.pid ?? 0)).toBe(true)
  } finally {
    parent.kill()
  }
})
