// Every page on a phone, a tablet and a desk, light and dark, over the played session: nothing that a checker of accessibility finds, nothing
// wider than the screen, and the buttons of the strip within reach.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { eventually } from './eventually.ts'
import { playShopAtPage, SHOP_POLICY } from './play-shop.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), SHOP_POLICY)

/** A held call stays for all of it: the bar is part of every page. */
beforeAll(async () => {
  await playShopAtPage(world, browser, 0.1)
  await world.hook('PreToolUse', { tool: 'Bash', input: { command: 'npm publish --tag next' }, agentId: 'ops-3', session: 'ops-3-s' })
})

const PAGES = [
  ...['/live', '/live/api-1-s', '/fleet', '/fleet?as=table', '/fleet?as=lanes', '/fleet/api-1', '/approvals', '/ledger'],
  ...['/policy', '/policy?show=denials', '/policy?show=hooks', '/policy?show=playground', '/overview', '/nothing-here'],
]

describe.each([
  ['a phone', 390, 844],
  ['a tablet', 768, 1024],
  ['a desk', 1440, 900],
])('on %s', (_name, width, height) => {
  test.each([false, true])('dark: %s', async dark => {
    const { page, context, problems } = await world.openPage(browser, { width, height, dark })
    for (const path of PAGES) {
      await page.goto(new URL(path, await world.url()).href)
      await page.getByRole('navigation').first().waitFor()
      await page.getByText('npm publish --tag next').filter({ visible: true }).first().waitFor()
      await eventually(() => page.getByText(/ …$/).and(page.getByRole('status')).count()).toBe(0)
      const button = await page.getByRole('button', { name: /^Colours/ }).boundingBox()
      expect([path, await isWiderThanScreen(page), button !== null && button.x + button.width <= width]).toEqual([path, false, true])
      expect([path, await findViolations(page)]).toEqual([path, []])
    }
    expect(problems).toEqual([])
    await context.close()
  })
})
