// Figures over time: they are the ledger's, they can be read without seeing, and they lead to the events behind them.
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, LOOKS } from './check-page.ts'
import { NO_PUSH, SLOW_AND_BROKEN } from './policy-text.ts'
import { setBrowser, setWorld } from './stage.ts'
import { startWorld, type World } from './world.ts'

const POLICY = `${SLOW_AND_BROKEN}${NO_PUSH}`

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

beforeAll(async () => {
  for (let n = 0; n < 7; n++) await world.hook('PreToolUse', { tool: 'Bash', input: { command: `echo ${n}` } })
  for (let n = 0; n < 3; n++) await world.hook('PreToolUse', { tool: 'Bash', input: { command: `git push ${n}` } })
  for (const command of ['broken thing', 'slow thing']) await world.hook('PreToolUse', { tool: 'Bash', input: { command } })
})

test('it counts what was recorded, and the charts are there as tables too', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/overview' })
  await page.getByText('12 events').waitFor()
  await page.getByText('25.0 %').waitFor()
  for (const chart of await page.locator('canvas').all()) expect((await chart.boundingBox())?.width).toBeGreaterThan(200)
  for (const summary of await page.getByText('as a table').all()) await summary.click()
  const events = page.getByRole('region', { name: 'Events per minute as a table' })
  const rows = await events.getByRole('row').allTextContents()
  const sums = rows.slice(1).reduce((sum, row) => sum + Number(row.slice(5, 6)), 0)
  expect(rows[0]).toBe('timedenyaskallownone')
  expect(rows.length).toBe(61)
  expect(sums).toBe(3)
  await page.getByRole('region', { name: 'Time to decide as a table' }).getByText(/\d ms/).first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('what is denied most leads to one of its events; a failing hook says why, a slow one how slow', async () => {
  const { page, context } = await world.openPage(browser, { path: '/overview' })
  const denied = page.getByRole('table', { name: 'Denied most' })
  await denied.getByText('Bash(git push:*)').waitFor()
  await page
    .getByRole('table', { name: 'Hooks that fail' })
    .getByText(/kaboom/)
    .waitFor()
  await page.getByRole('table', { name: 'Slow hooks' }).getByText('slow-check').waitFor()
  await denied.getByRole('button', { name: /git push/ }).click()
  await page
    .getByRole('complementary', { name: 'Event' })
    .getByText(/denied by rule Bash\(git push/)
    .waitFor()
  await context.close()
})

test('the period is in the address', async () => {
  const { page, context } = await world.openPage(browser, { path: '/overview' })
  await page.getByRole('button', { name: 'last day' }).click()
  await page.waitForURL(url => url.searchParams.get('minutes') === '1440')
  await page.getByText('Events per minute, steps of 12 minutes').waitFor()
  await context.close()
})

test('the figures move while one looks', async () => {
  const other = await startWorld(POLICY)
  try {
    await other.hook('PreToolUse', { tool: 'Bash', input: { command: 'echo 1' } })
    const { page, context } = await other.openPage(browser, { path: '/overview' })
    await page.getByText('1 events', { exact: true }).waitFor()
    await other.hook('PreToolUse', { tool: 'Bash', input: { command: 'echo 2' } })
    await page.getByText('2 events', { exact: true }).waitFor()
    await context.close()
  } finally {
    await other.end()
  }
})

test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  const { page, context } = await world.openPage(browser, { path: '/overview', width, height: 844, dark })
  await page.getByText('Bash(git push:*)').first().waitFor()
  expect(await findViolations(page)).toEqual([])
  await context.close()
})
