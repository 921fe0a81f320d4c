/// <reference lib="dom" />
// "An agent waits for you" is seen on every page, also on a phone and from another tab, and is decided where it is seen.
import { connect, createServer } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { PATIENCE_MS } from './browser.ts'
import { findViolations, isWiderThanScreen, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { HookCall, World } from './world.ts'

const POLICY = `version: "2.0"
permissions:
  default: allow
  actors:
    "agent:*": { ask: ["Bash(npm publish *)", "Write"] }
`

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

const bash = (command: string): HookCall => ({ tool: 'Bash', input: { command } })
const bar = (page: Page) => page.getByRole('region', { name: 'Waiting for you' })

function decisionOf(answer: Readonly<Record<string, unknown>>): unknown {
  return (answer.hookSpecificOutput as Readonly<Record<string, unknown>>).permissionDecision
}

test.each(['live', 'fleet', 'ledger', 'policy', 'overview'])('on %s: who, what, how long; Allow lets the agent go on', async name => {
  const { page, context, problems } = await world.openPage(browser, { path: `/${name}` })
  const waiting = world.hook('PreToolUse', { ...bash(`npm publish --tag ${name}`), agentId: `ops-${name}` })
  await bar(page).getByText(`ops-${name}`, { exact: true }).waitFor()
  await bar(page).getByText(`npm publish --tag ${name}`).waitFor()
  await bar(page)
    .getByText(/^held, refused in \d+:\d\d$/)
    .waitFor()
  await eventually(() => page.title()).toContain('(1)')
  await eventually(() => page.locator('link[rel="icon"]').getAttribute('href')).toMatch(/^data:image/)
  await bar(page).getByRole('button', { name: 'Allow' }).click()
  expect(decisionOf(await waiting)).toBe('allow')
  await bar(page).waitFor({ state: 'detached' })
  await eventually(() => page.title()).not.toContain('(')
  expect(problems).toEqual([])
  await context.close()
})

test('over a forwarded port on a phone, as `ssh -L` makes one: the bar comes by itself, and Allow lets the agent go on', async () => {
  const { port } = new URL(await world.url())
  const forward = createServer(near => {
    const far = connect(Number(port), '127.0.0.1')
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  })
  await new Promise<void>(resolve => forward.listen(Number(port), '::1', resolve))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  await page.goto((await world.link()).replace('//127.0.0.1:', '//[::1]:'))
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.goto(new URL('/live', page.url()).href)
  expect(page.url()).toBe(`http://[::1]:${port}/live`)
  const waiting = world.hook('PreToolUse', { ...bash('npm publish --tag far'), agentId: 'ops-far' })
  await bar(page).getByText('npm publish --tag far').waitFor()
  await eventually(() => page.title()).toContain('(1)')
  await bar(page).getByRole('button', { name: 'Allow' }).tap()
  expect(decisionOf(await waiting)).toBe('allow')
  await context.close()
  forward.close()
})

test('nobody looked: it says refused for now, the one on the bar stays there, and both can be denied', async () => {
  // Without a page open nobody is held.
  await eventually(async () => decisionOf(await world.hook('PreToolUse', bash('npm publish --tag late')))).toBe('deny')
  const { page, context } = await world.openPage(browser)
  await bar(page).getByText('npm publish --tag late').waitFor()
  await bar(page)
    .getByText(/refused for now, allowed it may try again · 1\d:\d\d left to decide$/)
    .waitFor()
  await page.goto(new URL('/fleet?as=lanes&span=5', await world.url()).href)
  await page.getByRole('list', { name: 'Lanes' }).getByRole('listitem').first().getByText('waits for you').waitFor()
  const held = world.hook('PreToolUse', bash('npm publish --tag soon'))
  await bar(page).getByRole('link', { name: '1 more' }).waitFor()
  await bar(page).getByText('npm publish --tag late').waitFor()
  await bar(page).getByRole('button', { name: 'Deny' }).click()
  await bar(page).getByText('npm publish --tag soon').waitFor()
  await bar(page).getByRole('button', { name: 'Deny' }).click()
  expect(decisionOf(await held)).toBe('deny')
  await bar(page).waitFor({ state: 'detached' })
  await context.close()
})

test('what the line cannot say in full is read before it is allowed', async () => {
  const { page, context } = await world.openPage(browser)
  const waiting = world.hook('PreToolUse', { tool: 'Write', input: { file_path: 'deploy.yaml', content: 'replicas: 0\n' } })
  await bar(page).getByText('deploy.yaml').waitFor()
  expect(await bar(page).getByRole('button', { name: 'Allow' }).count()).toBe(0)
  await page.keyboard.press('w')
  await page.getByRole('article').getByText('replicas: 0').waitFor()
  await bar(page).waitFor({ state: 'detached' })
  await page.getByRole('article').getByRole('button', { name: 'Deny' }).click()
  await waiting
  await context.close()
})

test('an agent that asks in its own window is on the bar until somebody has looked', async () => {
  const { page, context } = await world.openPage(browser)
  await world.hook('SessionStart', { session: 'own', agentId: 'own-1', payload: { source: 'startup' } })
  await world.hook('Notification', {
    session: 'own',
    agentId: 'own-1',
    payload: { message: 'Which branch should I review?', notification_type: 'permission_prompt' },
  })
  await bar(page).getByText('waits for you in its own window').waitFor()
  await bar(page).getByText('Which branch should I review?').waitFor()
  await bar(page).getByRole('link', { name: 'Look' }).click()
  await page.getByRole('heading', { name: 'own-1' }).waitFor()
  await bar(page).waitFor({ state: 'detached' })
  await context.close()
})

test('whoever looks elsewhere is told by the browser, once for each', async () => {
  const { page, context } = await world.openPage(browser)
  await context.grantPermissions(['notifications'])
  await page.addInitScript(() => {
    const told: string[] = []
    document.hasFocus = () => false
    Object.assign(window, {
      told,
      Notification: class {
        static readonly permission = 'granted'
        constructor(title: string, { body }: { body: string }) {
          told.push(`${title}: ${body}`)
        }
      },
    })
  })
  await page.reload()
  await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  await page.waitForFunction(() => document.title.startsWith('Live'))
  await eventually(async () => (await page.getByRole('banner').innerText()).includes('events/s')).toBe(true)
  const waiting = world.hook('PreToolUse', { ...bash('npm publish --tag away'), agentId: 'ops-9' })
  const told = () => page.evaluate(() => (window as unknown as { told: readonly string[] }).told)
  await eventually(told).toEqual(['ops-9 waits for you: held: Bash npm publish --tag away'])
  await bar(page).getByRole('button', { name: 'Allow' }).click()
  await waiting
  expect(await told()).toHaveLength(1)
  await context.close()
})

test.each(LOOKS)('at %d wide (dark: %s) it fits, thumbs fit, axe finds nothing serious', async (width, dark) => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet', width, height: 844, dark })
  const waiting = world.hook('PreToolUse', { ...bash(`npm publish --tag ${width}-${dark} --access public --otp 123456`), agentId: 'ops-7' })
  const allow = bar(page).getByRole('button', { name: 'Allow' })
  await allow.waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  if (width < 768) expect((await allow.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await allow.click()
  expect(decisionOf(await waiting)).toBe('allow')
  expect(problems).toEqual([])
  await context.close()
})
