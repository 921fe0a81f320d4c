// One line for each call, whatever happened to it, and marks between them.
import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { decisionOf, playShop, SHOP_POLICY, writeShop } from './play-shop.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), SHOP_POLICY)

const line = (page: Page, name: RegExp) => page.getByRole('list', { name: 'Events, newest first' }).getByRole('link', { name })

test('five agents at work: a line for each call with who decided and how it ended, none blank, moments as marks', async () => {
  writeShop(world)
  const { page, context, problems } = await world.openPage(browser, { width: 1440, height: 3000 })
  const playing = playShop(world, 0.2)
  await page.getByRole('region', { name: 'Waiting for you' }).getByRole('button', { name: 'Allow' }).click()
  await playing
  const publish = line(page, /npm publish --tag next --dry-run/)
  await publish.getByText(/^held .*, done in /).waitFor()
  await publish.getByText('Bash(npm publish *)').waitFor()
  await line(page, /src\/routes\/orders\.ts.*done in/)
    .first()
    .waitFor()
  await line(page, /npm test.*failed after/).waitFor()
  // One of them ends only after everybody has stopped looking.
  await line(page, /npm test -- --run src\/page.*runs \d+ s/).waitFor()
  await line(page, /git push --force.*Bash\(git push \*\).*genesis\.key:\d+.*refused/).waitFor()
  await line(page, /\.env\.local.*hook protect-env-files.*refused/).waitFor()
  await line(page, /prompt\s*Review the branch of api-1/).waitFor()
  await line(page, /compacting the context/).waitFor()
  const texts = await page.locator('[data-seq]').allInnerTexts()
  expect(texts.filter(text => text.replace(/[\d:\s]/g, '') === '')).toEqual([])
  expect(texts.filter(text => /(allow|ask|deny)-\d+-\d+/.test(text))).toEqual([])
  for (const heading of ['time', 'verdict', 'agent', 'tool', 'call', 'decided by', 'result'])
    await page.getByText(heading, { exact: true }).first().waitFor()
  const opener = page
    .getByRole('listitem')
    .filter({ hasText: 'npm publish --tag next --dry-run' })
    .getByRole('button', { name: /inside/ })
  await opener.click()
  for (const step of [/held for a person/, /answered by human:/, /judged in/, /^done/]) await page.getByText(step).first().waitFor()
  await opener.click()
  await eventually(() => page.getByText('held for a person').count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})

test('an ask that nobody answered is an ask, in its line, in the filter and in the counts', async () => {
  // Without a page open nobody is held.
  const publish = { tool: 'Bash', input: { command: 'npm publish --tag alone' }, session: 'alone' }
  await eventually(async () => decisionOf(await world.hook('PreToolUse', publish))).toBe('deny')
  const { page, context } = await world.openPage(browser, { path: '/live?session=alone', width: 1440 })
  await line(page, /ask.*npm publish --tag alone.*not answered/).waitFor()
  await page.goto(new URL('/live?session=alone&verdict=deny', await world.url()).href)
  await page.getByText('Nothing matches').waitFor()
  const facets = (await world.rpc('page.facets', { filter: { session: 'alone' } })) as { verdict: readonly { value: string }[] }
  expect(facets.verdict.map(({ value }) => value)).toEqual(['ask'])
  await context.close()
})

test('our own protection is called that', async () => {
  const { page, context } = await world.openPage(browser, { path: '/live?text=approvals', width: 1440 })
  await world.hook('PreToolUse', { tool: 'Bash', input: { command: 'belay approvals allow apr_1' }, session: 'forger' })
  const found = line(page, /belay approvals allow.*Belay's own protection.*refused/)
  await found.click()
  await page.getByRole('complementary', { name: 'Event' }).getByText("by Belay's own protection").waitFor()
  expect(await page.getByText('no rule', { exact: true }).count()).toBe(0)
  await context.close()
})
