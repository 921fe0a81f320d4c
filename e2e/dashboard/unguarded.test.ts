// An agent that escapes the guard is told on every page: a denied call that ran, and hooks that its files switch off.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started))

test('a denied call that ran stands on every page and on the card of its agent, at every size', async () => {
  const quiet = await world.openPage(browser, { path: '/fleet' })
  await quiet.page.getByRole('link', { name: 'Fleet' }).first().waitFor()
  expect(await quiet.page.getByText('Not guarded').count()).toBe(0)
  await quiet.context.close()
  const call = { tool: 'Bash', input: { command: 'git push' }, agentId: 'escaped', payload: { tool_use_id: 'a' } }
  await world.hook('PreToolUse', call)
  await world.hook('PostToolUse', { ...call, payload: { ...call.payload, tool_response: { stdout: 'done' } } })
  for (const [path, width] of [
    ['/live', 1280],
    ['/fleet', 1280],
    ['/policy', 390],
  ] as const) {
    const { page, context, problems } = await world.openPage(browser, { path, width })
    const told = page.getByRole('alert').filter({ hasText: 'Not guarded: claude-code.' })
    await told.getByText(/a denied call of Bash ran all the same/).waitFor()
    await told.getByText('belay ledger query --kind guard_passed').waitFor()
    if (path === '/fleet')
      await page
        .getByText(/NOT GUARDED: a denied call of Bash/)
        .first()
        .waitFor()
    expect([await isWiderThanScreen(page), await findViolations(page), problems]).toEqual([false, [], []])
    await context.close()
  }
  const { stdout } = await world.belay(['fleet'])
  expect(stdout).toContain('NOT GUARDED: a denied call of Bash ran all the same')
})

test('hooks that settings switch off are told with the remedy', async () => {
  mkdirSync(join(world.project, '.claude'), { recursive: true })
  const installed = await world.belay(['install', 'claude-code', '--scope', 'project'])
  expect(installed.code, installed.stderr).toBe(0)
  writeFileSync(join(world.project, '.claude', 'settings.local.json'), JSON.stringify({ disableAllHooks: true }))
  const { page, context } = await world.openPage(browser)
  await page
    .getByRole('alert')
    .filter({ hasText: 'Not guarded' })
    .getByText(/And \d+ more/)
    .waitFor()
  await context.close()
  expect((await world.belay(['fleet'])).stdout).toContain('NOT GUARDED')
})
