// The inbox with real hook processes that wait: a press in the browser releases them, and a rule for always is written and holds.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations, isWiderThanScreen, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { HookCall, OpenPage, Ran, World } from './world.ts'

const POLICY = `version: "2.0"
hooks:
  stop:
    - type: approval_gate
      config: { reason: "Somebody looks at it before it is done" }
permissions:
  default: ask
  actors:
    "agent:*":
      allow: ["Bash(ls *)"]
      ask: [{ rule: "Bash(git push *)", id: ask-push }]
      deny: ["Bash(npm run secrets *)"]
`

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

const bash = (command: string): HookCall => ({ tool: 'Bash', input: { command } })

/** A page with nobody waiting: what earlier tests left is denied. */
async function openInbox(options: Parameters<World['openPage']>[1] = {}): Promise<OpenPage & { readonly close: () => Promise<void> }> {
  const opened = await world.openPage(browser, { path: '/approvals', ...options })
  await opened.page.getByRole('navigation', { name: 'Inbox or history' }).waitFor()
  const close = async () => {
    expect(opened.problems).toEqual([])
    await opened.context.close()
  }
  return { ...opened, close }
}

function answerOf({ stdout }: Ran): { readonly decision: string; readonly reason: string } {
  const { permissionDecision, permissionDecisionReason } = JSON.parse(stdout).hookSpecificOutput
  return { decision: permissionDecision, reason: permissionDecisionReason }
}

async function openRequest(page: Page, text: string): Promise<void> {
  await page.getByRole('link', { name: text }).click()
  await page.getByRole('article').getByRole('button', { name: 'Allow once' }).waitFor()
}

test('a hook process waits until a person presses a', async () => {
  const { page, close } = await openInbox()
  await page.getByText('Nothing waits for you').waitFor()
  const waiting = world.hookProcess('PreToolUse', { ...bash('npm publish --tag next && ls dist'), agentId: 'ops-1' })
  await page.getByRole('article').getByText('no rule covers "npm publish --tag next"', { exact: true }).waitFor()
  await page.getByRole('status').getByText('New request from agent:claude-code: Bash npm publish').waitFor({ state: 'attached' })
  await eventually(() => page.title()).toContain('(1)')
  const units = page.getByRole('article').getByRole('button', { name: /^(npm|ls)/ })
  await eventually(() => units.evaluateAll(buttons => buttons.map(button => (button.getAttribute('title') ?? '').split(':')[0]))).toEqual([
    'ask',
    'allow',
  ])
  await page
    .getByRole('article')
    .getByText(/^held, refused in \d+:\d\d$/)
    .waitFor()
  await page.keyboard.press('a')
  expect(answerOf(await waiting)).toMatchObject({ decision: 'allow' })
  await page
    .getByRole('article')
    .getByText(/^by human:/)
    .waitFor()
  await eventually(() => page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
  await eventually(() => page.title()).not.toContain('(1)')
  await close()
})

test('a denial carries its note to the agent', async () => {
  const { page, close } = await openInbox()
  const waiting = world.hookProcess('PreToolUse', bash('docker compose down'))
  await openRequest(page, 'docker compose down')
  await page.getByLabel('Note to the agent').fill('not while the demo runs')
  await page.getByRole('button', { name: 'Deny' }).click()
  expect(answerOf(await waiting)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('not while the demo runs') })
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('link', { name: /docker compose down/ }).click()
  await page.getByRole('article').getByText('not while the demo runs').first().waitFor()
  await close()
})

test('allow always shows what else it lets through, writes the rule, and nothing that was allowed is lost', async () => {
  const { page, close } = await openInbox()
  const refused = world.hook('PreToolUse', bash('npm run lint'))
  const waiting = world.hookProcess('PreToolUse', bash('npm run build'))
  await openRequest(page, 'npm run build')
  await page.keyboard.press('Shift+A')
  const dialog = page.getByRole('dialog', { name: 'Allow always' })
  const pattern = dialog.getByLabel('Pattern')
  await pattern.fill('Bash(')
  await dialog.getByRole('alert').waitFor()
  await eventually(() => dialog.getByRole('button', { name: 'Allow, and write the rule' }).isDisabled()).toBe(true)
  await pattern.fill('Bash(docker compose *)')
  await dialog.getByText(/would have let through 1 call/).waitFor()
  await dialog.getByRole('listitem').getByText('docker compose down').waitFor()
  await pattern.fill('Bash(npm run *)')
  await dialog.getByText('agent:*').first().waitFor()
  await dialog.getByText('nothing else').waitFor()
  await dialog.getByRole('button', { name: 'Allow, and write the rule' }).click()
  await page.getByRole('dialog', { name: 'The rule is written' }).getByText('allow Bash(npm run *)').waitFor()
  expect(answerOf(await waiting)).toMatchObject({ decision: 'allow' })
  expect(readFileSync(join(world.project, '.belay', 'genesis.key'), 'utf8')).toContain('allow: ["Bash(ls *)", "Bash(npm run *)"]')
  for (const command of ['npm run test', 'ls src']) {
    await eventually(async () => answerOf(await world.hookProcess('PreToolUse', bash(command))).decision).toBe('allow')
  }
  expect(answerOf(await world.hookProcess('PreToolUse', bash('npm run secrets now'))).decision).toBe('deny')
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
  await openRequest(page, 'npm run lint')
  await page.getByRole('button', { name: 'Deny' }).click()
  await refused
  await close()
})

test('where a rule asks, always is not offered, and the rule is named with its place', async () => {
  const { page, close } = await openInbox()
  const waiting = world.hook('PreToolUse', bash('git push origin main'))
  await openRequest(page, 'git push origin main')
  const article = page.getByRole('article')
  await article.getByText('ask Bash(git push *)', { exact: true }).waitFor()
  await article.getByText(/genesis\.key:11$/).waitFor()
  await eventually(() => article.getByRole('button', { name: 'Allow always' }).isDisabled()).toBe(true)
  await article.getByText(/no allow rule overrides/).waitFor()
  await article.getByRole('button', { name: 'Deny' }).click()
  await waiting
  await close()
})

test('many are decided at once, after all of them were listed', async () => {
  const { page, close } = await openInbox()
  const commands = ['make one', 'make two', 'make three']
  const waiting = commands.map(command => world.hookProcess('PreToolUse', bash(command)))
  for (const command of commands) await page.getByRole('link', { name: command }).waitFor()
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByText('3 selected').waitFor()
  await page.getByRole('heading', { name: /wants to use/ }).click()
  await page.keyboard.press('d')
  const dialog = page.getByRole('dialog', { name: 'Deny 3 requests?' })
  for (const command of commands) await dialog.getByText(command).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await eventually(() => page.getByRole('checkbox', { checked: true }).count()).toBe(3)
  await page.getByRole('button', { name: 'Deny…' }).click()
  await page.keyboard.press('Enter')
  const answers = await Promise.all(waiting)
  expect(answers.map(ran => answerOf(ran).decision)).toEqual(['deny', 'deny', 'deny'])
  await close()
})

test('j and k walk, x selects, and what was decided keeps its place until one moves on', async () => {
  const { page, close } = await openInbox()
  const waiting = ['first', 'second'].map(name =>
    world.hook('PreToolUse', { tool: 'WebFetch', input: { url: `https://example.com/${name}` } }),
  )
  await page.getByRole('link', { name: 'example.com/first' }).waitFor()
  await page.getByRole('link', { name: 'example.com/second' }).waitFor()
  const current = () => page.locator('li a[aria-current="true"]').getAttribute('href')
  const order = await page.locator('li a').evaluateAll(links => links.map(link => link.getAttribute('href')))
  await eventually(current).toBe(order[0])
  await page.keyboard.press('j')
  await eventually(current).toBe(order[1])
  await page.keyboard.press('k')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('x')
  await page.getByRole('article').getByRole('button', { name: 'Deny' }).waitFor()
  await page.keyboard.press('d')
  await page
    .getByRole('article')
    .getByText(/denied/)
    .first()
    .waitFor()
  // A second press of the same key finds nothing to decide.
  await page.keyboard.press('d')
  await eventually(() => page.locator('li a').count()).toBe(2)
  await page.keyboard.press('j')
  await page.getByRole('article').getByRole('button', { name: 'Deny' }).waitFor()
  await page.keyboard.press('d')
  await Promise.all(waiting)
  await close()
})

test('a decision made in one page is seen in the other', async () => {
  const one = await openInbox()
  const other = await openInbox()
  const waiting = world.hook('PreToolUse', {
    tool: 'Write',
    input: { file_path: 'deploy.yaml', content: 'replicas: 3\n<script>alert(1)</script>\n' },
  })
  await openRequest(one.page, 'deploy.yaml')
  await openRequest(other.page, 'deploy.yaml')
  await other.page.getByRole('region', { name: 'difference' }).getByText('<script>alert(1)</script>').waitFor()
  await one.page.getByRole('button', { name: 'Allow once' }).click()
  await other.page
    .getByRole('article')
    .getByText(/^by human:/)
    .waitFor()
  await eventually(() => other.page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
  await waiting
  await one.close()
  await other.close()
})

test('a gate holds a commitment until somebody decides', async () => {
  const commit = { text: 'Ship it', cwd: world.project, agent: 'claude-code', agentId: 'planner' }
  const made = (await world.rpc('commitments.commit', commit)) as { commitment: { id: string } }
  const { id } = made.commitment
  await world.rpc('commitments.claim', { target: id, cwd: world.project, agent: 'claude-code', agentId: 'shipper' })
  const { page, close } = await openInbox()
  await world.hook('SessionStart', { session: 'ship', agentId: 'shipper', payload: { source: 'startup' } })
  await world.hook('Stop', { session: 'ship', agentId: 'shipper', payload: { stop_hook_active: false } })
  await page.getByRole('link', { name: `Gate ${id}` }).click()
  await page.getByRole('heading', { name: `is done with ${id}` }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page
    .getByRole('article')
    .getByText(/^by human:/)
    .waitFor()
  await close()
})

test('on a phone: the list, then the request, buttons for a thumb', async () => {
  const { page, close } = await openInbox({ width: 390, height: 844 })
  const waiting = world.hookProcess('PreToolUse', bash('terraform apply'))
  await page.getByRole('link', { name: 'terraform apply' }).click()
  const allow = page.getByRole('button', { name: 'Allow once' })
  await allow.waitFor()
  for (const button of [allow, page.getByRole('button', { name: 'Deny' })])
    expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await isWiderThanScreen(page)).toBe(false)
  await allow.click()
  expect(answerOf(await waiting).decision).toBe('allow')
  await page.getByRole('link', { name: 'All requests' }).click()
  await page.getByText('Nothing waits for you').waitFor()
  await close()
})

test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  const { page, close } = await openInbox({ width, dark })
  const command = `npm install ${width} ${dark} && git push`
  const waiting = world.hook('PreToolUse', bash(command))
  await page.getByRole('link', { name: command }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await openRequest(page, command)
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  await page.getByRole('button', { name: 'Deny' }).click()
  await waiting
  await close()
})

test('a recorded call that was refused for want of a rule is given one from the inspector', async () => {
  await world.hookProcess('PreToolUse', { tool: 'WebFetch', input: { url: 'https://docs.example.org/a' }, session: 'later' })
  const { rows } = (await world.rpc('page.records', { filter: { session: 'later', kind: 'pre_tool_use' } })) as {
    rows: readonly { seq: number }[]
  }
  const { page, context, problems } = await world.openPage(browser, { path: `/live?event=${rows[0]?.seq}` })
  await page.getByRole('button', { name: 'Allow always' }).click()
  const dialog = page.getByRole('dialog', { name: 'Allow always' })
  await dialog.getByLabel('Pattern').fill('WebFetch(domain:docs.example.org)')
  await dialog.getByText(/would have let through 1 call/).waitFor()
  await dialog.getByRole('button', { name: 'Write the rule' }).click()
  await page.getByRole('dialog', { name: 'The rule is written' }).waitFor()
  expect(readFileSync(join(world.project, '.belay', 'genesis.key'), 'utf8')).toContain('"WebFetch(domain:docs.example.org)"')
  const again = () => world.hookProcess('PreToolUse', { tool: 'WebFetch', input: { url: 'https://docs.example.org/b' }, session: 'later' })
  await eventually(async () => answerOf(await again()).decision).toBe('allow')
  expect(problems).toEqual([])
  await context.close()
})
