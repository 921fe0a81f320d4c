// The stream: live, filtered, paused, folded, walked through, hostile.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { findViolations, LOOKS } from './check-page.ts'
import { eventually } from './eventually.ts'
import { bash, shownSeqs } from './live-line.ts'
import { setBrowser, setWorld } from './stage.ts'
import { startWorld, type World } from './world.ts'

let browser: Browser

setBrowser(opened => (browser = opened))

/** The stream is on screen. */
async function firstLine(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /git status/ })
    .first()
    .waitFor()
}

test('an empty stream teaches how to connect an agent, and sees the first event', async () => {
  const world = await startWorld()
  try {
    const { page, context, problems } = await world.openPage(browser)
    await page.getByText('belay install claude-code').waitFor()
    await page.getByText('Waiting for the first event').waitFor()
    // There is nothing to pause or to filter yet.
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0)
    expect(await findViolations(page)).toEqual([])
    await bash(world, 'echo first')
    await page.getByText('The first event is here.').waitFor()
    await page.getByRole('link', { name: /echo first/ }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  } finally {
    await world.end()
  }
})

describe('with a daemon', () => {
  let world: World

  setWorld(started => (world = started))

  beforeAll(async () => {
    await bash(world, 'git status')
    await bash(world, 'git push origin main')
    await world.hook('PreToolUse', { tool: 'Read', input: { file_path: 'notes.md' }, agentId: 'reader', session: 'other' })
  })

  test('what a hook process does in another window is there at once', async () => {
    const { page, context, problems } = await world.openPage(browser)
    await firstLine(page)
    const ran = await world.hookProcess('PreToolUse', { tool: 'Bash', input: { command: 'echo from-a-process' } })
    expect(ran.code).toBe(0)
    const line = page.getByRole('link', { name: /echo from-a-process/ })
    await line.waitFor()
    await eventually(() => line.textContent()).toContain('allow')
    expect(problems).toEqual([])
    await context.close()
  })

  test('filters are in the address, hold for what comes, and survive loading again', async () => {
    const { page, context } = await world.openPage(browser)
    await page.getByLabel('verdict').selectOption('deny')
    await page.getByLabel('text').fill('push')
    await page.waitForURL(url => url.searchParams.get('verdict') === 'deny' && url.searchParams.get('text') === 'push')
    await page
      .getByRole('link', { name: /git push origin main/ })
      .first()
      .waitFor()
    await page
      .getByRole('link', { name: /git status/ })
      .first()
      .waitFor({ state: 'detached' })
    await bash(world, 'git push --all')
    await bash(world, 'git pull')
    await page
      .getByRole('link', { name: /git push --all/ })
      .first()
      .waitFor()
    await eventually(() => page.getByRole('link', { name: /git pull/ }).count()).toBe(0)
    await page.reload()
    await page
      .getByRole('link', { name: /git push --all/ })
      .first()
      .waitFor()
    await eventually(() => page.getByLabel('verdict').inputValue()).toBe('deny')
    await page.getByRole('button', { name: 'Clear' }).click()
    await page
      .getByRole('link', { name: /git pull/ })
      .first()
      .waitFor()
    await page.goto(new URL('/live?session=other&tool=Read', await world.url()).href)
    await page
      .getByRole('link', { name: /notes\.md/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Take away the filter session other' }).click()
    await page.waitForURL(url => url.searchParams.get('session') === null)
    await page.goto(new URL('/live?text=nowhere-to-be-found', await world.url()).href)
    await page.getByText('Nothing matches').waitFor()
    await context.close()
  })

  test('paused, nothing moves; what waits is counted and then shown', async () => {
    const { page, context } = await world.openPage(browser)
    await firstLine(page)
    await page.keyboard.press('p')
    await page.getByRole('button', { name: 'Resume' }).waitFor()
    const before = await shownSeqs(page)
    for (const n of [1, 2, 3]) await bash(world, `git push paused-${n}`)
    await page.getByText('3 waiting').waitFor()
    expect(await shownSeqs(page)).toEqual(before)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('link', { name: /paused-3/ }).waitFor()
    expect((await shownSeqs(page)).length).toBe(before.length + 3)
    await context.close()
  })

  test('a burst is one line that opens', async () => {
    const { page, context } = await world.openPage(browser)
    await firstLine(page)
    const reads = Array.from({ length: 8 }, (_, n) => ({ tool: 'Glob', input: { pattern: `burst-${n}` }, agentId: 'burster' }))
    await Promise.all(reads.map(call => world.hook('PreToolUse', call)))
    const line = page.getByRole('link', { name: /Glob.*and 7 more/ })
    await line.waitFor()
    await line.click()
    for (const n of [0, 7])
      await page
        .getByRole('link', { name: new RegExp(`burst-${n}`) })
        .last()
        .waitFor()
    await eventually(() => page.getByRole('link', { name: /burst-/ }).count()).toBe(9)
    await context.close()
  })

  test('one can walk through it with keys', async () => {
    const { page, context } = await world.openPage(browser)
    await firstLine(page)
    await page.keyboard.press('p')
    const [first, second] = await shownSeqs(page)
    await page.keyboard.press('j')
    await page.waitForURL(url => url.searchParams.get('event') === String(first))
    await page.keyboard.press('j')
    await page.waitForURL(url => url.searchParams.get('event') === String(second))
    await page.keyboard.press('k')
    await page.waitForURL(url => url.searchParams.get('event') === String(first))
    await page.keyboard.press('Escape')
    await page.waitForURL(url => !url.searchParams.has('event'))
    await context.close()
  })

  test.each(LOOKS)('at %d wide (dark: %s) axe finds nothing serious', async (width, dark) => {
    const { page, context, problems } = await world.openPage(browser, { path: '/live', width, height: 844, dark })
    await page
      .getByRole('link', { name: /git push/ })
      .first()
      .waitFor()
    expect(await findViolations(page)).toEqual([])
    expect(problems).toEqual([])
    await context.close()
  })

  test('hostile text is text', async () => {
    const { page, context, problems } = await world.openPage(browser)
    const markup = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'
    const long = 'y'.repeat(1024 * 1024)
    await world.hook('PreToolUse', { tool: 'Bash', input: { command: `echo '${markup}'` }, agentId: `<b>${'n'.repeat(20)}` })
    await bash(world, "printf '\u001b[31mred\u001b[0m \u202egnp.exe'")
    await bash(world, `echo ${long}`)
    await page.getByRole('link', { name: /<script>globalThis\.hacked=1/ }).waitFor()
    const steering = page.getByRole('link', { name: /\\x1b\[31mred\\x1b\[0m \\u202egnp\.exe/ }).first()
    await steering.waitFor()
    await page.getByRole('link', { name: /command, 1048581 bytes/ }).click()
    const inspector = page.getByRole('complementary', { name: 'Event' })
    await inspector.getByRole('heading', { name: 'Why' }).waitFor()
    await inspector
      .getByRole('button', { name: /show all [\d,]+ characters/ })
      .first()
      .click()
    await page.waitForFunction(() => (document.querySelector('aside')?.textContent?.length ?? 0) > 1024 * 1024)
    await steering.click()
    await inspector.getByText('\\u202egnp.exe').first().waitFor()
    await page.getByRole('link', { name: /<script>globalThis/ }).click()
    await inspector.getByText('<script>globalThis.hacked=1</script>').first().waitFor()
    expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false)
    expect(await page.locator('main img, main script, aside img, aside script').count()).toBe(0)
    expect(await page.evaluate(() => document.body.innerText.includes('\u202e'))).toBe(false)
    expect(problems).toEqual([])
    await context.close()
  })
})
