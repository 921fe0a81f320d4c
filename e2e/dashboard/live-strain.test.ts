// The stream under strain: scrolled while it goes on, interrupted by kill -9, fifty thousand events long.
import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from './eventually.ts'
import { bash, shownSeqs } from './live-line.ts'
import { sendMany } from './send-many.ts'
import { setBrowser } from './stage.ts'
import { startWorld } from './world.ts'

let browser: Browser

setBrowser(opened => (browser = opened))

test('scrolled away, nothing moves, and a pill leads to what is new', async () => {
  const world = await startWorld()
  try {
    for (let n = 0; n < 120; n++) await bash(world, `git push before-${n}`)
    const { page, context } = await world.openPage(browser)
    await page.getByRole('link', { name: /before-119/ }).waitFor()
    const list = page.getByRole('region', { name: 'Events' })
    await list.evaluate(element => element.scrollTo({ top: 900 }))
    await page.getByRole('link', { name: /before-119/ }).waitFor({ state: 'detached' })
    const placeOf = () => page.getByRole('link', { name: /before-80/ }).boundingBox()
    const before = await placeOf()
    for (let n = 0; n < 12; n++) await bash(world, `git push after-${n}`)
    const pill = page.getByRole('button', { name: '12 new' })
    await pill.waitFor()
    expect(await placeOf()).toEqual(before)
    await pill.click()
    await page.getByRole('link', { name: /after-11/ }).waitFor()
    await pill.waitFor({ state: 'detached' })
    await context.close()
  } finally {
    await world.end()
  }
})

test('over a kill -9 no row is lost and none is doubled', async () => {
  const world = await startWorld()
  try {
    const { page, context } = await world.openPage(browser)
    const push = async (from: number, to: number) => {
      for (let n = from; n < to; n++) await bash(world, `git push row-${n}`)
    }
    await push(0, 5)
    await page.getByRole('link', { name: /row-4/ }).waitFor()
    await world.kill()
    await page.getByText('Reconnecting to the daemon.').waitFor()
    // Nobody answers: the hook judges alone, and tells the daemon later.
    const alone = await world.hookProcess('PreToolUse', { tool: 'Bash', input: { command: 'git push while-away' } })
    expect(alone.stdout).toContain('deny')
    await world.start()
    await push(5, 10)
    await page.getByRole('link', { name: /row-9/ }).waitFor()
    await page.getByRole('link', { name: /while-away/ }).waitFor()
    await push(10, 12)
    await page.getByRole('link', { name: /row-11/ }).waitFor()
    const recorded = (await world.rpc('page.records', { limit: 200 })) as {
      rows: readonly { seq: number; kind: string; verdict: string | null }[]
    }
    // A person who was let in is in the ledger, and no line of the stream.
    const streamed = recorded.rows.filter(({ kind, verdict }) => kind !== 'person_check' || verdict === 'deny').map(({ seq }) => seq)
    await eventually(() => shownSeqs(page)).toEqual(streamed)
    await context.close()
  } finally {
    await world.end()
  }
})

const MANY = Number(process.env.BELAY_PAGE_EVENTS ?? 50_000)

test(`${MANY} events are loaded and scrolled through`, { timeout: 600_000 }, async () => {
  const world = await startWorld()
  try {
    // Denied ones are never folded together.
    await sendMany(world, MANY, n => `git push many-${n}`)
    const { page, context, problems } = await world.openPage(browser)
    await page.locator('[data-seq]').first().waitFor()
    const list = page.getByRole('region', { name: 'Events' })
    const scrollDown = () => list.evaluate(element => element.scrollTo({ top: element.scrollHeight }))
    const begins = page.getByText('This is where the ledger begins.')
    while ((await begins.count()) === 0) await scrollDown()
    // What was loaded last may be shown only after one more move.
    const oldest = async () => {
      await scrollDown()
      return Math.min(...(await shownSeqs(page)))
    }
    await eventually(oldest).toBe(1)
    expect(await page.locator('[data-seq]').count()).toBeLessThan(100)
    const lines = await list.evaluate(element => Math.round((element.querySelector('ul')?.clientHeight ?? 0) / 30))
    expect(lines).toBeGreaterThanOrEqual(MANY)
    await list.evaluate(element => element.scrollTo({ top: 0 }))
    await page.getByRole('link', { name: new RegExp(`many-${MANY - 1}\\b`) }).waitFor()
    expect(problems).toEqual([])
    await context.close()
  } finally {
    await world.end()
  }
})
