/// <reference lib="dom" />
// One event, beside the page: why, what ran, what changed, what was answered, how it is proved.
import type { Browser, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './check-page.ts'
import { eventually } from './eventually.ts'
import { NO_PUSH, SLOW_AND_BROKEN } from './policy-text.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

const POLICY = `${SLOW_AND_BROKEN}    - matcher: Write
      name: stamp
      type: command
      config:
        command: |
          printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","updatedInput":{"file_path":"a.ts","content":"// stamped\\nconst a = 1\\n"},"additionalContext":"Files are stamped here."}}'
${NO_PUSH}`

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

async function inspect(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  text: string,
): Promise<{ page: Page; aside: Locator; close(): Promise<void> }> {
  await world.hook('PreToolUse', { tool, input })
  const { page, context, problems } = await world.openPage(browser)
  await page.getByRole('link', { name: text }).first().click()
  const aside = page.getByRole('complementary', { name: 'Event' })
  await aside.getByRole('heading', { name: 'Evidence' }).waitFor()
  return {
    page,
    aside,
    async close() {
      expect(problems).toEqual([])
      await context.close()
    },
  }
}

test('a denied command: who wanted what, each unit with its verdict, the rule with its place', async () => {
  const command = 'cd api && git commit -m "fix" && git push origin main > out.log'
  const { page, aside, close } = await inspect('Bash', { command }, 'git push origin main')
  await aside.getByText(/wanted to run cd api .* denied by rule Bash\(git push/).waitFor()
  const push = aside.getByRole('button', { name: /^git push origin main/ })
  await eventually(() => push.getAttribute('title')).toContain('deny: Bash(git push')
  const colourOf = (unit: Locator) => unit.evaluate(element => getComputedStyle(element).borderBottomColor)
  expect(await colourOf(push)).not.toBe(await colourOf(aside.getByRole('button', { name: /^git commit/ })))
  const parts = aside.getByRole('list', { name: 'Parts that were judged' })
  await parts.getByText('unit git push origin main').waitFor()
  await parts.getByText(/effect .*\/api\/out\.log/).waitFor()
  await aside.getByText('deny Bash(git push:*)', { exact: true }).waitFor()
  await aside
    .getByText(/genesis\.key:\d+/)
    .first()
    .waitFor()
  await aside.getByText('Pushing is for people').first().waitFor()
  for (const step of ['decode', 'permissions', 'encode', 'ledger']) await aside.getByText(step, { exact: true }).first().waitFor()
  await aside.getByText('its matcher does not fit').first().waitFor()
  const answer = aside.getByRole('region', { name: 'standard output' })
  expect(JSON.parse((await answer.textContent()) ?? '')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } })
  expect(await findViolations(page)).toEqual([])
  await close()
})

test('rewritten input is a diff, and the context that was put in is shown', async () => {
  const { aside, close } = await inspect('Write', { file_path: 'a.ts', content: 'const a = 1\n' }, 'a.ts')
  const diff = aside.getByRole('region', { name: 'difference' })
  await diff.getByText('// stamped').waitFor()
  await eventually(() => diff.textContent()).toContain('added:   // stamped')
  expect(await diff.textContent()).not.toContain('removed:   const a = 1')
  await eventually(() => aside.getByRole('region', { name: 'injected context' }).textContent()).toContain('Files are stamped here.')
  await aside
    .getByRole('heading', { name: /^Event/ })
    .getByText('rewritten')
    .waitFor()
  await close()
})

test('a slow hook is marked, a failed one is striped and says why', async () => {
  const slow = await inspect('Bash', { command: 'slow thing' }, 'slow thing')
  await slow.aside.getByText(/over the budget of 50 ms/).waitFor({ state: 'attached' })
  await slow.close()
  const broken = await inspect('Bash', { command: 'broken thing' }, 'broken thing')
  await broken.aside
    .getByText(/exited with code 3: kaboom/)
    .first()
    .waitFor()
  await eventually(() => broken.aside.locator('.striped').count()).toBeGreaterThan(0)
  await broken.close()
})

test('judged again, it says what would come out now, and on what', async () => {
  const { aside, close } = await inspect('Bash', { command: 'git push twice' }, 'git push twice')
  await world.writePolicy(POLICY.replace('git push:*', 'git pull:*'))
  try {
    await aside.getByRole('button', { name: 'Judge again' }).click()
    await aside.getByText('it would come out differently now').waitFor()
    await aside.getByText(/Judged on the redacted record/).waitFor()
  } finally {
    await world.writePolicy(POLICY)
  }
  await close()
})

test('it keeps its place while the stream goes on, and its address can be shared', async () => {
  const { page, aside, close } = await inspect('Bash', { command: 'git push stays' }, 'git push stays')
  const content = aside.getByRole('region', { name: 'About the event' })
  const scroll = () =>
    content.evaluate(element => {
      element.scrollTo({ top: 200 })
      return element.scrollTop
    })
  await eventually(scroll).toBeGreaterThan(0)
  const place = await scroll()
  for (let n = 0; n < 20; n++) await world.hook('PreToolUse', { tool: 'Bash', input: { command: `git push goes-on-${n}` } })
  await page.getByRole('link', { name: /goes-on-19/ }).waitFor()
  expect(await content.evaluate(element => element.scrollTop)).toBe(place)
  await aside
    .getByText(/git push stays/)
    .first()
    .waitFor()
  await page.goto(page.url().replace('/live', '/overview'))
  await page
    .getByRole('complementary', { name: 'Event' })
    .getByText(/git push stays/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await aside.waitFor({ state: 'detached' })
  await close()
})

test('allow always is offered where a rule of its own would have let the call through, and only there', async () => {
  const denied = await inspect('Bash', { command: 'git push always' }, 'git push always')
  await eventually(() => denied.aside.getByRole('button', { name: /Allow always/ }).isDisabled()).toBe(true)
  await denied.aside.getByText(/Not always: deny Bash\(git push:\*\) .* no allow rule overrides that/).waitFor()
  await denied.close()
  await world.writePolicy(POLICY.replace('default: allow', 'default: ask'))
  try {
    const { page, aside, close } = await inspect('Bash', { command: 'terraform apply' }, 'terraform apply')
    await aside.getByRole('button', { name: /Allow always/ }).click()
    await page.getByRole('dialog', { name: 'Allow always' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await aside.waitFor()
    await close()
  } finally {
    await world.writePolicy(POLICY)
  }
})

test('it takes the focus, gives it back to the line, and covers nothing that can be reached on a phone', async () => {
  await world.hook('PreToolUse', { tool: 'Bash', input: { command: 'git push focus' } })
  const { page, context } = await world.openPage(browser, { width: 390, height: 844 })
  const line = page.getByRole('link', { name: 'git push focus' })
  await line.focus()
  await page.keyboard.press('Enter')
  const aside = page.getByRole('complementary', { name: 'Event' })
  await aside.getByRole('heading', { name: 'Evidence' }).waitFor()
  await eventually(() => aside.evaluate(element => element === document.activeElement)).toBe(true)
  await eventually(() => page.locator('main').evaluate(element => (element as HTMLElement).inert)).toBe(true)
  await page.keyboard.press('Tab')
  await eventually(() => aside.evaluate(element => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await aside.waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('git push focus'))
  await context.close()
})

test('the entry leads on: proof, terminal, playground, session', async () => {
  const { page, aside, close } = await inspect('Bash', { command: 'git push leads-on' }, 'git push leads-on')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await aside.getByRole('button', { name: 'Copy as belay explain' }).click()
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes('belay explain'))
  await aside.getByRole('button', { name: 'Prove it is in the ledger' }).click()
  await aside
    .getByText(/No checkpoint covers this entry yet|"root"|"checkpoint"/)
    .first()
    .waitFor()
  await aside.getByRole('button', { name: /Show the whole recorded body/ }).click()
  await aside
    .getByRole('region', { name: 'recorded body' })
    .getByText(/"verdict": "deny"/)
    .waitFor()
  const playground = await aside.getByRole('link', { name: 'Open in playground' }).getAttribute('href')
  expect(playground).toMatch(/^\/policy\?/)
  await aside.getByRole('link', { name: 'Show this session' }).click()
  await page.waitForURL(url => url.pathname === '/live/session-1')
  await close()
})

test.each([
  [1280, true],
  [390, false],
  [390, true],
])('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  await world.hook('PreToolUse', { tool: 'Bash', input: { command: 'broken && git push' } })
  const { page, context } = await world.openPage(browser, { path: '/live?verdict=deny', width, height: 844, dark })
  await page
    .getByRole('link', { name: /broken && git push/ })
    .first()
    .click()
  await page.getByRole('complementary', { name: 'Event' }).getByRole('heading', { name: 'Evidence' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await context.close()
})
