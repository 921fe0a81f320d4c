// The ledger: found, counted, opened, exported, proved to somebody else, verified.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findViolations, isWiderThanScreen, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { setBrowser, setWorld } from './stage.ts'
import type { World } from './world.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - matcher: "Write|Edit"
      type: evidence_capture
      config: { ledger: true, kind: file_change }
permissions:
  default: allow
  actors:
    "agent:*": { deny: [{ rule: "Bash(git push *)", id: no-push }] }
`
const MANY = 450

const checker = fileURLToPath(new URL('../../docs/verify-proof.mjs', import.meta.url))
let browser: Browser
let world: World
let commitment: string

setBrowser(opened => (browser = opened))
setWorld(started => (world = started), POLICY)

beforeAll(async () => {
  for (let index = 0; index < MANY; index++) {
    const command = index % 50 === 0 ? `git push origin b${index}` : `ls folder-${index}`
    await world.hook('PreToolUse', { tool: 'Bash', input: { command }, agentId: index % 2 === 0 ? 'even' : 'odd' })
  }
  commitment = await seedCommitment()
})

async function seedCommitment(): Promise<string> {
  const commit = { text: 'Move the port', cwd: world.project, agent: 'claude-code', agentId: 'planner' }
  const made = (await world.rpc('commitments.commit', commit)) as { commitment: { id: string } }
  const { id } = made.commitment
  await world.rpc('commitments.claim', { target: id, cwd: world.project, agent: 'claude-code', agentId: 'mover' })
  const file = join(world.project, 'server.ts')
  writeFileSync(file, 'listen(80)\n')
  const call = {
    tool: 'Edit',
    input: { file_path: file, old_string: 'listen(80)', new_string: 'listen(8080)' },
    agentId: 'mover',
    session: 'move',
    payload: { tool_use_id: 'edit-1' },
  }
  await world.hook('PreToolUse', call)
  writeFileSync(file, 'listen(8080)\n')
  await world.hook('PostToolUse', { ...call, payload: { tool_use_id: 'edit-1', tool_response: { filePath: file } } })
  await world.rpc('commitments.evidence', {
    target: id,
    text: '12 tests',
    kind: 'test',
    status: 'passed',
    cwd: world.project,
    agent: 'claude-code',
    agentId: 'mover',
  })
  return id
}

const list = (page: Page) => page.getByRole('list', { name: 'Entries, newest first' })
const lines = (page: Page) => list(page).getByRole('button')

async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search the ledger').fill(text)
  await page.keyboard.press('Enter')
}

test('what is typed becomes facets and a text, kept in the address', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger' })
  await lines(page).first().waitFor()
  await search(page, 'tool:Bash verdict:deny push')
  await page.getByText('9 entries, all that match').waitFor()
  expect((await lines(page).allInnerTexts()).every(text => /deny/.test(text) && /git push/.test(text))).toBe(true)
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ tool: 'Bash', verdict: 'deny', text: 'push' })
  await page.reload()
  await page.getByText('9 entries, all that match').waitFor()
  await page.getByRole('button', { name: 'Take away the filter verdict deny' }).click()
  await search(page, 'folder-44')
  await page.getByText(/^\d+ entries, all that match/).waitFor()
  await eventually(() => lines(page).filter({ hasText: 'ls folder-44' }).count()).toBeGreaterThan(1)
  await search(page, 'nothing of the kind')
  await page.getByText('Nothing matches').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('facets count, narrow and widen; a line opens beside the list', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger' })
  const deny = page.getByRole('group', { name: 'verdict' }).getByRole('button', { name: /^deny/ })
  await eventually(() => deny.innerText()).toMatch(/9/)
  await deny.click()
  await page.getByText('9 entries, all that match').waitFor()
  await lines(page).first().click()
  const aside = page.getByRole('complementary', { name: 'Event' })
  await aside
    .getByText(/git push origin b400/)
    .first()
    .waitFor()
  await page.keyboard.press('Escape')
  await aside.waitFor({ state: 'detached' })
  await deny.click()
  await eventually(async () => (await lines(page).first().innerText()).includes('deny')).toBe(false)
  expect(problems).toEqual([])
  await context.close()
})

test('further pages come with scrolling, to the first entry', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger' })
  await lines(page).first().waitFor()
  const end = page.getByText(/entries, all that match/)
  await eventually(async () => {
    await page.getByRole('region', { name: 'Entries' }).evaluate(box => box.scrollTo({ top: box.scrollHeight }))
    return (await end.isVisible()) && (await lines(page).last().locator('span').first().innerText())
  }).toBe('1')
  expect(await lines(page).count()).toBeLessThan(120)
  expect(problems).toEqual([])
  await context.close()
})

test('what is recorded meanwhile is counted and comes on request', async () => {
  const { page, context } = await world.openPage(browser, { path: '/ledger?text=whoami-*' })
  await page.getByText('Nothing matches').waitFor()
  await page.goto(new URL('/ledger?tool=Bash', await world.url()).href)
  await lines(page).first().waitFor()
  await world.hook('PreToolUse', { tool: 'Bash', input: { command: 'whoami-later' }, agentId: 'odd' })
  await page.getByRole('button', { name: /recorded since/ }).click()
  await lines(page).filter({ hasText: 'whoami-later' }).waitFor()
  await context.close()
})

test('an export holds what the filter shows, in both formats', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger?verdict=deny' })
  await page.getByText('9 entries, all that match').waitFor()
  const [jsonl] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as JSONL' }).click()])
  expect(jsonl.suggestedFilename()).toBe('belay-ledger.jsonl')
  const entries = readFileSync(await jsonl.path(), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(entries.map(({ body }) => body.verdict)).toEqual(Array.from({ length: 9 }, () => 'deny'))
  const [csv] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export as CSV' }).click()])
  const [head, ...rows] = readFileSync(await csv.path(), 'utf8')
    .trim()
    .split(/\r?\n/)
  const columns = head?.split(',') ?? []
  expect([columns.slice(0, 3), columns.slice(-3), rows.length]).toEqual([['seq', 'time', 'kind'], ['id', 'hash', 'body'], 9])
  expect(problems).toEqual([])
  await context.close()
})

test('a proof is checked by a program that shares no code with us, and a changed one is not', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger/7' })
  await page.getByText(/No checkpoint covers|is leaf 6/).waitFor()
  await world.belay(['ledger', 'checkpoint'])
  await page.reload()
  await page.getByText('Entry 7 is leaf 6').waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download proof-7.json' }).click()])
  const file = await download.path()
  expect(await runChecker(file)).toBe(0)
  const proof = JSON.parse(readFileSync(file, 'utf8'))
  expect(proof.entry.seq).toBe(7)
  const changed = join(world.folder, 'changed.json')
  writeFileSync(changed, JSON.stringify({ ...proof, entry: { ...proof.entry, actor: 'human:mallory' } }))
  expect(await runChecker(changed)).toBe(1)
  await page.getByText('Show the proof').click()
  await page.getByText('"format": "belay-proof-1"').waitFor()
  await page.getByRole('link', { name: '8', exact: true }).click()
  await page.getByRole('heading', { name: 'Entry 8' }).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

function runChecker(file: string): Promise<number> {
  return new Promise(resolve => {
    execFile(process.execPath, [checker, file], error => resolve(error === null ? 0 : Number(error.code)))
  })
}

test('verification runs and tells what is sealed', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger?show=verify' })
  await world.belay(['ledger', 'checkpoint'])
  await page.getByRole('button', { name: 'Verify the ledger' }).click()
  const result = page.getByRole('status', { name: 'Result' })
  await result.getByText('Everything is as it was written').waitFor()
  const figure = async (name: string) =>
    Number(
      (
        await result
          .locator('div', { has: page.getByText(name, { exact: true }) })
          .getByRole('definition')
          .innerText()
      ).replace(',', ''),
    )
  expect(await figure('entries')).toBeGreaterThan(MANY)
  expect((await figure('sealed')) + (await figure('unsealed'))).toBe(await figure('entries'))
  expect(problems).toEqual([])
  await context.close()
})

test('a commitment shows how far it is, and what happened under it with the change of the file', async () => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger?show=commitments' })
  await page.getByRole('link', { name: /Move the port/ }).click()
  const article = page.getByRole('article', { name: `Commitment ${commitment}` })
  await eventually(() => article.getByRole('list', { name: 'How far it is' }).locator('[aria-current="step"]').innerText()).toBe('claimed')
  await article.getByRole('button', { name: /file change/ }).click()
  const diff = article.getByRole('region', { name: 'difference' })
  await diff.getByText('listen(8080)').waitFor()
  await diff.getByText('listen(80)', { exact: true }).waitFor()
  await world.rpc('commitments.submit', { target: commitment, cwd: world.project, agent: 'claude-code', agentId: 'mover' })
  await eventually(() => article.locator('[aria-current="step"]').innerText()).toMatch(/in review|closed/)
  expect(problems).toEqual([])
  await context.close()
})

test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
  const { page, context, problems } = await world.openPage(browser, { path: '/ledger?tool=Bash', width, dark })
  await lines(page).first().waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(await isWiderThanScreen(page)).toBe(false)
  const parts = [
    ['/ledger/7', () => page.getByText(/No checkpoint covers|is leaf 6/)],
    [`/ledger?show=commitments&commitment=${commitment}`, () => page.getByRole('article').getByText('12 tests')],
    ['/ledger?show=verify', () => page.getByRole('button', { name: /^Verify/ })],
  ] as const
  for (const [path, isThere] of parts) {
    await page.goto(new URL(path, await world.url()).href)
    await isThere().first().waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
  }
  expect(problems).toEqual([])
  await context.close()
})
