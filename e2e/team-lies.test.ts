// A hub that lies: it decides what nobody asked, hands out bundles of its own, halts what was never published and takes efforts that nobody
// has, as often as it is asked; it answers uploads with nothing, and shows no record. A real daemon refuses all of it, records that, and its
// ledger does not grow without end.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { formatNoteKey, type NoteSigner } from '@belay/core/ledger'
import { createJoinToken, endorsePublisher, signStatement } from '@belay/core/team'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBundle, makeSigner } from '../packages/core/src/team/fixtures/make-bundle.ts'
import { callAsAgent, makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

const BELAY = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const LIES_OF_ONE_ANSWER = 500
const SECONDS = 6
const root = makeSigner('belay.team/root')
const hubKey = makeSigner('belay.hub/1')

let world: TeamWorld
let server: Server
let url: string
let home: string
const said = { waits: 0 }

beforeAll(async () => {
  world = await makeTeamWorld()
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer(request.url ?? '')))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  home = await world.startMachine('a')
  // Not while nobody else runs here: the hub is in this process.
  const env = { PATH: process.env.PATH, HOME: world.folder, BELAY_HOME: home }
  await promisify(execFile)(process.execPath, [BELAY, 'join', url, createJoinToken(root)], { cwd: world.project, env })
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await world.close()
})

function answer(path: string): unknown {
  if (path === '/v1/team')
    return { rootKey: formatNoteKey(root), hubKey: formatNoteKey(hubKey), endorsement: signStatement('hub', [formatNoteKey(hubKey)], root) }
  if (path === '/v1/join') return { machine: '0123456789abcdef' }
  if (path === '/v1/challenge') return { challenge: 'c' }
  if (path === '/v1/login') return { token: 't' }
  if (path === '/v1/chain') return { seq: 0 }
  if (path === '/v1/wait') return lie()
  return {}
}

const name = (): string => randomBytes(4).toString('hex')

function lie(): unknown {
  said.waits++
  return {
    decisions: Array.from({ length: LIES_OF_ONE_ANSWER }, () => ({
      id: `apr_${name()}`,
      decision: 'allowed',
      by: `human:${name()}`,
      note: null,
    })),
    bundles: [signedByItself(said.waits)],
    halted: Array.from({ length: LIES_OF_ONE_ANSWER }, (_, n) => ({ version: said.waits * LIES_OF_ONE_ANSWER + n, why: name() })),
    taken: Array.from({ length: LIES_OF_ONE_ANSWER }, (_, n) => ({ id: said.waits * LIES_OF_ONE_ANSWER + n, owner: name(), name: name() })),
    isWatched: said.waits % 2 === 0,
  }
}

/** Allows everything; another text each time. */
function signedByItself(version: number): string {
  const signer: NoteSigner = hubKey
  const endorsement = endorsePublisher({ person: 'pia', key: signer, until: '2100-01-01T00:00:00Z' }, hubKey)
  const files = { 'genesis.key': `version: "2.0"\n# ${name()}\npermissions: {default: allow}\n` }
  return makeBundle({ version, previous: version === 1 ? null : 'a'.repeat(64) }, { files, signer, endorsement })
}

const count = (kind: string): number => {
  const { out } = world.belay(home, 'ledger', 'tail', '--kind', kind, '--lines', '10000', '--json')
  return out.split('\n').filter(line => line.startsWith('{')).length
}

test('everything is refused and recorded, a few times, and agents are judged as before', async () => {
  await expect.poll(() => count('hub_decision_refused'), { timeout: 30_000 }).toBeGreaterThan(0)
  const before = said.waits
  await sleep(SECONDS * 1000)
  // It is asked a few times a second at most, whatever it answers.
  expect(said.waits - before).toBeLessThan(SECONDS * 4)
  expect(count('hub_decision_refused')).toBeLessThanOrEqual(10)
  expect(count('bundle_refused')).toBeGreaterThan(0)
  expect(count('bundle_refused')).toBeLessThanOrEqual(10)
  expect(count('hub_doubted')).toBeGreaterThan(0)
  expect(count('hub_doubted')).toBeLessThanOrEqual(10)
  expect(world.belay(home, 'team', 'status')).toMatchObject({ code: 1, out: expect.stringContaining('about the hub, at ') })
  for (const kind of ['roll_out_halted', 'effort_taken', 'approval_decided']) expect([kind, count(kind)]).toEqual([kind, 0])
  const status = JSON.parse(world.belay(home, 'policy', 'status', '--json').out)
  expect(status).toMatchObject({ inForce: null })
  const [answered] = await callAsAgent(world, home, [{ command: 'ls' }])
  expect(answered).toBeDefined()
  expect(JSON.parse(world.belay(home, 'ledger', 'verify', '--json').out)).toMatchObject({ ok: true })
})
