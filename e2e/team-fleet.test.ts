// Agents and efforts over machines: seen at the hub, and an effort taken up on another machine by one who is first. Real daemons and hub.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { callAsAgent, makeTeamWorld, type TeamWorld } from './fixtures/team-world.ts'

let world: TeamWorld
let url: string
let token: string
const homes: string[] = []
const machines: string[] = []

beforeAll(async () => {
  world = await makeTeamWorld()
  token = JSON.parse(world.belayHub('init', '--admin', 'ana', '--json').out).adminToken
  ;({ url } = await world.startHub())
  for (const name of ['a', 'b', 'c']) {
    const home = await world.startMachine(name)
    machines.push(JSON.parse(world.belay(home, 'join', url, world.joinToken(), '--name', name, '--json').out).machine)
    homes.push(home)
  }
})
afterAll(() => world.close())

interface Seen {
  readonly machine: string
  readonly agents: readonly { readonly agent: string }[]
  readonly efforts: readonly { readonly effort: string; readonly title: string; readonly phase: string; readonly takenBy: string | null }[]
}
const fleet = async (): Promise<readonly Seen[]> => {
  const answer = await fetch(new URL('/v1/fleet', url), { headers: { authorization: `Bearer ${token}` } })
  return ((await answer.json()) as { machines: Seen[] }).machines
}
const effortsOf = async (machine: string | undefined) => (await fleet()).find(each => each.machine === machine)?.efforts ?? []
const [home, other, third] = [() => homes[0] ?? '', () => homes[1] ?? '', () => homes[2] ?? '']

test('agents and efforts of a machine are seen at the hub', async () => {
  await callAsAgent(world, home(), [{ command: 'ls' }])
  expect(world.belay(home(), 'effort', 'start', 'repair', '--title', 'mend the build', '--json')).toMatchObject({ code: 0 })
  await expect.poll(async () => (await effortsOf(machines[0])).map(({ title }) => title)).toEqual(['mend the build'])
  expect((await fleet()).find(each => each.machine === machines[0])?.agents.length).toBeGreaterThan(0)
})

test('and on every other machine', async () => {
  const list = (): Seen[] => JSON.parse(world.belay(other(), 'fleet', '--team', '--json').out)
  await expect
    .poll(() =>
      list()
        .map(({ machine }) => machine)
        .sort(),
    )
    .toEqual([...machines].sort())
  const { code, out } = world.belay(other(), 'fleet', '--team')
  expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('this machine, heard of') })
  expect(out).toContain('claude-code in project  working')
  expect(out).toMatch(new RegExp(`effort ${machines[0]}/1 +mend the build .* at work`))
  expect(world.belay(`${world.folder}/alone`, 'fleet', '--team')).toMatchObject({ code: 2, out: expect.stringContaining('joined no team') })
})

test('an effort is taken up by one machine, with what was handed over, and ends where it was', async () => {
  const [{ effort = '' } = {}] = await effortsOf(machines[0])
  expect(world.belay(other(), 'effort', 'take', effort)).toMatchObject({ code: 1, out: expect.stringContaining('--force') })
  await callAsAgent(world, home(), [{ command: 'ls' }])
  const left = world.belay(home(), 'dehydrate', '--json', JSON.stringify({ summary: 'the tests fail in parse.ts' }))
  expect(left).toMatchObject({ code: 0 })
  await expect
    .poll(async () =>
      (await query(world.databaseUrl, `SELECT efforts::text FROM fleet`)).some(row => JSON.stringify(row).includes('parse.ts')),
    )
    .toBe(true)
  const [first, second] = await Promise.all([other(), third()].map(async at => world.belay(at, 'effort', 'take', effort, '--json')))
  expect([first?.code, second?.code].sort()).toEqual([0, 1])
  const winner = first?.code === 0 ? other() : third()
  expect(`${first?.out}${second?.out}`).toContain('has taken it already')
  expect(world.belay(winner, 'effort', 'show').out).toContain('repair')
  await expect.poll(() => world.belay(home(), 'effort', 'list', '--json').out).not.toContain('"active"')
  const name = winner === other() ? 'b' : 'c'
  const [denied, next] = await callAsAgent(world, home(), [{ command: 'ls' }, { command: 'ls' }])
  expect(denied).toContain(`goes on at machine ${name}, which has taken it up`)
  expect(denied).toContain('deny')
  expect(next).not.toContain('deny')
  expect(world.belay(winner, 'effort', 'show', '--json').out).toContain('parse.ts')
  expect(await query(world.databaseUrl, "SELECT count(*)::int AS n FROM act WHERE kind = 'effort_taken'")).toEqual([{ n: 1 }])
  expect(world.belay(home(), 'ledger', 'query', '--kind', 'effort_taken', '--json').out).toContain('owner')
})
