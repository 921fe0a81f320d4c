// Takes the pictures of the documentation from a real run: five agents at work for a few minutes, one call that waits for a person.
// `npm run pictures` writes docs/pictures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './browser.ts'
import { type HookCall, startWorld, type World } from './world.ts'

/** As a person would have named it; the page shows the path. */
const PROJECT = 'shop'
const folder = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const MINUTES = Number(process.env.BELAY_PICTURE_MINUTES ?? 4)

const POLICY = `# What agents may do in this repository.
version: "2.0"

hooks:
  pre_tool_use:
    - name: protect-env-files
      matcher: "Write(.env*)|Edit(.env*)"
      type: deny
      config:
        reason: "Environment files are protected"
    - name: house-rules
      matcher: "Bash"
      type: command
      config:
        command: "test -e CONTRIBUTING.md"
  post_tool_use:
    - name: keep-evidence
      matcher: "Write|Edit|Bash"
      type: evidence_capture

guardrails:
  tool_ledger:
    mode: guide

permissions:
  default: ask
  actors:
    "agent:*":
      allow:
        - "Read(*)"
        - "Grep(*)"
        - "Bash(git *)"
        - "Bash(npm test *)"
        - "Bash(npm run *)"
        - "Bash(ls *)"
        - "Bash(cat *)"
        - "Bash(head *)"
        - "Bash(tail *)"
        - "Bash(grep *)"
        - "Write(src/*)"
        - "Edit(src/*)"
      deny:
        - { rule: "Bash(rm -rf *)", id: no-recursive-delete, message: "Recursive force delete is prohibited. Move files to .trash/ instead." }
        - { rule: "Bash(git push *)", id: no-push, message: "Pushing is for people. Commit, and say that the branch is ready." }
        - "Read(.env*)"
`

const bash = (command: string): HookCall => ({ tool: 'Bash', input: { command } })
const read = (path: string): HookCall => ({ tool: 'Read', input: { file_path: path } })

const WORK: Readonly<Record<string, readonly HookCall[]>> = {
  'api-1': [
    bash('git status && git diff --stat'),
    read('src/server.ts'),
    read('src/routes/orders.ts'),
    { tool: 'Edit', input: { file_path: 'src/server.ts', old_string: 'listen(80)', new_string: 'listen(8080)' } },
    bash('npm test -- --run src/routes'),
    bash('git add -A && git commit -m "Orders: validate the total"'),
    bash('git add -A && git commit -m "wip" && git push --force origin main'),
  ],
  'web-2': [
    read('src/page/cart.tsx'),
    read('src/page/checkout.tsx'),
    { tool: 'Grep', input: { pattern: 'TODO', path: 'src/page' } },
    { tool: 'Write', input: { file_path: 'src/page/total.tsx', content: 'export const Total = () => null\n' } },
    bash('npm run build | tail -20'),
    bash('find . -name "*.tmp" | xargs rm -r -f'),
  ],
  'review-1': [bash('git log --oneline | head -20'), bash('git diff main...HEAD -- src'), read('src/server.ts'), read('.env')],
  'docs-1': [read('README.md'), { tool: 'Write', input: { file_path: '.env.local', content: 'API_KEY=...' } }, bash('ls -la docs | head')],
  'ops-3': [bash('cat deploy/production.yaml | grep replicas'), read('deploy/production.yaml'), bash('git log -3 --stat')],
}

let browser: Browser
let world: World

beforeAll(async () => {
  mkdirSync(folder, { recursive: true })
  browser = await openBrowser()
  world = await startWorld(POLICY, PROJECT)
  mkdirSync(join(world.project, 'src', 'page'), { recursive: true })
  writeFileSync(join(world.project, 'CONTRIBUTING.md'), 'Be kind.\n')
  writeFileSync(join(world.project, 'src', 'server.ts'), 'app.listen(80)\n')
})

afterAll(async () => {
  await world.end()
  await browser.close()
})

test('every page, light and dark, wide and narrow', async () => {
  const work = playAll(Date.now() + MINUTES * 60_000)
  const light = await world.openPage(browser, { width: 1440, height: 900 })
  await work
  await world.rpc('commitments.capture', { text: 'Orders accept a negative total', cwd: world.project }).catch(() => undefined)
  const waiting = world.hook('PreToolUse', { ...bash('npm publish --tag next && git tag v1.4.0'), session: 'ops-3-s', agentId: 'ops-3' })
  await waitForRequest()
  await picture(light.page, 'live', '/live')
  await openDenied(light.page)
  await light.page.screenshot({ path: join(folder, 'inspector.png') })
  for (const name of ['fleet', 'approvals', 'ledger', 'policy', 'overview']) await picture(light.page, name, `/${name}`)
  const dark = await world.openPage(browser, { width: 1440, height: 900, dark: true })
  for (const name of ['live', 'fleet', 'approvals', 'ledger', 'policy', 'overview']) await picture(dark.page, `${name}-dark`, `/${name}`)
  await openDenied(dark.page)
  await dark.page.screenshot({ path: join(folder, 'inspector-dark.png') })
  const phone = await world.openPage(browser, { width: 390, height: 844, path: '/approvals' })
  await picture(phone.page, 'approvals-phone', '/approvals')
  await picture(phone.page, 'fleet-phone', '/fleet')
  const { requests } = (await world.rpc('approvals.list')) as { requests: readonly { id: string }[] }
  expect(requests.length).toBeGreaterThan(0)
  expect([...light.problems, ...dark.problems, ...phone.problems]).toEqual([])
  await world.kill()
  await waiting.catch(() => undefined)
}, 1_200_000)

async function playAll(until: number): Promise<void> {
  await Promise.all(Object.entries(WORK).map(([agentId, calls], index) => play(agentId, calls, { until, pace: 350 + index * 170 })))
}

/** What each agent runs: skill, task, phases gone through, how full its window is. */
const EFFORTS: Readonly<Record<string, readonly [skill: string, task: string, phases: readonly string[], usage: number]>> = {
  'api-1': ['implement', 'tasks/orders', ['plan', 'build'], 0.42],
  'web-2': ['implement', 'tasks/checkout', ['plan', 'build', 'verify'], 0.71],
  'review-1': ['review', 'tasks/orders', ['read'], 0.18],
  'ops-3': ['release', 'tasks/v1.4', ['check', 'publish'], 0.55],
}

async function begin(agentId: string, session: string): Promise<void> {
  await world.hook('SessionStart', { session, agentId, payload: { source: 'startup' } })
  const [skill, task, phases, usage] = EFFORTS[agentId] ?? ['', '', [], 0.07]
  await world.rpc('fleet.line', { agent: 'claude-code', sessionId: session, agentId, cwd: world.project, usage })
  if (skill === '') return
  await world.rpc('effort.start', { skill, task, agentId, cwd: world.project })
  for (const phase of phases) await world.rpc('effort.phase', { phase, agentId, cwd: world.project })
}

async function play(agentId: string, calls: readonly HookCall[], { until, pace }: { until: number; pace: number }): Promise<void> {
  const session = `${agentId}-s`
  await begin(agentId, session)
  await world.hook('UserPromptSubmit', { session, agentId, payload: { prompt: 'Go on with the next task' } })
  for (let round = 0; Date.now() < until; round++) {
    if (EFFORTS[agentId] !== undefined) await world.rpc('effort.log', { text: `round ${round} done`, agentId, cwd: world.project })
    for (const [index, call] of calls.entries()) {
      const payload = { tool_use_id: `${session}-${round}-${index}` }
      await world.hook('PreToolUse', { ...call, session, agentId, payload })
      if (index % 2 === 0)
        await world.hook('PostToolUse', { ...call, session, agentId, payload: { ...payload, tool_response: { stdout: 'ok' } } })
      await sleep(pace * (0.4 + Math.random() * (round % 3 === 2 ? 4 : 1.2)))
    }
  }
  if (agentId === 'docs-1') await world.hook('Stop', { session, agentId, payload: { stop_hook_active: false } })
  if (agentId === 'review-1')
    await world.hook('Notification', {
      session,
      agentId,
      payload: { message: 'Which branch should I review?', notification_type: 'permission_prompt' },
    })
}

async function waitForRequest(): Promise<void> {
  for (;;) {
    const { requests } = (await world.rpc('approvals.list')) as { requests: readonly unknown[] }
    if (requests.length > 0) return
    await sleep(100)
  }
}

async function picture(page: Page, name: string, path: string): Promise<void> {
  await page.goto(new URL(path, await world.url()).href)
  await page.getByRole('navigation').first().waitFor()
  await sleep(1500)
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

/** The push hidden in a list of commands: its units, and the rule that stopped one. */
async function openDenied(page: Page): Promise<void> {
  await page.goto(new URL('/live?verdict=deny&text=push', await world.url()).href)
  await page.getByText('git push --force').first().click()
  await sleep(1500)
}
