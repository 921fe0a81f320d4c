// The frame around every page: ways to get around, the strip, theme, what it says when the daemon is away or the session is over.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import { startWorld, type World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started))

beforeAll(async () => {
  await world.hook('PreToolUse', { tool: 'Read', input: { file_path: 'a.ts' }, agentId: 'builder' })
})

test.each([
  ['Fleet', '/fleet', 'f'],
  ['Approvals', '/approvals', 'a'],
  ['Ledger', '/ledger', 'e'],
  ['Policy', '/policy', 'p'],
  ['Overview', '/overview', 'o'],
  ['Live', '/live', 'l'],
])('%s is one click and one key away', async (name, path, key) => {
  const { page, context, problems } = await world.openPage(browser, { path: name === 'Live' ? '/fleet' : '/live' })
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name }).click()
  await page.waitForURL(url => url.pathname === path)
  await page.waitForFunction(word => document.title.startsWith(word), name)
  await page.goBack()
  await page.waitForURL(url => url.pathname !== path)
  await page.keyboard.press('g')
  await page.keyboard.press(key)
  await page.waitForURL(url => url.pathname === path)
  await page.getByRole('link', { name }).and(page.locator('[aria-current=page]')).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('the palette finds pages, agents, events and commands', async () => {
  const { page, context } = await world.openPage(browser)
  await page.getByText('builder', { exact: true }).first().waitFor()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /Search pages/ })
  await field.fill('builder')
  await page
    .getByRole('option', { name: /builder/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === '/fleet/builder')
  await page.keyboard.press('Control+k')
  await field.fill('denied')
  await page.getByRole('option', { name: 'Show what was denied' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === '/live' && url.searchParams.get('verdict') === 'deny')
  await page.keyboard.press('Control+k')
  await field.fill('read a.ts')
  await page.getByRole('listbox').getByRole('option', { name: /Read/ }).first().click()
  await page.getByRole('complementary', { name: 'Event' }).waitFor()
  await context.close()
})

test('? shows all keys, and Escape gives the focus back', async () => {
  const { page, context } = await world.openPage(browser)
  await page.getByRole('button', { name: 'Keyboard help' }).focus()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keys' })
  await help.getByText('search and commands').waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
  await eventually(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Keyboard help')
  await context.close()
})

test('keys are letters while somebody types', async () => {
  const { page, context } = await world.openPage(browser)
  await page.getByLabel('text').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('gf?')
  await page.waitForURL(url => url.searchParams.get('text') === 'gf?')
  expect(new URL(page.url()).pathname).toBe('/live')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await context.close()
})

test('Enter and Space press what has the focus, on every page', async () => {
  const { page, context } = await world.openPage(browser)
  await page.locator('[data-seq]').first().waitFor()
  const help = page.getByRole('dialog', { name: 'Keys' })
  for (const key of ['Enter', 'Space']) {
    await page.getByRole('button', { name: 'Keyboard help' }).focus()
    await page.keyboard.press(key)
    await help.waitFor()
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Fleet' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(url => url.pathname === '/fleet')
  await context.close()
})

test('the colours follow the system, then the person, and are remembered', async () => {
  const { page, context } = await world.openPage(browser, { dark: true })
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.getByRole('button', { name: /Colours: system/ }).waitFor()
  const dark = await ground()
  await page.getByRole('button', { name: /Colours: system/ }).click()
  await page.getByRole('button', { name: /Colours: light/ }).waitFor()
  const light = await ground()
  expect(light).not.toBe(dark)
  await page.reload()
  await page.getByRole('button', { name: /Colours: light/ }).waitFor()
  expect(await ground()).toBe(light)
  await context.close()
})

test('the strip says what is in force', async () => {
  const { page, context } = await world.openPage(browser)
  const strip = page.getByRole('banner')
  await strip.getByText('live').waitFor()
  await strip.getByText('events/s').waitFor()
  await strip.getByText('working').waitFor()
  const { policy } = (await world.rpc('page.frame')) as { policy: { hash: string } }
  await strip.getByText(policy.hash.replace('sha256:', '').slice(0, 8)).waitFor()
  await context.close()
})

test('a broken policy is said with what is in force instead', async () => {
  const other = await startWorld()
  try {
    await other.hook('PreToolUse', { tool: 'Read', input: { file_path: 'a.ts' } })
    const { page, context } = await other.openPage(browser)
    await page.getByRole('banner').getByText('live').waitFor()
    writeFileSync(join(other.project, '.belay', 'genesis.key'), 'version: [')
    await other.hook('PreToolUse', { tool: 'Read', input: { file_path: 'a.ts' } })
    await page.getByText(/policy broken: the last good policy of \d\d:\d\d:\d\d is in force/).waitFor()
    await context.close()
  } finally {
    await other.end()
  }
})

test('who waits is counted in the title and on the icon', async () => {
  const other = await startWorld()
  try {
    const { page, context } = await other.openPage(browser)
    await page.waitForFunction(() => document.title === 'Live · Belay')
    // It waits for a person until the daemon ends.
    void other.hook('PreToolUse', { tool: 'Bash', input: { command: 'npm publish' } }).catch(() => undefined)
    await page.waitForFunction(() => document.title === '(1) Live · Belay')
    await page.waitForFunction(() => document.querySelector('link[rel=icon]')?.getAttribute('href')?.startsWith('data:image/png'))
    await page.getByRole('navigation').getByText('1 waiting').waitFor()
    await context.close()
  } finally {
    await other.end()
  }
})

test('after kill -9 the page says how old its data is, and comes back by itself', async () => {
  const other = await startWorld()
  try {
    const { page, context } = await other.openPage(browser)
    await page.getByRole('banner').getByText('events/s').waitFor()
    await page.getByRole('banner').getByText('live').waitFor()
    await other.kill()
    await page.getByText('Reconnecting to the daemon.').waitFor()
    await page.getByText(/Data from \d\d:\d\d:\d\d/).waitFor()
    await other.start()
    await page.getByText('Reconnecting to the daemon.').waitFor({ state: 'detached' })
    await page.getByRole('banner').getByText('live').waitFor()
    await context.close()
  } finally {
    await other.end()
  }
})

test('a session that is over says how to get a new one', async () => {
  const { page, context } = await world.openPage(browser)
  await page.getByRole('banner').getByText('live').waitFor()
  await context.clearCookies()
  await page.getByRole('heading', { name: 'This session has ended' }).waitFor()
  await page.getByText('belay dashboard').waitFor()
  await context.close()
})

test('on a phone approvals come first, and nothing runs over the side', async () => {
  const { page, context } = await world.openPage(browser, { path: '/', width: 390, height: 844 })
  await page.getByRole('link', { name: 'Approvals' }).and(page.locator('[aria-current=page]')).waitFor()
  expect(await page.getByRole('button', { name: 'Keyboard help' }).count()).toBe(0)
  for (const path of ['/live', '/overview']) {
    await page.goto(new URL(path, await world.url()).href)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    expect(await isWiderThanScreen(page)).toBe(false)
  }
  await context.close()
})
