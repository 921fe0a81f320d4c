// One session from prompt to stop, agents as lanes over time, an agent's page that begins with what it does now, addresses that last.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { eventually } from './eventually.ts'
import { playShopAtPage, SHOP_POLICY } from './play-shop.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), SHOP_POLICY)

beforeAll(async () => {
  await playShopAtPage(world, browser, 0.2)
})

const turn = (page: Page, number: number) => page.getByRole('region', { name: `Turn ${number}` })

test('a session is told from its prompt to its end: turns, calls, hooks, what changed, what was refused', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/live/api-1-s', width: 1440 })
  await turn(page, 1).getByText('Orders accept a negative total. Fix it, with a test.').waitFor()
  await turn(page, 2).getByText('Do not push, a person does. Go on with the port.').waitFor()
  const call = (text: string) => turn(page, 1).getByRole('listitem').filter({ hasText: text })
  await call('git push --force').getByText('refused').waitFor()
  await call('npm test -- --run src/routes')
    .first()
    .getByText(/failed after/)
    .waitFor()
  await call('git status')
    .getByText(/house-rules .* ms/)
    .waitFor()
  const edit = turn(page, 1).getByRole('listitem').filter({ hasText: 'src/routes/orders.ts' }).filter({ hasText: 'Edit(src/*)' })
  await edit.getByText(/^changed /).click()
  await edit.getByText('sum + line.price * line.count, 0').waitFor()
  const shell = turn(page, 2).getByRole('listitem').filter({ hasText: 'sed -i' })
  await shell.getByText('changed src/server.ts').click()
  await shell.getByText('app.listen(8080)').waitFor()
  await shell.getByText('+1', { exact: true }).waitFor()
  await page.getByText('84k of 200k').waitFor()
  await turn(page, 1).getByText('compacting the context').waitFor()
  await page.getByText('$1.26').waitFor()
  expect(await findViolations(page)).toEqual([])
  await call('git push --force').getByRole('button').click()
  await page.getByRole('complementary', { name: 'Event' }).getByText('denied by rule').first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('what a sub-agent did stands below the moment it began, and an approval is named', async () => {
  const { page, context } = await world.openPage(browser, { path: '/live/web-2-s', width: 390, height: 844 })
  const nested = turn(page, 1).getByRole('region', { name: 'Sub-agent explore' })
  await nested.getByText('grep -rn total src | head -40').waitFor()
  expect(await nested.getByText('npm run build').count()).toBe(0)
  expect(await isWiderThanScreen(page)).toBe(false)
  await page.goto(new URL('/live/ops-3-s', await world.url()).href)
  await turn(page, 1)
    .getByRole('listitem')
    .filter({ hasText: 'npm publish' })
    .getByText(/^allowed by human:/)
    .waitFor()
  await context.close()
})

test('whoever opens such a link without a session comes to it after logging in', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(new URL('/live/api-1-s?event=7', await world.url()).href)
  await page.getByText('This session has ended').waitFor()
  await page.goto(await world.link())
  await turn(page, 1).waitFor()
  expect(page.url()).toContain('/live/api-1-s?event=7')
  await page.goto(new URL('/no/such/page', await world.url()).href)
  await page.getByText('There is nothing at /no/such/page').waitFor()
  await context.close()
})

test('agents are lanes over time: closer, further, any stretch, and a click goes to the call', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet?as=lanes', width: 1440 })
  const lane = (name: string) => page.getByRole('list', { name: 'Lanes' }).getByRole('img', { name: new RegExp(`^${name}: `) })
  await lane('api-1').waitFor()
  await eventually(() => lane('api-1').getAttribute('aria-label')).toMatch(/^api-1: 10 calls, 1 denied$/)
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('button', { name: '5 min', exact: true }).click()
  await page.waitForURL(url => url.searchParams.get('span') === '5')
  await lane('api-1').locator('rect.fill-deny').first().dispatchEvent('click')
  await page
    .getByRole('complementary', { name: 'Event' })
    .getByText(/git push --force/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  const box = await lane('api-1').boundingBox()
  const y = (box?.y ?? 0) + 3
  const at = (share: number) => (box?.x ?? 0) + (box?.width ?? 0) * share
  await page.mouse.move(at(0.5), y)
  await page.mouse.down()
  await page.mouse.move(at(0.7), y)
  await page.mouse.move(at(0.9), y)
  await page.mouse.up()
  await page.waitForURL(url => url.searchParams.has('from') && url.searchParams.has('until'))
  const spanOf = () => {
    const { searchParams } = new URL(page.url())
    return Date.parse(searchParams.get('until') ?? '') - Date.parse(searchParams.get('from') ?? '')
  }
  const chosen = spanOf()
  expect(chosen).toBeGreaterThan(100_000)
  expect(chosen).toBeLessThan(140_000)
  await page.getByRole('button', { name: 'Further' }).click()
  await eventually(async () => spanOf()).toBe(chosen * 2)
  await page.getByLabel('from').fill('2026-01-01T00:00:00')
  await page.waitForURL(
    url =>
      url.searchParams.get('from')?.startsWith('2025-12-31') === true || url.searchParams.get('from')?.startsWith('2026-01-01') === true,
  )
  expect(problems).toEqual([])
  await context.close()
})

test('who waits is the first lane, held until now; live lines stand in the order of their times; a card says how it ended', async () => {
  const { page, context } = await world.openPage(browser, { path: '/fleet?as=lanes&span=5', width: 1440 })
  const publish = { tool: 'Bash', input: { command: 'npm publish --tag lane' }, session: 'ops-3-s', agentId: 'ops-3' }
  const waiting = world.hook('PreToolUse', { ...publish, payload: { tool_use_id: 'toolu_lane' } })
  const first = page.getByRole('list', { name: 'Lanes' }).getByRole('img').first()
  await eventually(() => first.getAttribute('aria-label')).toMatch(/^ops-3: \d+ calls, 2 asked, waits for you$/)
  await page.getByRole('link', { name: 'ops-3' }).getByText('waits for you').waitFor()
  await eventually(async () => Number(await first.locator('rect.fill-ask').last().getAttribute('width'))).toBeGreaterThan(2)
  await page.goto(new URL('/fleet', await world.url()).href)
  await page.getByRole('listitem').filter({ hasText: 'api-1' }).getByText('The server listens on 8080, and the build passes.').waitFor()
  await page.goto(new URL('/live', await world.url()).href)
  const lines = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem')
  await lines.filter({ hasText: 'npm publish --tag lane' }).getByText('waits').filter({ visible: true }).waitFor()
  const times = await lines.locator('time').evaluateAll(all => all.map(each => each.getAttribute('datetime') ?? ''))
  expect(times).toEqual(times.toSorted().reverse())
  await page.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: 'Deny' }).click()
  await waiting
  await context.close()
})

test('the page of an agent begins with its session, and leads to its story', async () => {
  const { page, context } = await world.openPage(browser, { path: '/fleet/review-1' })
  const newest = page.getByRole('list', { name: 'Its newest events' })
  await newest.getByText('src/server.ts').first().waitFor()
  // One line for a call: what was judged and how it ended.
  expect(await newest.getByRole('listitem').filter({ hasText: 'git log --oneline' }).count()).toBe(1)
  await newest
    .getByRole('listitem')
    .filter({ hasText: 'git log --oneline' })
    .getByText(/done in/)
    .waitFor()
  // Whose lines they are is said once, above them.
  expect(await newest.getByText('review-1').count()).toBe(0)
  await page.getByRole('link', { name: 'Its whole story' }).click()
  await turn(page, 1).getByText('Review the branch of api-1.').waitFor()
  await context.close()
})
