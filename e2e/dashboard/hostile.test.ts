/// <reference lib="dom" />
// What agents write is text on these pages too: no markup, no colours of a terminal, no turned direction, and a megabyte is cut until asked for.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen } from './check-page.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

const POLICY = 'version: "2.0"\npermissions:\n  default: ask\n'
const EVIL = '<img src=x onerror="globalThis.hit=1">\u202etxt\u001b[31mred'
const SHOWN = '<img src=x onerror="globalThis.hit=1">\\u202etxt\\x1b[31mred'

const TOOL = 'mcp__\u202e__<b>x'
const SESSION = 'turned \u202e session'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

beforeAll(async () => {
  // Nobody is there yet: each is denied, and its request stays.
  await world.hookProcess('PreToolUse', { tool: 'Bash', input: { command: `echo ${EVIL}` } }, { AGENT_ID: EVIL })
  await world.hookProcess('PreToolUse', { tool: TOOL, input: { a: EVIL }, agentId: EVIL, session: SESSION })
  const content = `${'x'.repeat(1_000_000)}the end${EVIL}`
  await world.hookProcess('PreToolUse', { tool: 'Write', input: { file_path: `${EVIL}.txt`, content }, agentId: 'writer' })
})

async function withPage(path: string, look: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, problems } = await world.openPage(browser, { path })
  await look(page)
  expect(await page.evaluate(() => Reflect.get(globalThis, 'hit'))).toBeUndefined()
  expect(await page.locator('img').count()).toBe(0)
  expect(await findSteering(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  expect(problems).toEqual([])
  await context.close()
}

/** Texts, names and tooltips that would colour, hide or turn what stands around them; what a person typed stays as it is. */
function findSteering(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isSteering = (text: string | null) => text !== null && /[\u202e\u001b]/.test(text)
    return [...document.querySelectorAll('body, body :not(textarea)')].flatMap(element => [
      ...['title', 'aria-label', 'placeholder']
        .filter(name => isSteering(element.getAttribute(name)))
        .map(name => `${name} of ${element.tagName}`),
      ...[...element.childNodes].filter(node => node.nodeType === 3 && isSteering(node.nodeValue)).map(() => `text of ${element.tagName}`),
    ])
  })
}

test('live, filtered by what an agent wrote', () =>
  withPage(`/live?session=${encodeURIComponent(SESSION)}&tool=${encodeURIComponent(TOOL)}`, async page => {
    await page.getByRole('button', { name: /Take away the filter session/ }).waitFor()
    await page.getByRole('link', { name: 'mcp__' }).first().click()
    await page.getByRole('complementary').getByRole('heading', { name: 'Evidence' }).waitFor()
    expect(await findViolations(page)).toEqual([])
  }))

test('approvals', () =>
  withPage('/approvals', async page => {
    await page.getByRole('link', { name: 'Bash echo' }).click()
    await page.getByRole('article').getByText(`echo ${SHOWN}`).first().waitFor()
    await page.getByRole('link', { name: 'Write' }).click()
    const diff = page.getByRole('article').getByRole('region', { name: 'difference' })
    await diff.getByRole('button', { name: /show all 1,000,\d+ characters/ }).click()
    await diff.getByText(`the end${SHOWN}`).waitFor()
  }))

test.each(['/fleet', '/fleet?as=table'])('%s', path =>
  withPage(path, async page => {
    await page
      .getByRole('link', { name: SHOWN.slice(0, 30) })
      .first()
      .click()
    await page.getByRole('heading', { name: SHOWN.slice(0, 30) }).waitFor()
  }),
)

test('ledger', () =>
  withPage('/ledger?tool=Bash', async page => {
    await page
      .getByRole('button', { name: /echo <img/ })
      .first()
      .waitFor()
    const { rows } = (await world.rpc('page.records', { filter: { tool: 'Bash' } })) as { rows: readonly { seq: number }[] }
    await page.goto(new URL(`/ledger/${rows[0]?.seq}`, await world.url()).href)
    await page.getByText(`echo ${SHOWN}`.slice(0, 40)).first().waitFor()
  }))

test('policy', () =>
  withPage('/policy?show=playground', async page => {
    await page.getByLabel('Command', { exact: true }).fill(`echo ${EVIL}`)
    await page.getByRole('region', { name: 'It would be' }).getByText(SHOWN.slice(0, 30)).first().waitFor()
  }))
