// The browser of one test file, and the daemon of those that need one for all of their tests: there before them, gone after them.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openBrowser } from './browser.ts'
import { startWorld, type World } from './world.ts'

export function setBrowser(take: (browser: Browser) => void): void {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await openBrowser()
    take(browser)
  })
  afterAll(() => browser?.close())
}

/** `policy`: of the project, if not the one of world.ts. */
export function setWorld(take: (world: World) => void, policy?: string): void {
  let world: World | null = null
  beforeAll(async () => {
    world = await startWorld(policy)
    take(world)
  })
  afterAll(() => world?.end())
}
