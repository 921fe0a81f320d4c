// Approvals over machines: an agent held on one machine is released by a person at the hub, and what was decided without the hub is made known
// once. Real daemons, a real hub, a real PostgreSQL, a real receiver of notices.
import { createHmac } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { readTeamGuide } from './fixtures/team-guide.ts'
import { callAsAgent, makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

let world: TeamWorld
let url: string
let hub: { kill(signal: NodeJS.Signals): boolean }
let home: string
let machine: string
const tokens: Record<string, string> = {}
const notices: { body: string; signature: string }[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    notices.push({ body, signature: String(request.headers['belay-signature']) })
    response.end()
  })
})

beforeAll(async () => {
  await new Promise<void>(resolve => receiver.listen(0, '127.0.0.1', resolve))
  world = await makeTeamWorld()
  const notice = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const settings = ['notice_format = "slack"', 'notice_secret = "s3"', 'public_url = "https://hub.example"', `notice_url = "${notice}"`]
  writeFileSync(join(world.folder, 'belay-hub.toml'), `${settings.join('\n')}\n`)
  expect(world.belayHub('init', '--admin', 'ana', '--json')).toMatchObject({ code: 0 })
  ;({ url, hub } = await world.startHub())
  for (const [name, role] of [
    ['abe', 'approver'],
    ['vic', 'viewer'],
    ['mia', 'approver'],
  ] as const) {
    world.belayHub('people', 'add', name, '--role', role)
    tokens[name] = JSON.parse(world.belayHub('token', 'person', name, '--json').out).token
  }
  mkdirSync(join(world.folder, 'a', 'policy'), { recursive: true })
  const rules = 'permissions: {default: ask, actors: {"agent:*": {allow: ["Bash(ls *)"]}}}'
  writeFileSync(join(world.folder, 'a', 'policy', 'genesis.key'), `version: "2.0"\n${rules}\n`)
  writeFileSync(join(world.folder, 'a', 'config.toml'), 'person = "mia"\n')
  home = await world.startMachine('a')
  machine = JSON.parse(world.belay(home, 'join', url, world.joinToken(), '--json').out).machine
})
afterAll(async () => {
  receiver.close()
  await world.close()
})

const held = (command: string) => callAsAgent(world, home, [{ command, attended: false }])
const team = (name: string, ...args: string[]) => world.belayAs({ BELAY_HUB_TOKEN: tokens[name] }, home, 'team', ...args)
const waiting = (): { id: string; facts: { input: { command: string } } }[] =>
  JSON.parse(team('abe', 'approvals', '--json').out).approvals.filter((each: { state: string }) => each.state === 'pending')
const find = async (command: string): Promise<string> => {
  await expect.poll(() => waiting().some(each => each.facts.input.command === command)).toBe(true)
  return waiting().find(each => each.facts.input.command === command)?.id ?? ''
}
/** By the webhook of the machine itself, which needs no hub. */
const decideHere = async (decision: object): Promise<number> => {
  const { url: own } = JSON.parse(world.belay(home, 'status', '--json').out)
  const body = JSON.stringify(decision)
  const send = (signature: string) =>
    fetch(new URL('/v1/approvals/webhook', own), { method: 'POST', body, headers: { 'belay-signature': signature } })
  await send('none')
  const key = Buffer.from(readFileSync(join(home, 'keys', 'webhook.key'), 'utf8').trim(), 'hex')
  const seconds = Math.floor(Date.now() / 1000)
  return (await send(`t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`)).status
}
const acts = async (kind: string) => query(world.databaseUrl, `SELECT actor FROM act WHERE kind = '${kind}' ORDER BY seq`)

test('a call that is held on a machine is released by a person at the hub, once, and by nobody else', async () => {
  const answer = held('npm publish')
  const id = await find('npm publish')
  expect(team('vic', 'decide', machine, id, 'allow')).toMatchObject({ code: 2, out: expect.stringContaining('role approver') })
  expect(team('mia', 'decide', machine, id, 'allow')).toMatchObject({ code: 2, out: expect.stringContaining('your own machine') })
  expect(await acts('approval_refused')).toEqual([{ actor: 'person:mia' }])
  expect(team('abe', 'decide', machine, id, 'allow', '--note', 'go on')).toMatchObject({ code: 0 })
  expect((await answer)[0]).toMatch(/allow/)
  expect(team('abe', 'decide', machine, id, 'deny')).toMatchObject({ code: 2, out: expect.stringContaining('allowed already by abe') })
  await expect
    .poll(async () => (await query(world.databaseUrl, `SELECT outcome, via FROM approval WHERE id = '${id}'`))[0])
    .toEqual({
      outcome: 'allowed',
      via: 'hub',
    })
  expect(world.belay(home, 'ledger', 'query', '--kind', 'approval_decided', '--json').out).toContain('"human:abe"')
})

test('the notice has the redacted call and a link, and is signed', async () => {
  await expect.poll(() => notices.length).toBeGreaterThan(0)
  const { body, signature } = notices[0] ?? { body: '', signature: '' }
  expect(JSON.parse(body).blocks[0].text.text).toContain('npm publish')
  expect(body).toContain(`https://hub.example/approvals/${machine}/`)
  const [, seconds = '', code = ''] = /^t=(\d+),v1=(\w+)$/.exec(signature) ?? []
  expect(code).toBe(createHmac('sha256', 's3').update(`${seconds}.${body}`).digest('hex'))
})

test('a secret in a call does not leave the machine, and neither does the hash of the exact call', async () => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ456789'
  const answer = held(`curl -H "Authorization: token ${secret}" https://example.com`)
  await expect.poll(() => waiting().length).toBe(1)
  const [{ id = '' } = {}] = waiting()
  const rows = JSON.stringify(await query(world.databaseUrl, 'SELECT * FROM approval'))
  expect(rows).not.toContain(secret)
  expect(rows).not.toContain('inputHash')
  expect(team('abe', 'decide', machine, id, 'deny', '--note', 'no tokens')).toMatchObject({ code: 0 })
  expect((await answer)[0]).toContain('no tokens')
})

test('what waits is listed and decided as the guide says', async () => {
  const answer = held('npm run release')
  const id = await find('npm run release')
  const [list = []] = readTeamGuide('belay team approvals')
  const [decide = []] = readTeamGuide('belay team decide')
  const named = decide.map(word => (word === 'MACHINE' ? machine : word.replace(/^apr_.*/, id)))
  expect(world.belayAs({ BELAY_HUB_TOKEN: tokens.abe }, home, ...list)).toEqual({ code: 0, out: expect.stringContaining(id) })
  expect(world.belayAs({ BELAY_HUB_TOKEN: tokens.abe }, home, ...named)).toMatchObject({ code: 0 })
  expect((await answer)[0]).toMatch(/allow/)
})

test('with the hub away a person here decides, and the hub hears of it once', async () => {
  const answer = held('npm run deploy')
  const id = await find('npm run deploy')
  hub.kill('SIGKILL')
  expect(await decideHere({ id, decision: 'allow', by: 'human:mia' })).toBe(200)
  expect((await answer)[0]).toMatch(/allow/)
  ;({ hub } = await world.startHub(Number(new URL(url).port)))
  await expect
    .poll(async () => (await query(world.databaseUrl, `SELECT state, outcome, outcome_by, via FROM approval WHERE id = '${id}'`))[0])
    .toEqual({ state: 'allowed', outcome: 'allowed', outcome_by: 'human:mia', via: 'machine' })
  expect(team('abe', 'decide', machine, id, 'deny')).toMatchObject({ code: 2, out: expect.stringContaining('allowed already') })
})
