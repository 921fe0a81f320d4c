// A hook that takes its time, on the page: what it does is shown, and a person stops it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { findViolations } from './check-page.ts'
import { setBrowser } from './stage.ts'
import { startWorld } from './world.ts'

let browser: Browser

setBrowser(opened => (browser = opened))

const slow = (file: string) => `echo reading the diff >&2; while [ ! -e ${file} ]; do sleep 0.05; done`

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - { name: reviewer, matcher: Bash, type: command, status_message: "reviewing", config: { command: "${slow('never')}" } }
    - { name: reader, matcher: Read, type: command, config: { command: "${slow('done')}" } }
`

test('a hook that runs is shown above the stream, and ends when a person stops it', async () => {
  const world = await startWorld(POLICY)
  try {
    const { page, context, problems } = await world.openPage(browser)
    const strip = page.getByRole('region', { name: 'Running hooks' })
    const reading = world.hook('PreToolUse', { tool: 'Read', input: { file_path: 'a' } })
    const going = world.hook('PreToolUse', { tool: 'Bash', input: { command: 'make' } })
    await strip.getByText('reviewing: reading the diff').waitFor()
    expect(await findViolations(page)).toEqual([])
    await strip.getByRole('button', { name: 'Stop reviewer' }).click()
    expect(JSON.stringify(await going)).toContain('was stopped by a person')
    await strip.getByText('reviewing').waitFor({ state: 'detached' })
    writeFileSync(join(world.project, 'done'), '')
    await reading
    await strip.waitFor({ state: 'detached' })
    expect(problems).toEqual([])
    await context.close()
  } finally {
    await world.end()
  }
})
