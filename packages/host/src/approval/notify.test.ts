import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createNotifier, type NotifyOptions } from './notify.ts'
import { createPresence } from './presence.ts'
import type { ApprovalRequest } from './request.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-notify-'))
const path = process.env.PATH
afterAll(() => {
  process.env.PATH = path
  rmSync(folder, { recursive: true, force: true })
})

const request = { id: 'apr_1', state: 'pending', actor: 'agent:a', tool: 'Bash', reason: '$(touch x) "quoted"' } as ApprovalRequest
const options = (change: Partial<NotifyOptions>): NotifyOptions => ({
  webhook: () => null,
  isDesktop: () => false,
  key: () => Buffer.alloc(32),
  onFailure: () => undefined,
  now: Date.now,
  ...change,
})

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(resolve => setTimeout(resolve, 20))
}

test('a notice on the desktop, as words and not as a command', async () => {
  const seen = join(folder, 'seen')
  for (const program of ['notify-send', 'osascript']) {
    writeFileSync(join(folder, program), `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}.part' && mv '${seen}.part' '${seen}'\n`)
    chmodSync(join(folder, program), 0o755)
  }
  process.env.PATH = `${folder}:${path}`
  const notify = createNotifier(options({ isDesktop: () => true }))
  notify({ ...request, state: 'allowed' })
  notify(request)
  await until(() => existsSync(seen))
  expect(readFileSync(seen, 'utf8')).toMatch(/an agent waits[\s\S]*agent:a Bash: \$\(touch x\)[\s\S]*apr_1/)
})

test('no program for it, no server behind the webhook: said, not thrown', async () => {
  const failures: string[] = []
  process.env.PATH = join(folder, 'nowhere')
  createNotifier(options({ isDesktop: () => true, webhook: () => 'http://127.0.0.1:1/', onFailure: why => void failures.push(why) }))(
    request,
  )
  await until(() => failures.length === 2)
  process.env.PATH = path
  expect(failures.sort()).toEqual([
    expect.stringContaining('no notice on the desktop'),
    expect.stringContaining('the webhook cannot be reached'),
  ])
})

test('somebody is there while they look, and for a moment after', () => {
  let now = 0
  const presence = createPresence(
    () => false,
    () => now,
  )
  expect(presence.isReachable()).toBe(false)
  const leave = presence.arrive()
  now = 1_000_000
  expect(presence.isReachable()).toBe(true)
  leave()
  leave()
  now += 2000
  expect(presence.isReachable()).toBe(true)
  now += 2000
  expect([
    presence.isReachable(),
    createPresence(
      () => true,
      () => now,
    ).isReachable(),
  ]).toEqual([false, true])
})
