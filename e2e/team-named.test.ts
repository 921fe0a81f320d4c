// Who is not as they should be is named twice: by `belay-hub verify`, and on the page in a real Chromium. Real hub, real PostgreSQL; what the
// machines say goes over the wire. Each kind of dishonesty is one machine, and the honest one between them is never named.
import { join } from 'node:path'
import { formatNoteKey } from '@belay/core/ledger'
import { parseBundle } from '@belay/core/team'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBundle, makeSigner } from '../packages/core/src/team/fixtures/make-bundle.ts'
import { query, startPostgres, type TestPostgres } from '../packages/hub/src/fixtures/postgres.ts'
import { addMachine, addPerson, makeTestHub, runHub, type TestHub } from '../packages/hub/src/fixtures/test-hub.ts'
import { addEntries, call, type TestMachine, upload } from '../packages/hub/src/fixtures/test-machine.ts'
import type { Hub } from '../packages/hub/src/http/start-hub.ts'
import { PATIENCE_MS } from './dashboard/browser.ts'
import { setBrowser } from './dashboard/stage.ts'

/** What each does, and the word for it. */
const NAMED = {
  'put back': 'rolled_back',
  'put back and grown': 'rewritten',
  'cut off': 'rolled_back',
  silent: 'silent',
  'old policy': 'old_bundle',
} as const
const NAMES = [...Object.keys(NAMED), 'honest']

let browser: Browser
let postgres: TestPostgres
let made: TestHub
let hub: Hub
let page: Page
const machines = new Map<string, TestMachine>()
const machine = (name: string): TestMachine => machines.get(name) ?? expect.fail(`there is no machine ${name}`)

setBrowser(opened => (browser = opened))
beforeAll(async () => {
  postgres = await startPostgres()
  made = await makeTestHub(postgres)
  hub = await made.start()
  for (const name of NAMES) {
    const joined = await addMachine(made.env, hub, name)
    machines.set(name, joined)
    addEntries(joined, 12)
    await upload(hub.url, joined)
  }
  const copies = new Map(NAMES.map(name => [name, [...machine(name).entries]]))
  for (const name of NAMES) {
    addEntries(machine(name), 8)
    await upload(hub.url, machine(name))
  }
  for (const name of ['put back', 'put back and grown']) machine(name).entries = copies.get(name) ?? []
  addEntries(machine('put back and grown'), 30)
  machine('cut off').entries.length -= 3
  for (const name of ['put back', 'put back and grown', 'cut off']) await upload(hub.url, machine(name))
  await publishOne()
  await haveHeard()
  page = await openPage()
})
afterAll(async () => {
  await hub?.stop()
  await made?.close()
  await postgres?.close()
})

/** A policy of the team, which all machines but one have seen. */
async function publishOne(): Promise<void> {
  const signer = makeSigner('belay.publisher/pia')
  const token = await addPerson(made.env, 'pia', 'publisher')
  const root = join(made.folder, 'belay-root.key')
  expect(await runHub(made.env, 'publisher', 'add', 'pia', formatNoteKey(signer), '--root', root)).toMatchObject({ code: 0 })
  const { body } = await call(hub.url, 'GET /v1/publishers', undefined, token)
  const [{ endorsement } = { endorsement: '' }] = body.publishers as { endorsement: string }[]
  const text = makeBundle({ version: 1, previous: null }, { files: { 'genesis.key': 'version: "2.0"\n' }, signer, endorsement })
  expect(await call(hub.url, 'POST /v1/bundles', { bundle: text }, token)).toMatchObject({ status: 200 })
  const bundle = parseBundle(text)
  if (typeof bundle === 'string') throw new Error(bundle)
  for (const name of NAMES) {
    const policy = name === 'old policy' ? { seen: 0, seenHash: null } : { seen: 1, seenHash: bundle.hash, inForce: 1 }
    await call(hub.url, 'POST /v1/report', { policy, counts: [] }, machine(name).token)
  }
}

/** Everybody for twenty minutes since, but the one that is silent. */
async function haveHeard(): Promise<void> {
  const url = made.env.BELAY_HUB_DATABASE_URL ?? ''
  await query(url, "UPDATE machine SET joined_at = now() - interval '1 day', behind_since = behind_since - interval '20 minutes'")
  await query(url, "UPDATE machine SET last_seen = now() - interval '2 hours' WHERE name = 'silent'")
}

async function openPage(): Promise<Page> {
  const opened = await browser.newPage({ viewport: { width: 1280, height: 844 } })
  opened.setDefaultTimeout(PATIENCE_MS)
  await opened.goto(`${hub.url}/machines#token=${made.adminToken}`)
  await opened.getByRole('table', { name: 'Machines' }).waitFor()
  return opened
}

const word = (kind: string): string => kind.replaceAll('_', ' ')
const rowOf = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

test('`belay-hub verify` names each, and ends with 1', async () => {
  const { code, out } = await runHub(made.env, 'verify', '--json')
  const found = JSON.parse(out).machines.map(({ name, problems }: { name: string; problems: { kind: string }[] }) => [
    name,
    problems.map(({ kind }) => kind),
  ])
  expect(code).toBe(1)
  expect(Object.fromEntries(found)).toEqual({
    honest: [],
    ...Object.fromEntries(Object.entries(NAMED).map(([name, kind]) => [name, [kind]])),
  })
})

test.each(Object.entries(NAMED))('the page names the machine "%s", in words, with the reason', async (name, kind) => {
  const row = rowOf(name)
  await row.getByRole('cell').last().getByText(word(kind), { exact: true }).waitFor()
  await row
    .getByText(kind === 'silent' ? 'silent' : 'in doubt', { exact: true })
    .first()
    .waitFor()
  await row.getByRole('link', { name, exact: true }).click()
  const { problems } = (await listed()).find(each => each.name === name) ?? { problems: [] }
  for (const { what } of problems) await page.getByText(what, { exact: true }).waitFor()
  expect(problems.map(each => each.kind)).toEqual([kind])
  await page.goBack()
})

test('the page says nothing against the honest one', async () => {
  const row = rowOf('honest')
  await row.getByText('active', { exact: true }).waitFor()
  expect(await row.getByRole('cell').last().textContent()).toBe('')
})

async function listed(): Promise<readonly { name: string; problems: readonly { kind: string; what: string }[] }[]> {
  const { body } = await call(hub.url, 'GET /v1/machines', undefined, made.adminToken)
  return body.machines as Awaited<ReturnType<typeof listed>>
}
