// The page's session in the wrong hands: cookie and key, read from a real browser, decide nothing from a process that an agent started, while
// the browser goes on deciding. By the tables of the kernel, so on Linux only.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started))

/** A program with the name of an agent, that runs curl with what it read. */
async function askAsAgent(headers: Readonly<Record<string, string>>, method: string, params: object): Promise<string> {
  const agent = join(world.folder, 'claude')
  writeFileSync(agent, '"$@"\n')
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const sent = { ...headers, 'content-type': 'application/json' }
  const options = Object.entries(sent).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const url = `${await world.url()}v1/rpc`
  return new Promise((resolve, reject) =>
    execFile('sh', [agent, 'curl', '-s', ...options, '-d', body, url], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    ),
  )
}

test('a stolen cookie with its key decides nothing, and the person still does', async () => {
  const { page, context } = await world.openPage(browser, { path: '/approvals' })
  await page.getByRole('navigation', { name: 'Inbox or history' }).waitFor()
  const waiting = world.hookProcess('PreToolUse', { tool: 'Bash', input: { command: 'npm publish --tag next' } })
  await page.getByRole('article').getByRole('button', { name: 'Allow once' }).waitFor()
  const [cookie] = await context.cookies()
  const key = await page.evaluate(() => localStorage.getItem('belay.page'))
  const headers = {
    cookie: `${cookie?.name}=${cookie?.value}`,
    'belay-page': key ?? '',
    origin: (await world.url()).replace(/\/$/, ''),
  }
  const listed = JSON.parse(await askAsAgent(headers, 'approvals.list', {})) as { result: { requests: readonly { id: string }[] } }
  const ids = listed.result.requests.map(({ id }) => id)
  expect(ids).toHaveLength(1)
  for (const [method, params] of [
    ['approvals.allow', { ids }],
    ['dashboard.link', {}],
    ['daemon.pause', { duration: '1h' }],
    ['commitments.commit', { text: 'x', cwd: world.project }],
  ] as const) {
    const said = JSON.parse(await askAsAgent(headers, method, params)) as { error?: { message: string } }
    expect([method, said.error?.message]).toEqual([method, expect.stringContaining('was started by an agent (claude-code')])
  }
  const checks = JSON.parse((await world.belay(['ledger', 'query', '--kind', 'person_check', '--json'])).stdout) as {
    readonly body: { readonly door?: string; readonly granted: boolean }
  }[]
  expect(checks.filter(({ body }) => body.door === 'page').map(({ body }) => body.granted)).toEqual([false, false, false, false])

  await page.keyboard.press('a')
  expect(JSON.parse((await waiting).stdout).hookSpecificOutput).toMatchObject({ permissionDecision: 'allow' })
  await context.close()
})
