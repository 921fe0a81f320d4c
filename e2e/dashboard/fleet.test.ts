// The fleet as it works: statuses that change on screen, one agent's windows with what they handed over, its proofs and files.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

const POLICY = 'version: "2.0"\npermissions:\n  default: allow\n  actors:\n    "agent:*": { ask: ["Bash(npm publish *)"] }\n'
const SKILL =
  '---\nname: implement\ndescription: Build it.\nphases: [plan, build]\ntemplates:\n  plan: "# The plan <b>of</b> {{task}}\\n"\n---\n'

let browser: Browser
let world: World

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

beforeAll(async () => {
  mkdirSync(join(world.project, '.belay', 'skills', 'implement'), { recursive: true })
  writeFileSync(join(world.project, '.belay', 'skills', 'implement', 'SKILL.md'), SKILL)
})

const cards = (page: Page) => page.getByRole('list', { name: 'Agents' }).getByRole('listitem')
const names = (page: Page) =>
  page.getByRole('list', { name: 'Agents' }).getByRole('link').filter({ hasNotText: 'to decide' }).allInnerTexts()

function begin(agentId: string): Promise<unknown> {
  return world.hook('SessionStart', { session: `${agentId}-1`, agentId, payload: { source: 'startup' } })
}

const attention = (agentId: string) =>
  world.hook('Notification', {
    session: `${agentId}-1`,
    agentId,
    payload: { message: 'Claude needs your permission to use Bash', notification_type: 'permission_prompt' },
  })

const work = (agentId: string, command = 'ls') =>
  world.hook('PreToolUse', { session: `${agentId}-1`, agentId, tool: 'Bash', input: { command } })

test('with nobody there the page says how to connect one, and the first one appears by itself', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet' })
  await page.getByText('belay install claude-code').waitFor()
  await begin('alpha')
  await cards(page).filter({ hasText: 'alpha' }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a status changes on screen, and what needs a person comes first', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet' })
  await begin('alpha')
  await work('alpha')
  await begin('beta')
  await work('beta')
  await cards(page).filter({ hasText: 'beta' }).getByText('working').waitFor()
  await attention('alpha')
  await cards(page).filter({ hasText: 'alpha' }).getByText('attention').waitFor()
  await eventually(() => names(page)).toEqual(['alpha', 'beta'])
  await world.hook('Stop', { session: 'beta-1', agentId: 'beta', payload: { stop_hook_active: false } })
  await cards(page).filter({ hasText: 'beta' }).getByText('done').waitFor()
  await page.getByRole('link', { name: 'attention 1' }).click()
  await eventually(() => names(page)).toEqual(['alpha'])
  await page.getByRole('link', { name: 'Table' }).click()
  expect(new URL(page.url()).search).toBe('?as=table&status=attention')
  await page
    .getByRole('table', { name: 'Agents' })
    .getByRole('row', { name: /alpha.*attention.*Bash/ })
    .waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('who waits for a decision comes first as just that, and leads to the inbox', async () => {
  const { page, context } = await world.openPage(browser, { path: '/fleet' })
  await begin('gamma')
  const waiting = work('gamma', 'npm publish')
  await cards(page).first().getByText('waits for you', { exact: true }).waitFor()
  await cards(page).first().getByRole('link', { name: 'gamma' }).waitFor()
  await page.getByRole('banner').getByRole('link', { name: '1 for you' }).waitFor()
  await cards(page).filter({ hasText: 'gamma' }).getByRole('link', { name: '1 to decide' }).click()
  await page.getByRole('button', { name: 'Deny' }).click()
  await waiting
  await context.close()
})

test('a card says what its agent was asked, what it does now, what waits, and what it said at the end', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet' })
  const send = (event: string, payload: Readonly<Record<string, unknown>>, call = {}) =>
    world.hook(event, { session: 'zeta-1', agentId: 'zeta', payload, ...call })
  const card = cards(page).filter({ hasText: 'zeta' })
  const build = { tool: 'Bash', input: { command: 'npm run build' } }
  await begin('zeta')
  await card.getByText('nothing asked yet').waitFor()
  await send('UserPromptSubmit', { prompt: 'Release <b>1.4</b>.' })
  await attention('alpha')
  await send('PreToolUse', { tool_use_id: 'z1' }, build)
  await card.getByText('Release <b>1.4</b>.').waitFor()
  await card.getByText(/^runs \d+ s\s+Bash\s+npm run build$/).waitFor()
  await send('PostToolUse', { tool_use_id: 'z1', tool_response: { stdout: 'ok' } }, build)
  await card.getByText(/^last call\s+Bash\s+npm run build$/).waitFor()
  const waiting = send('PreToolUse', { tool_use_id: 'z2' }, { tool: 'Bash', input: { command: 'npm publish' } })
  await card.getByText(/^asks for\s+Bash\s+npm publish$/).waitFor()
  // An agent that asks in its own window does not stand before a call that can be decided here.
  const bar = page.getByRole('region', { name: 'Waiting for you' })
  await bar.getByRole('link', { name: '1 more' }).waitFor()
  await bar.getByRole('button', { name: 'Deny' }).click()
  await waiting
  await send('Stop', { stop_hook_active: false, last_assistant_message: '1.4 is built.\nThe publish was refused.' })
  await card.getByText(/^said\s+1\.4 is built\. ⏎ The publish was refused\.$/).waitFor()
  await page.getByRole('link', { name: 'zeta' }).click()
  await page.getByRole('heading', { name: 'zeta' }).waitFor()
  await page.getByText('Release <b>1.4</b>.').first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('whoever opens an agent that is done has checked it', async () => {
  await begin('delta')
  await work('delta')
  await world.hook('Stop', { session: 'delta-1', agentId: 'delta', payload: { stop_hook_active: false } })
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet' })
  await cards(page).filter({ hasText: 'delta' }).getByText('done').waitFor()
  await page.getByRole('link', { name: 'delta' }).click()
  await page.getByRole('heading', { name: 'delta' }).waitFor()
  await page.getByText('checked', { exact: true }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('windows, what they handed over, phases with proofs, files as text', async () => {
  const caller = { agentId: 'epsilon', agent_id: 'epsilon', cwd: world.project }
  await begin('epsilon')
  await world.rpc('effort.start', { ...caller, skill: 'implement', task: 'tasks/login' })
  await world.hook('UserPromptSubmit', { session: 'epsilon-1', agentId: 'epsilon', payload: { prompt: 'Build the <i>login</i>' } })
  await work('epsilon')
  await world.rpc('effort.phase', { ...caller, phase: 'build', proof: { plan: 'read by ada' } })
  await world.rpc('session.dehydrate', { ...caller, payload: { summary: 'half done', nextStep: 'the form' } })
  await world.hook('SessionStart', { session: 'epsilon-2', agentId: 'epsilon', payload: { source: 'startup' } })
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet/epsilon' })
  await page
    .getByRole('link', { name: /session \d+ ended/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: /session \d+ open/ }).waitFor()
  await page.getByRole('button', { name: 'handed over' }).click()
  await page.getByText('"summary": "half done"').waitFor()
  await page.getByText('proof', { exact: true }).click()
  await page.getByText('read by ada').waitFor()
  await page.getByRole('button', { name: /PLAN\.md/ }).click()
  await page.getByRole('dialog').getByText('# The plan <b>of</b>').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'Its events' }).click()
  await page.getByRole('list', { name: 'Entries, newest first' }).getByRole('button').first().waitFor()
  expect(new URL(page.url()).search).toBe('?agentId=epsilon')
  expect(problems).toEqual([])
  await context.close()
})

test('an agent nobody knows is said so', async () => {
  const { page, context } = await world.openPage(browser, { path: '/fleet/nobody' })
  await page.getByRole('alert').waitFor()
  await context.close()
})

test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  const { page, context, problems } = await world.openPage(browser, { path: '/fleet', width, dark })
  await cards(page).first().waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  await page.getByRole('link', { name: 'Table' }).click()
  await page.getByRole('table', { name: 'Agents' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.goto(new URL('/fleet/epsilon', await world.url()).href)
  await page.getByRole('heading', { name: 'epsilon' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  expect(problems).toEqual([])
  await context.close()
})
