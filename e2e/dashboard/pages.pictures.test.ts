// Takes the pictures of the documentation from a real run of the played session: five agents at work, one call that waits for a person while
// it is looked at, and goes on when it is allowed. `npm run pictures` writes docs/pictures; BELAY_PICTURES=DIR writes elsewhere.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { decisionOf, playShop, SHOP_POLICY, writeShop } from './play-shop.ts'
import { startWorld, type World } from './world.ts'

/** As a person would have named it; the page shows the path. */
const PROJECT = 'work/shop'
const folder = process.env.BELAY_PICTURES ?? fileURLToPath(new URL('../../docs/pictures', import.meta.url))
/** 1 takes about half a minute. */
const PACE = Number(process.env.BELAY_PICTURE_PACE ?? 4)

const SIZES = {
  '': { width: 1440, height: 900 },
  '-tablet': { width: 768, height: 1024 },
  '-phone': { width: 390, height: 844 },
} as const

const TRIED = { actor: 'agent:claude-code', tool: 'Bash', input: { command: 'git add -A && git push' } }

/** What is shown where; the address is of the page. */
const PICTURES: Readonly<Record<string, string>> = {
  live: '/live',
  fleet: '/fleet',
  lanes: '/fleet?as=lanes',
  story: '/live/api-1-s',
  agent: '/fleet/api-1',
  ledger: '/ledger',
  policy: '/policy',
  denials: '/policy?show=denials',
  hooks: '/policy?show=hooks',
  overview: '/overview',
  table: '/fleet?as=table',
  playground: `/policy?show=playground&try=${encodeURIComponent(JSON.stringify(TRIED))}`,
  'hooks-typed': '/policy?show=hooks&call=git+push+origin+main',
  commitments: '/ledger?show=commitments',
  verification: '/ledger?show=verify',
  unknown: '/nothing-here',
}

/** What the documents show; the rest is made to be looked at (BELAY_PICTURES). */
const SHOWN = new Set([
  ...['live', 'live-dark', 'inspector', 'story', 'lanes', 'fleet', 'approvals-dark', 'approvals-phone', 'fleet-phone'],
  ...['denials', 'hooks', 'ledger', 'policy', 'overview-dark'],
])

let browser: Browser
let world: World

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  browser = await openBrowser()
  world = await startWorld(SHOP_POLICY, PROJECT)
  writeShop(world)
})

afterAll(async () => {
  await world.end()
  await browser.close()
})

test('every page, light and dark, on three sizes', async () => {
  const watching = await world.openPage(browser, SIZES[''])
  const work = playShop(world, PACE)
  await allowWhenAsked(watching.page, 'npm publish --tag next --dry-run')
  await work
  const publish = { tool: 'Bash', input: { command: 'npm publish --tag next && git tag v1.4.0' }, session: 'ops-3-s', agentId: 'ops-3' }
  const waiting = world.hook('PreToolUse', { ...publish, payload: { tool_use_id: 'toolu_publish' } })
  await requestOf(publish.input.command)
  const problems: string[] = []
  for (const [size, place] of Object.entries(SIZES))
    for (const dark of [false, true]) {
      const { page, context, problems: seen } = await world.openPage(browser, { ...place, dark })
      const pages = { ...PICTURES, approvals: `/approvals/${await requestOf(publish.input.command)}` }
      for (const [name, path] of Object.entries(pages)) await picture(page, `${name}${size}${dark ? '-dark' : ''}`, path)
      await openDenied(page)
      await take(page, `inspector${size}${dark ? '-dark' : ''}`)
      problems.push(...seen)
      await context.close()
    }
  await allow(watching.page, publish.input.command)
  // It still waits, or tries once more what it was refused for now.
  const isHeld = decisionOf(await waiting) === 'allow'
  if (!isHeld) expect(decisionOf(await world.hook('PreToolUse', publish))).toBe('allow')
  expect([...problems, ...watching.problems]).toEqual([])
}, 1_200_000)

async function allowWhenAsked(page: Page, command: string): Promise<void> {
  await requestOf(command)
  // As long as somebody takes to read it.
  await sleep(2000 * PACE)
  await allow(page, command)
}

async function allow(page: Page, command: string): Promise<void> {
  const bar = page.getByRole('region', { name: 'Waiting for you' })
  await bar.getByText(command).waitFor()
  await bar.getByRole('button', { name: 'Allow' }).click()
}

async function requestOf(command: string): Promise<string> {
  for (;;) {
    const { requests } = (await world.rpc('approvals.list')) as {
      requests: readonly { readonly id: string; readonly input: { readonly command?: string } }[]
    }
    const found = requests.find(({ input }) => input.command === command)
    if (found !== undefined) return found.id
    await sleep(100)
  }
}

async function picture(page: Page, name: string, path: string): Promise<void> {
  if (!isWanted(name)) return
  await page.goto(new URL(path, await world.url()).href)
  await page.getByRole('navigation').first().waitFor()
  await sleep(1500)
  await take(page, name)
}

async function take(page: Page, name: string): Promise<void> {
  if (isWanted(name)) await page.screenshot({ path: join(folder, `${name}.png`) })
}

function isWanted(name: string): boolean {
  return process.env.BELAY_PICTURES !== undefined || SHOWN.has(name)
}

/** The push hidden in a list of commands: its units, and the rule that stopped one. */
async function openDenied(page: Page): Promise<void> {
  await page.goto(new URL('/live?verdict=deny&text=push', await world.url()).href)
  await page.getByText('git push --force').first().click()
  await sleep(1500)
}
