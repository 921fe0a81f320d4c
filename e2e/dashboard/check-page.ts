/// <reference lib="dom" />
// What every page is held to: axe-core finds nothing serious, nothing runs over the side.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Width and darkness in which every page is looked at. */
export const LOOKS = [
  [1280, false],
  [1280, true],
  [390, false],
  [390, true],
] as const

interface Violation {
  readonly id: string
  readonly impact: string | null
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The serious and critical ones, readable in a failed test. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Over the debugger: the page's CSP lets no foreign script in.
  await page.evaluate(AXE)
  // Colours are judged when they have settled.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
    return Promise.all(ending.map(animation => animation.finished.catch(() => undefined)))
  })
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: unknown }> } }
    return (await axe.run()).violations as readonly Violation[]
  })
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.slice(0, 5).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`))
}

export function isWiderThanScreen(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
}
