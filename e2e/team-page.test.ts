// The page of the hub in a real Chromium: real hub, real PostgreSQL, real daemons. Somebody logs in with a token, sees the machines and what
// happens on them, decides, follows a roll-out, finds an entry and takes its proof along. BELAY_PICTURES=DIR writes pictures of every page.
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { PATIENCE_MS } from './dashboard/browser.ts'
import { findViolations, isWiderThanScreen, LOOKS } from './dashboard/check-page.ts'
import { setBrowser } from './dashboard/stage.ts'
import { callAsAgent, makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

const VERIFY = fileURLToPath(new URL('../docs/verify-proof.mjs', import.meta.url))
const RULES = `version: "2.0"
permissions:
  default: ask
  actors: {"agent:*": {allow: ["Bash(ls *)"], deny: ["Bash(git push *)"]}}
`

let browser: Browser
let world: TeamWorld
let url: string
const tokens: Record<string, string> = {}
const homes: string[] = []
const machines: string[] = []

setBrowser(opened => (browser = opened))
beforeAll(async () => {
  world = await makeTeamWorld()
  tokens.ana = JSON.parse(world.belayHub('init', '--admin', 'ana', '--json').out).adminToken
  ;({ url } = await world.startHub())
  for (const [name, role] of [
    ['abe', 'approver'],
    ['vic', 'viewer'],
    ['pia', 'publisher'],
  ] as const) {
    world.belayHub('people', 'add', name, '--role', role)
    tokens[name] = JSON.parse(world.belayHub('token', 'person', name, '--json').out).token
  }
  for (const [name, upload] of [
    ['laptop', 'bodies'],
    ['server', 'index'],
  ] as const) {
    const home = await world.startMachine(name)
    homes.push(home)
    const join = world.belay(home, 'join', url, world.joinToken(), '--name', name, '--label', 'site=lab', '--upload', upload, '--json')
    machines.push(JSON.parse(join.out).machine)
  }
  const { key } = JSON.parse(world.belay(home(0), 'policy', 'key', '--json').out)
  world.belayHub('publisher', 'add', 'pia', key, '--root', join(world.folder, 'belay-root.key'))
  writeFileSync(join(world.folder, 'team.key'), RULES)
  const published = world.belayAs(
    { BELAY_HUB_TOKEN: tokens.pia },
    home(0),
    'policy',
    'publish',
    join(world.folder, 'team.key'),
    '--note',
    'no push',
  )
  expect(published).toMatchObject({ code: 0 })
})
afterAll(() => world.close())

const home = (n: number): string => homes[n] ?? ''

interface Opened {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: readonly string[]
}

async function open(path: string, token: string | undefined, { width = 1280, dark = false } = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height: 844 },
    colorScheme: dark ? 'dark' : 'light',
    acceptDownloads: true,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(String(error)))
  // The first question is asked before somebody has logged in.
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('401')) problems.push(message.text())
  })
  await page.goto(`${url}${path}${token === undefined ? '' : `#token=${token}`}`)
  if (token !== undefined) await page.getByRole('navigation', { name: 'Pages' }).waitFor()
  return { page, context, problems }
}

test('every machine takes the policy of the team', async () => {
  for (const each of homes) await expect.poll(() => JSON.parse(world.belay(each, 'policy', 'status', '--json').out).inForce).toBe(1)
})

test('a token lets in, a wrong one does not, and logging out ends it', async () => {
  const { page, context } = await open('/', undefined)
  await page.getByLabel('Token').fill('nonsense')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('alert').getByText('unknown, revoked or over').waitFor()
  await page.getByLabel('Token').fill(tokens.vic ?? '')
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByText('vic, viewer').waitFor()
  const cookies = await context.cookies()
  expect(cookies).toMatchObject([{ name: 'belay_hub', httpOnly: true, sameSite: 'Strict' }])
  // The cookie goes to every port of this host, so it opens nothing by itself.
  const header = { cookie: `belay_hub=${cookies[0]?.value}` }
  expect((await fetch(`${url}/v1/machines`, { headers: header })).status).toBe(401)
  expect((await fetch(`${url}/v1/machines`, { headers: { ...header, 'belay-page': '0'.repeat(64) } })).status).toBe(401)
  await page.getByRole('button', { name: 'Log out' }).click()
  await page.getByLabel('Token').waitFor()
  expect(
    await page.evaluate(() =>
      fetch('/v1/machines', { headers: { 'belay-page': localStorage.getItem('belay.page') ?? '' } }).then(({ status }) => status),
    ),
  ).toBe(401)
  await context.close()
})

test('a session ends with the token that it was made with', async () => {
  const { token } = JSON.parse(world.belayHub('token', 'person', 'vic', '--json').out)
  const { page, context } = await open('/machines', token)
  await page.getByText('vic, viewer').waitFor()
  const id = JSON.parse(world.belayHub('token', 'list', '--json').out).tokens.at(-1).id
  expect(world.belayHub('token', 'revoke', id)).toMatchObject({ code: 0 })
  await page.getByLabel('Token').waitFor()
  await context.close()
})

test('machines with their age, version, policy, lag and unseen; one of them whole, and checked', async () => {
  await callAsAgent(world, home(0), [{ command: 'ls one' }])
  const { page, context, problems } = await open('/machines', tokens.vic)
  const row = page.getByRole('row', { name: /laptop/ })
  await row.getByText('active').waitFor()
  await row.getByText('0.1.0').waitFor()
  await row.getByText(/^1 for /).waitFor()
  await row.getByRole('link', { name: 'laptop' }).click()
  await page.getByText('ledger head').waitFor()
  await page.getByText("as the hub's").waitFor()
  await page.getByRole('button', { name: 'Check now' }).click()
  await page.getByRole('status').getByText(/whole/).waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('what happens on machines is seen as it comes, and filtered', async () => {
  const { page, context, problems } = await open('/live', tokens.vic)
  const list = page.getByRole('list', { name: 'Entries as they come' })
  await callAsAgent(world, home(0), [{ command: 'ls two' }, { command: 'git push origin' }])
  await callAsAgent(world, home(1), [{ command: 'ls three' }])
  await list.getByText('ls two').waitFor()
  await list.getByText('git push origin').waitFor()
  // It sends heads only.
  await list.getByText('server').first().waitFor()
  expect(await page.getByText('ls three').count()).toBe(0)
  await page.getByLabel('Verdict').selectOption('deny')
  await expect.poll(() => list.getByText('ls two').count()).toBe(0)
  await list.getByText('git push origin').waitFor()
  expect(problems).toEqual([])
  await context.close()
})

test('a call that is held on a machine is released on the page; a viewer has no buttons', async () => {
  const looking = await open('/approvals', tokens.vic)
  const { page, context, problems } = await open('/approvals', tokens.abe)
  await page.getByText('While this page is open').waitFor()
  const answer = (async () => {
    for (;;) {
      const [said = ''] = await callAsAgent(world, home(0), [{ command: 'npm publish', attended: false }])
      if (said.includes('allow')) return said
    }
  })()
  await looking.page.getByText('npm publish').first().waitFor()
  expect(await looking.page.getByRole('button', { name: 'Allow once' }).count()).toBe(0)
  await page.getByRole('textbox', { name: 'Note to the agent' }).first().fill('go on')
  await page.getByRole('button', { name: 'Allow once' }).first().click()
  expect(await answer).toContain('allow')
  await page.getByRole('list', { name: 'Decided' }).getByText('by abe').first().waitFor()
  await page.getByRole('list', { name: 'Decided' }).getByRole('link').first().click()
  await page.getByText('“go on”').waitFor()
  expect([...problems, ...looking.problems]).toEqual([])
  await context.close()
  await looking.context.close()
})

test('a roll-out shows how far it has come', async () => {
  const { page, context } = await open('/rollout', tokens.vic)
  const row = page.getByRole('table', { name: 'Published policies' }).getByRole('row', { name: /no push/ })
  await row.getByText('enforced').waitFor()
  await row.getByText('2 of 2').waitFor()
  await page.getByRole('table', { name: 'Policies by machine' }).getByText('1 of 1').first().waitFor()
  await context.close()
})

test.each(['laptop', 'server'])('an entry of %s is found, and its proof holds without any of our code', async name => {
  const at = home(name === 'laptop' ? 0 : 1)
  await callAsAgent(world, at, [{ command: 'git push origin' }])
  expect(world.belay(at, 'ledger', 'checkpoint')).toMatchObject({ code: 0 })
  await expect.poll(() => world.stateOf(at)).toMatchObject({ error: null })
  await expect.poll(() => (world.stateOf(at)?.cosigned ?? 0) >= 2).toBe(true)
  const { page, context, problems } = await open(`/search?machine=${name}&verdict=deny`, tokens.vic)
  await page.getByRole('list', { name: 'Found' }).getByRole('link').first().click()
  await page.getByText('Inclusion proof').waitFor()
  await expect
    .poll(async () => {
      const again = page.getByRole('button', { name: 'Look again' })
      if (await again.isVisible()) await again.click()
      return page.getByRole('button', { name: 'Download the proof' }).isVisible()
    })
    .toBe(true)
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download the proof' }).click()])
  const file = join(world.folder, `${name}.json`)
  await download.saveAs(file)
  const [key] = (await query(
    world.databaseUrl,
    `SELECT keys[1] AS key FROM chain WHERE machine = '${machines[name === 'laptop' ? 0 : 1]}'`,
  )) as { key: string }[]
  const checked = spawnSync(process.execPath, [VERIFY, file, key?.key ?? ''], { encoding: 'utf8' })
  expect({ code: checked.status, said: checked.stdout }).toEqual({ code: 0, said: expect.stringContaining('is in the ledger') })
  expect(problems).toEqual([])
  await context.close()
})

test('what somebody may not do is refused, and on record', async () => {
  const refused = await fetch(`${url}/v1/approvals/decide`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.vic}`, 'content-type': 'application/json' },
    body: JSON.stringify({ machine: machines[0], id: 'apr_x', decision: 'allow' }),
  })
  expect(refused.status).toBe(403)
  const { page, context } = await open('/acts', tokens.ana)
  await page
    .getByRole('row', { name: /person:vic/ })
    .getByText('refused')
    .first()
    .waitFor()
  await context.close()
})

test('a hub that is away is said, and the page goes on when it is back', async () => {
  const { page, context } = await open('/machines', tokens.vic)
  await page.getByRole('row', { name: /laptop/ }).waitFor()
  await context.setOffline(true)
  await page.getByText('The hub does not answer').waitFor()
  await page.getByRole('row', { name: /laptop/ }).waitFor()
  await context.setOffline(false)
  await expect.poll(() => page.getByText('The hub does not answer').count()).toBe(0)
  await context.close()
})

test.each(LOOKS)('at %i px, dark: %s, nothing serious for a checker, nothing over the side', async (width, dark) => {
  const pictures = process.env.BELAY_PICTURES
  if (pictures !== undefined) mkdirSync(pictures, { recursive: true })
  const { page, context, problems } = await open('/machines', tokens.ana, { width, dark })
  const entry = (await query(world.databaseUrl, "SELECT chain, seq FROM entry WHERE verdict = 'deny' ORDER BY received LIMIT 1")) as {
    chain: number
    seq: number
  }[]
  const views = {
    ...{ machines: '/machines', machine: `/machines/${machines[0]}`, live: '/live', approvals: '/approvals', rollout: '/rollout' },
    ...{ search: '/search', entry: `/search/${entry[0]?.chain}/${entry[0]?.seq}`, acts: '/acts' },
  }
  for (const [name, path] of Object.entries(views)) {
    await page.goto(`${url}${path}`)
    await page.getByRole('navigation', { name: 'Pages' }).waitFor()
    await expect.poll(() => page.getByText(/^Loading/).count()).toBe(0)
    if (pictures !== undefined) await page.screenshot({ path: join(pictures, `hub-${name}-${width}${dark ? '-dark' : ''}.png`) })
    expect([path, await isWiderThanScreen(page), await findViolations(page)]).toEqual([path, false, []])
  }
  expect(problems).toEqual([])
  await context.close()
})
