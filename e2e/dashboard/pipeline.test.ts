// The hooks of each event as the commands list and simulate them, and what was refused, grouped, with the two ways out.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { eventually } from './eventually.ts'
import { SHOP_POLICY, writeShop } from './play-shop.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), SHOP_POLICY)

const run = (command: string, agentId: string) => world.hook('PreToolUse', { tool: 'Bash', input: { command }, agentId, session: agentId })

beforeAll(async () => {
  writeShop(world)
  await run('git push origin main', 'api-1')
  await run('git commit -m wip && git push --force', 'api-1')
  await run('git push origin main', 'web-2')
  for (const name of ['ps', 'ps', 'images']) await run(`docker ${name}`, 'ops-3')
})

const hookRow = (page: Page, event: string, name: string) =>
  page
    .getByRole('table', { name: `Hooks of ${event}` })
    .getByRole('row')
    .filter({ hasText: name })

interface Listed {
  readonly event: string
  readonly name: string
}

test('each event has the hooks of `belay hooks list` in their order, and ours are called ours', async () => {
  const listed = JSON.parse((await world.belay(['hooks', 'list', '--json'])).stdout) as readonly Listed[]
  const { page, context, problems } = await world.openPage(browser, { path: '/policy?show=hooks', width: 1440 })
  for (const { event, name } of listed) await hookRow(page, event, name).first().waitFor()
  const { hooks } = (await world.rpc('page.policy', { root: world.project })) as { hooks: readonly (Listed & { source: string })[] }
  // A hook that also listens to failures stands at both events.
  const others = hooks.filter(hook => !listed.some(({ name }) => name === hook.name))
  expect(others.filter(({ source }) => source !== 'belay')).toEqual([])
  await hookRow(page, 'PreToolUse', 'house-rules')
    .getByText(/success/)
    .waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})

test('a typed call says which hooks would run and which not and why, as `belay hooks simulate` does', async () => {
  const simulate = ['hooks', 'simulate', '--tool', 'Bash', '--actor', 'agent:claude-code', '--args', 'git push origin main', '--json']
  const { hooks, decision, reason } = JSON.parse((await world.belay(simulate)).stdout) as {
    hooks: readonly { name: string; skipped: string | null }[]
    decision: string
    reason: string
  }
  expect(hooks.find(({ name }) => name === 'protect-env-files')?.skipped).toBe('matcher')
  const { page, context } = await world.openPage(browser, { path: '/policy?show=hooks', width: 1440 })
  await page.getByLabel('A call').fill('git push origin main')
  // The rule stands behind the sentence, once.
  const said = reason.replace(/ \(rule .*\)$/, '')
  await page.getByRole('status').filter({ hasText: said }).filter({ hasText: decision }).waitFor()
  await page.getByText('rules: deny by Bash(git push *)').waitFor()
  expect(await page.getByText('Bash(git push *)').count()).toBe(1)
  await hookRow(page, 'PreToolUse', 'protect-env-files').getByText('skipped: its matcher does not fit').waitFor()
  await hookRow(page, 'PreToolUse', 'house-rules').getByText('runs', { exact: true }).waitFor()
  await page.reload()
  await hookRow(page, 'PreToolUse', 'protect-env-files').getByText('skipped: its matcher does not fit').waitFor()
  expect(await isWiderThanScreen(page)).toBe(false)
  await context.close()
})

test('denials are grouped by rule and shape; a rule is changed with its calls in sight', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/policy?show=denials', width: 1440 })
  const row = page.getByRole('row').filter({ hasText: 'git push *' })
  await eventually(() => row.innerText()).toMatch(
    /deny\s+Bash\(git push \*\)\s+genesis\.key:\d+\s+Bash git push \*\s+3\s+(api-1, web-2|web-2, api-1)/,
  )
  expect(await findViolations(page)).toEqual([])
  await row.getByRole('link', { name: 'Change this rule' }).click()
  const calls = page.getByRole('list', { name: 'Calls that were brought along' }).getByRole('listitem')
  await eventually(() => calls.filter({ hasText: 'deny' }).count()).toBe(3)
  const editor = page.getByLabel('Policy', { exact: true })
  const changed = SHOP_POLICY.replace('rule: "Bash(git push *)"', 'rule: "Bash(git push --force *)"')
  await editor.fill(changed)
  await eventually(() => calls.filter({ hasText: 'allow' }).count()).toBe(2)
  await eventually(() => calls.filter({ hasText: 'deny' }).count()).toBe(1)
  expect(problems).toEqual([])
  await context.close()
})

test('what no rule covers can be allowed always, after its distinct calls were listed', async () => {
  const { page, context } = await world.openPage(browser, { path: '/policy?show=denials', width: 1440 })
  await page.getByRole('row').filter({ hasText: 'docker ps *' }).getByRole('button', { name: 'Allow always' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow always' })
  await dialog.getByLabel('Pattern').fill('Bash(docker *)')
  const distinct = dialog.getByRole('list', { name: 'Distinct calls' }).getByRole('listitem')
  await eventually(() => distinct.allInnerTexts()).toEqual([
    expect.stringMatching(/docker ps\s*×\s*2/),
    expect.stringMatching(/docker images/),
  ])
  await context.close()
})

test('a call that is typed in the playground is in the address, and an error stands beside its line', async () => {
  const { page, context } = await world.openPage(browser, { path: '/policy?show=playground', width: 1440 })
  await page.getByLabel('Command', { exact: true }).fill('rm -rf build')
  const outcome = page.getByRole('region', { name: 'It would be' })
  await outcome.getByText('Recursive force delete is prohibited').first().waitFor()
  await page.reload()
  await eventually(() => page.getByLabel('Command', { exact: true }).inputValue()).toBe('rm -rf build')
  await outcome.getByText('Recursive force delete is prohibited').first().waitFor()
  const editor = page.getByLabel('Policy', { exact: true })
  await editor.fill(SHOP_POLICY.replace('default: ask', 'default: perhaps'))
  const said = page.locator('p', { hasText: 'perhaps' }).first()
  await said.waitFor()
  const [text, message] = [await editor.boundingBox(), await said.boundingBox()]
  expect(message?.x).toBeGreaterThanOrEqual((text?.x ?? 0) + (text?.width ?? 0))
  await context.close()
})
