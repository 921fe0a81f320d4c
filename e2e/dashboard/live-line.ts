// Lines of the stream in tests: what makes one, and which are on screen.
import type { Page } from 'playwright-core'
import type { World } from './world.ts'

/** The seqs on screen, top to bottom. */
export function shownSeqs(page: Page): Promise<readonly number[]> {
  return page.locator('[data-seq]').evaluateAll(lines => lines.map(line => Number(line.getAttribute('data-seq'))))
}

export async function bash(world: World, command: string): Promise<void> {
  await world.hook('PreToolUse', { tool: 'Bash', input: { command } })
}
