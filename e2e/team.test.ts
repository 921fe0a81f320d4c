// A team as people use it: belay-hub on a real PostgreSQL, daemons as processes of their own, everything built.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { callAsAgent, makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

let world: TeamWorld
beforeAll(async () => {
  world = await makeTeamWorld()
})
afterAll(() => world.close())

const makeCalls = async (home: string, count: number): Promise<void> => {
  await callAsAgent(
    world,
    home,
    Array.from({ length: count }, (_, n) => ({ command: `ls part-${n}` })),
  )
}

const named = (): string[] =>
  JSON.parse(world.belayHub('verify', '--json').out).machines.flatMap((machine: { machine: string; problems: { kind: string }[] }) =>
    machine.problems.map(({ kind }) => `${machine.machine} ${kind}`),
  )

/** Everything that is there has arrived and is cosigned. */
async function expectSent(home: string): Promise<void> {
  expect(world.belay(home, 'ledger', 'checkpoint')).toMatchObject({ code: 0 })
  await expect
    .poll(() => {
      const state = world.stateOf(home)
      return state !== null && state.error === null && state.head > 0 && state.acknowledged === state.head && state.cosigned === state.head
    })
    .toBe(true)
}

/** Of one machine: what its agents want is allowed, asked about and denied, each with words about it. */
const RULES = `version: "2.0"
permissions:
  default: ask
  actors: {"agent:*": {allow: ["Bash(ls *)"], deny: ["Bash(git push *)"]}}
`
const WORDY = ['git push "part-30" && ls part-30', 'deploy part-31', "echo 'part-32' | ls part-32"]

test('machines join, send, survive a hub that is killed, and one that was put back is named', async () => {
  const { folder, belay, belayHub, startHub, startMachine, stateOf, joinToken: token } = world
  const { joinToken } = JSON.parse(belayHub('init', '--admin', 'ana', '--json').out)
  const first = await startHub()
  mkdirSync(join(folder, 'b', 'policy'), { recursive: true })
  writeFileSync(join(folder, 'b', 'policy', 'genesis.key'), RULES)
  const [a, b] = [await startMachine('a'), await startMachine('b')]
  expect(belay(a, 'team', 'status')).toMatchObject({ code: 0, out: expect.stringContaining('joined no team') })
  expect(belay(a, 'join', 'http://192.0.2.1:1', joinToken)).toMatchObject({ code: 2, out: expect.stringContaining('https://') })
  expect(belay(a, 'join', first.url, `${joinToken.slice(0, -4)}0000`)).toMatchObject({
    code: 2,
    out: expect.stringContaining('another team'),
  })
  expect(belay(a, 'join', first.url, joinToken, '--label', 'site=lab')).toMatchObject({ code: 0 })
  expect(belay(b, 'join', first.url, joinToken)).toMatchObject({ code: 2, out: expect.stringContaining('used') })
  const erased = ['--upload', 'bodies', '--erase', '/input/command']
  expect(belay(b, 'join', first.url, token(), ...erased)).toMatchObject({ code: 0 })
  expect(belay(a, 'join', first.url, token())).toMatchObject({ code: 2, out: expect.stringContaining('of a team already') })
  await Promise.all([makeCalls(a, 30), makeCalls(b, 30)])
  await callAsAgent(
    world,
    b,
    WORDY.map(command => ({ command, attended: false })),
  )
  await Promise.all([expectSent(a), expectSent(b)])
  expect(named()).toEqual([])
  // Kept aside, to be put back later.
  expect(belay(a, 'backup', join(folder, 'old.db'))).toMatchObject({ code: 0 })

  first.hub.kill('SIGKILL')
  await makeCalls(a, 20)
  await expect.poll(() => stateOf(a)?.error).toEqual(expect.any(String))
  const second = await startHub(Number(new URL(first.url).port))
  await expectSent(a)
  expect(named()).toEqual([])

  const machineA = JSON.parse(belay(a, 'team', 'status', '--json').out).team.machine
  expect(belay(a, 'down')).toMatchObject({ code: 0 })
  for (const end of ['', '-wal', '-shm']) rmSync(join(a, `belay.db${end}`), { force: true })
  cpSync(join(folder, 'old.db'), join(a, 'belay.db'))
  rmSync(join(a, 'checkpoint.note'), { force: true })
  expect(belay(a, 'up', '--detach', '--port', '0')).toMatchObject({ code: 0 })
  await expect.poll(() => stateOf(a)?.isFork).toBe(true)
  expect(belay(a, 'team', 'status')).toMatchObject({ code: 1, out: expect.stringContaining('not the one it was') })
  expect(named()).toEqual([expect.stringMatching(new RegExp(`^${machineA} (rolled_back|rewritten)$`))])

  expect(belay(b, 'leave')).toMatchObject({ code: 0, out: expect.stringContaining('has left') })
  expect(belay(b, 'team', 'status')).toMatchObject({ code: 0, out: expect.stringContaining('joined no team') })
  expect(belayHub('status').out).toMatch(/ left /)
  second.hub.kill('SIGTERM')
  await new Promise(resolve => second.hub.once('exit', resolve))
  expect(second.hub.exitCode).toBe(0)
})

interface Sent {
  readonly body: string | null
  readonly salt: string | null
  readonly erased: readonly string[] | null
  readonly is_proved: boolean
}

test('bodies leave a machine without what it erases, and the index without any body', async () => {
  const sql = "SELECT body, salt, erased, is_proved FROM entry WHERE kind = 'pre_tool_use'"
  const rows = (await query(world.databaseUrl, sql)) as Sent[]
  const bodies = rows.filter(row => row.body !== null)
  expect(bodies.length).toBe(30 + WORDY.length)
  expect(rows.length - bodies.length).toBe(50)
  expect(rows.every(row => row.is_proved)).toBe(true)
  expect(bodies.every(row => row.salt === null && row.erased?.includes('/input/command'))).toBe(true)
  expect(bodies.some(row => 'command' in JSON.parse(row.body ?? '').input)).toBe(false)
  // Not in words about it either, nor in what was asked of people.
  expect(bodies.every(row => row.erased?.includes('/answer') && !row.body?.includes('part-'))).toBe(true)
  const others = await query(world.databaseUrl, "SELECT kind, body FROM entry WHERE body LIKE '%part-%' OR rule LIKE '%part-%'")
  expect(others).toEqual([])
  const asked = await query(
    world.databaseUrl,
    "SELECT count(*)::int AS n FROM entry WHERE kind = 'approval_requested' AND body IS NOT NULL",
  )
  expect(asked[0]).not.toEqual({ n: 0 })
})
