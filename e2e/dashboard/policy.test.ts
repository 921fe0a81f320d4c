// The policy: what each rule and hook did, a text that is tried, compared and saved by a person, and nothing lost when two write at once.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - name: look-first
      matcher: "Bash"
      type: command
      config: { command: "true" }
    - name: only-web
      matcher: "WebFetch"
      type: deny
      config: { reason: "no web" }
permissions:
  default: allow
  actors:
    "agent:*":
      deny:
        - { rule: "Bash(git push *)", id: no-push, message: "Pushing is for people" }
        - { rule: "Bash(git push --force *)", id: no-force }
        - "Read(.env)"
`

let browser: Browser
let world: World
let file: string

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

beforeAll(async () => {
  file = join(world.project, '.belay', 'genesis.key')
  for (const command of ['git push origin main', 'git push origin main', 'git status', 'npm publish']) await call(command)
})

beforeEach(() => world.writePolicy(POLICY))

function call(command: string): Promise<Readonly<Record<string, unknown>>> {
  return world.hook('PreToolUse', { tool: 'Bash', input: { command } })
}

async function openPlayground(more = ''): Promise<{ readonly page: Page; readonly close: () => Promise<void> }> {
  const { page, context, problems } = await world.openPage(browser, { path: `/policy?show=playground${more}` })
  await eventually(() => editor(page).inputValue()).toBe(POLICY)
  const close = async () => {
    expect(problems).toEqual([])
    await context.close()
  }
  return { page, close }
}

const editor = (page: Page) => page.getByLabel('Policy', { exact: true })
/** The rule it shadows names it too. */
const pushRow = (page: Page) => page.getByRole('row', { name: /^deny Bash\(git push \*\) (?:agent|\d)/ })
const outcome = (page: Page) => page.getByRole('region', { name: 'It would be' })

test('rules stand with their line, hits and whether they ever do anything', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/policy' })
  const row = (text: string) => page.getByRole('row', { name: text })
  await eventually(() => pushRow(page).innerText()).toMatch(/agent:\*\s+17\s+2/)
  await row('Read(.env)').getByText('never fired').waitFor()
  await row('Bash(git push --force *)').getByText('shadowed').waitFor()
  await page.getByLabel('only rules that do nothing').check()
  await pushRow(page).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Hooks' }).click()
  await eventually(() => row('look-first').innerText()).toMatch(/genesis\.key:4\s[\s\S]*\s4\s/)
  await row('only-web').getByText('never ran').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a call is tried against the text on screen, not the file', async () => {
  const { page, close } = await openPlayground()
  await page.getByLabel('Command', { exact: true }).fill('cd sub && git push origin main')
  await outcome(page).getByText('Pushing is for people').first().waitFor()
  await outcome(page).getByText('.belay/genesis.key:17', { exact: false }).first().waitFor()
  await outcome(page)
    .getByRole('button', { name: /^git push origin main/ })
    .waitFor()
  await outcome(page).getByText('look-first').waitFor()
  await editor(page).fill(POLICY.replace('Pushing is for people', 'Not today'))
  await outcome(page).getByText('Not today').first().waitFor()
  await page.getByLabel('Actor').fill('human:ada')
  await eventually(() => outcome(page).innerText()).not.toContain('Not today')
  await page.getByLabel('Tool').fill('mcp__x__y')
  await page.getByLabel('Input as JSON').fill('{')
  await page.getByText(/This is not JSON/).waitFor()
  expect(readFileSync(file, 'utf8')).toBe(POLICY)
  await close()
})

test('a recorded call opens in the playground', async () => {
  const { rows } = (await world.rpc('page.records', { filter: { text: 'npm publish' } })) as { rows: readonly { seq: number }[] }
  const { page, close } = await openPlayground(`&from=${rows[0]?.seq}`)
  await eventually(() => page.getByLabel('Command', { exact: true }).inputValue()).toBe('npm publish')
  await outcome(page).getByText('allow').first().waitFor()
  await close()
})

test('lint stands at its line, an error cannot be saved, and a draft outlives a reload', async () => {
  const { page, close } = await openPlayground()
  const broken = POLICY.replace('default: allow', 'default: perhaps')
  await editor(page).fill(broken)
  await page.locator('[data-lint-line="13"]').waitFor()
  const message = page.getByRole('list', { name: 'What lint says' }).getByRole('button', { name: /13:\d+/ })
  await message.click()
  expect(
    await editor(page).evaluate(
      area => (area as HTMLTextAreaElement).value.slice(0, (area as HTMLTextAreaElement).selectionStart).split('\n').length,
    ),
  ).toBe(13)
  await eventually(() => page.getByRole('button', { name: 'Save …' }).isDisabled()).toBe(true)
  await page.reload()
  await eventually(() => editor(page).inputValue()).toBe(broken)
  await page.getByRole('button', { name: 'Drop my changes' }).click()
  await eventually(() => editor(page).inputValue()).toBe(POLICY)
  await close()
})

test('a text is compared with the calls of any range', async () => {
  const { page, close } = await openPlayground()
  await editor(page).fill(POLICY.replace('Bash(git push *)', 'Bash(npm publish *)'))
  const choose = (name: string) => page.getByLabel('Compare with').selectOption(name)
  const compare = () => page.getByRole('button', { name: 'Compare', exact: true }).click()
  await choose('all')
  await compare()
  await page.getByText(/3 of \d+ recorded calls would come out differently: 2 deny to allow, 1 allow to deny/).waitFor()
  const changes = page.getByRole('list', { name: 'Calls that would come out differently' })
  await changes.getByRole('button', { name: /× 2 Bash git push origin main/ }).waitFor()
  await choose('between')
  await page.getByLabel('Until').fill('2020-01-01T00:00')
  await compare()
  await page.getByText('There is no recorded call to compare with.').waitFor()
  await page.getByLabel('Until').fill('')
  await page.getByLabel('From').fill('2020-01-01T00:00')
  await compare()
  await changes.getByRole('button', { name: /npm publish/ }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await close()
})

test('the difference is shown, a word is typed, and the change is in force and recorded', async () => {
  const { page, close } = await openPlayground()
  const wanted = POLICY.replace('- "Read(.env)"', '- "Read(.env)"\n        - "Bash(npm publish *)"')
  await editor(page).fill(wanted)
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByText(/1 of \d+ recorded calls would come out differently: 1 allow to deny/).waitFor()
  await page.getByRole('button', { name: 'Save …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save the policy?' })
  await dialog.getByText('1 allow to deny').waitFor()
  await dialog.getByRole('region', { name: 'difference' }).getByText('- "Bash(npm publish *)"').waitFor()
  const save = dialog.getByRole('button', { name: 'Save' })
  await eventually(() => save.isDisabled()).toBe(true)
  await dialog.getByLabel(/to put it in force/).fill('save')
  await save.click()
  const done = page.getByRole('dialog', { name: 'Saved, and in force' })
  const entry = await done.getByRole('link', { name: /^entry \d+/ }).innerText()
  expect(readFileSync(file, 'utf8')).toBe(wanted)
  await eventually(async () => JSON.stringify(await call('npm publish'))).toContain('"deny"')
  await done.getByRole('link').click()
  await page.getByRole('heading', { name: new RegExp(`^${entry}$`, 'i') }).waitFor()
  await page.getByText('"via": "dashboard"').waitFor()
  await close()
})

test('a file that somebody else changed is a choice, and my text is kept', async () => {
  const { page, close } = await openPlayground()
  const mine = POLICY.replace('Pushing is for people', 'Mine')
  await editor(page).fill(mine)
  await page.getByRole('button', { name: 'Save …' }).click()
  const theirs = POLICY.replace('no web', 'theirs')
  await world.writePolicy(theirs)
  const dialog = page.getByRole('dialog', { name: 'Save the policy?' })
  await dialog.getByLabel(/to put it in force/).fill('save')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText(/the file has changed meanwhile/).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect([await editor(page).inputValue(), readFileSync(file, 'utf8')]).toEqual([mine, theirs])
  await page.getByRole('button', { name: 'Show the difference' }).click()
  await page
    .getByRole('region', { name: 'difference' })
    .getByText(/theirs/)
    .waitFor()
  await eventually(() => page.getByRole('button', { name: 'Save …' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Go on with mine' }).click()
  await page.getByRole('button', { name: 'Save …' }).click()
  await dialog.getByLabel(/to put it in force/).fill('save')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog', { name: 'Saved, and in force' }).waitFor()
  expect(readFileSync(file, 'utf8')).toBe(mine)
  await close()
})

test('a broken file: the error with its line, and which policy is in force', async () => {
  const { page, context } = await world.openPage(browser, { path: '/policy' })
  await pushRow(page).waitFor()
  writeFileSync(file, POLICY.replace('default: allow', 'default: perhaps'))
  await page.getByText(/genesis\.key:13:\d+: /).waitFor()
  await page.getByText(/The last good policy of \d\d:\d\d is in force/).waitFor()
  expect(JSON.stringify(await call('git push'))).toContain('"deny"')
  await page.getByRole('link', { name: 'Fix it' }).click()
  await page.locator('[data-lint-line="13"]').waitFor()
  await context.close()
})

test('a file that is not trusted is marked, and its allow rules with it', async () => {
  writeFileSync(file, POLICY.replace('      deny:', '      allow: ["Bash(ls *)"]\n      deny:'))
  const { page, context, problems } = await world.openPage(browser, { path: '/policy' })
  // It was trusted before: what holds is said, and the command that accepts what it says now.
  const said = page.getByRole('alert').filter({ hasText: 'nobody has accepted that' })
  await said.getByText(/the last trusted version \([0-9a-f]{12}\) holds, and so does what is stricter in the new text/).waitFor()
  await said.getByText(`belay policy trust ${file}`, { exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(1)
  await page.getByRole('row', { name: 'allow Bash(ls *)' }).getByText('inert').first().waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a trusted file that is gone: its last trusted version holds, and the page says how to put it back', async () => {
  rmSync(file)
  const { page, context, problems } = await world.openPage(browser, { path: '/policy' })
  const said = page.getByRole('alert').filter({ hasText: 'was removed' })
  await said.getByText('belay policy trust --restore', { exact: true }).waitFor()
  await pushRow(page).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  const { page, context, problems } = await world.openPage(browser, { path: '/policy', width, dark })
  await pushRow(page).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  await page.getByRole('link', { name: 'Hooks' }).click()
  await page.getByRole('row', { name: 'look-first' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByLabel('Command', { exact: true }).fill('git push && ls')
  await outcome(page).getByText('Pushing is for people').first().waitFor()
  await editor(page).fill(POLICY.replace('default: allow', 'default: perhaps'))
  await page.locator('[data-lint-line="13"]').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  expect(problems).toEqual([])
  await context.close()
})
