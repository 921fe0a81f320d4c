// The policy of a team as people use it: published from one machine, in force on all, at every door, and stopped by itself where it harms.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { shareOf } from '@belay/core/team'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { query } from '../packages/hub/src/fixtures/postgres.ts'
import { readTeamGuide } from './fixtures/team-guide.ts'
import { callAsAgent, makeTeamWorld, type Ran, type TeamWorld } from './fixtures/team-world.ts'

const BELAY = fileURLToPath(new URL('../packages/host/bin/belay.cjs', import.meta.url))
const rules = (deny: string, allow = '"Bash(*)"') =>
  `version: "2.0"\npermissions:\n  default: ask\n  actors:\n    "agent:*":\n      allow: [${allow}]\n      deny: [${deny}]\n`

let world: TeamWorld
let url: string
let hub: { kill(signal: NodeJS.Signals): boolean }
let token: string
const homes: string[] = []

beforeAll(async () => {
  world = await makeTeamWorld()
  expect(world.belayHub('init', '--admin', 'ana', '--json')).toMatchObject({ code: 0 })
  ;({ url, hub } = await world.startHub())
  for (const name of ['a', 'b', 'c']) {
    const home = await world.startMachine(name)
    // Only the first is among the first half of the machines.
    for (let isPlaced = false; !isPlaced; ) {
      const joined = world.belay(home, 'join', url, world.joinToken(), '--label', `site=${name}`, '--json')
      expect(joined.code).toBe(0)
      isPlaced = shareOf(JSON.parse(joined.out).machine) < 50 === (name === 'a')
      if (!isPlaced) expect(world.belay(home, 'leave')).toMatchObject({ code: 0 })
    }
    homes.push(home)
  }
  expect(world.belayHub('people', 'add', 'pia', '--role', 'publisher')).toMatchObject({ code: 0 })
  token = JSON.parse(world.belayHub('token', 'person', 'pia', '--json').out).token
  const { key } = JSON.parse(world.belay(home(0), 'policy', 'key', '--json').out)
  expect(publish(rules('"Bash(git push *)"'))).toMatchObject({ code: 2, out: expect.stringContaining('belay-hub publisher add') })
  const added = world.belayHub('publisher', 'add', 'pia', key, '--root', join(world.folder, 'belay-root.key'))
  expect(added).toMatchObject({ code: 0 })
})
afterAll(() => world.close())

const home = (n: number): string => homes[n] ?? ''

function publish(text: string, ...options: string[]): Ran {
  const file = join(world.folder, 'team.key')
  writeFileSync(file, text)
  return world.belayAs({ BELAY_HUB_TOKEN: token }, home(0), 'policy', 'publish', file, ...options, '--json')
}

const status = (at: string) => JSON.parse(world.belay(at, 'policy', 'status', '--json').out)
const inForce = (): unknown[] => homes.map(each => status(each).inForce)
const decide = async (at: string, command: string): Promise<string> => {
  const [answer = ''] = await callAsAgent(world, at, [{ command }])
  return /\\"permissionDecision\\":\\"(\w+)/.exec(answer)?.[1] ?? /permissionDecision":"(\w+)/.exec(answer)?.[1] ?? 'none'
}

describe('a policy of the team', () => {
  test('is in force on every machine, and local files can only tighten it', async () => {
    const policy = join(home(1), 'policy', 'genesis.key')
    spawnSync('mkdir', ['-p', join(home(1), 'policy')])
    writeFileSync(policy, rules('"Bash(curl *)"', '"Bash(git push *)", "Bash(ls *)"'))
    expect(publish(rules('"Bash(git push *)"', '"Bash(git *)", "Bash(curl *)"'))).toMatchObject({ code: 0 })
    await expect.poll(inForce).toEqual([1, 1, 1])
    for (const each of homes) expect(await decide(each, 'git push origin')).toBe('deny')
    expect(await decide(home(0), 'curl https://example.com')).toBe('allow')
    expect(await decide(home(1), 'curl https://example.com')).toBe('deny')
    expect(await decide(home(1), 'npm publish')).toBe('ask')
    expect(world.belay(home(1), 'status').out).toContain('policy')
    rmSync(policy)
    expect(world.belay(home(1), 'policy', 'trust', '--none')).toMatchObject({ code: 0 })
  })

  test('holds at the door of the client alone and for commands that explain', () => {
    const alone = { PATH: process.env.PATH, HOME: world.folder, BELAY_HOME: home(2) }
    const tool = { tool_name: 'Bash', tool_input: { command: 'git push' } }
    const payload = { session_id: 's', cwd: world.project, hook_event_name: 'PreToolUse', ...tool }
    const ran = spawnSync(process.execPath, [BELAY, 'hook', '--agent', 'claude-code', '--event', 'PreToolUse', '--direct'], {
      cwd: world.project,
      env: alone,
      input: JSON.stringify(payload),
      encoding: 'utf8',
    })
    expect(ran.stdout).toContain('"permissionDecision":"deny"')
    expect(world.belay(home(2), 'explain', '--', 'git push')).toMatchObject({ code: 1, out: expect.stringContaining('Bash(git push *)') })
  })

  test('only observed, it decides nothing and records where it would differ', async () => {
    expect(publish(rules('"Bash(rm *)", "Bash(git push *)"'), '--observe')).toMatchObject({ code: 0 })
    await expect.poll(() => homes.map(each => status(each).compared)).toEqual([2, 2, 2])
    expect(inForce()).toEqual([1, 1, 1])
    await expect.poll(() => decide(home(1), 'git rm x')).toBe('allow')
    expect(await decide(home(1), 'rm -r build')).toBe('ask')
    const differences = () =>
      JSON.parse(world.belay(home(1), 'ledger', 'query', '--kind', 'policy_difference', '--json').out).map(
        ({ body }: { body: { older: string; newer: string } }) => `${body.older}->${body.newer}`,
      )
    await expect.poll(differences).toEqual(['ask->deny'])
  })

  test('a bad rule for a few machines is halted by itself, and denies nothing anywhere else', async () => {
    const [canary = '', ...others] = homes
    const bad = publish(rules('"Bash(*)"'), '--percentage', '50', '--halt', '5', '--halt-calls', '20')
    expect(bad).toMatchObject({ code: 0 })
    await expect.poll(() => status(canary).inForce).toBe(3)
    await expect.poll(() => decide(canary, 'git log')).toBe('deny')
    const calls = Array.from({ length: 30 }, (_, n) => ({ command: `git log ${n}` }))
    for (const each of [canary, ...others]) {
      const answers = await callAsAgent(world, each, calls)
      if (each !== canary) expect(answers.filter(answer => answer.includes('deny'))).toEqual([])
    }
    await expect.poll(() => status(canary).inForce).toBe(1)
    await expect.poll(() => decide(canary, 'git log')).toBe('allow')
    expect(status(canary).halted).toEqual([{ version: 3, why: expect.stringContaining('denied by it') }])
    await expect
      .poll(async () => (await query(world.databaseUrl, 'SELECT halted_why FROM bundle WHERE version = 3'))[0])
      .toEqual({
        halted_why: expect.stringContaining('calls were denied'),
      })
    const kinds = await query(world.databaseUrl, "SELECT kind, actor FROM act WHERE kind = 'roll_out_halted'")
    expect(kinds).toEqual([{ kind: 'roll_out_halted', actor: 'hub' }])
  })

  test('goes back by publishing what was, under a new version', async () => {
    const back = world.belayAs({ BELAY_HUB_TOKEN: token }, home(0), 'policy', 'rollback', '1', '--json')
    expect(back).toMatchObject({ code: 0 })
    await expect.poll(inForce).toEqual([4, 4, 4])
    expect(world.belay(home(1), 'policy', 'pin', '1')).toMatchObject({ code: 2, out: expect.stringContaining('rollback') })
    expect(world.belay(home(1), 'policy', 'pin')).toMatchObject({ code: 0 })
    expect(publish(rules('"Bash(git push *)", "Bash(rm *)"', '"Bash(git *)"'))).toMatchObject({ code: 0 })
    await expect.poll(inForce).toEqual([5, 4, 5])
    const problems = () =>
      JSON.parse(world.belayHub('status', '--json').out).machines.flatMap((each: { problems: { kind: string }[] }) => each.problems)
    await expect.poll(() => problems().map(({ kind }: { kind: string }) => kind)).toEqual(['pinned'])
    expect(world.belay(home(1), 'policy', 'pin', '--off')).toMatchObject({ code: 0 })
    await expect.poll(inForce).toEqual([5, 5, 5])
  })

  test('is published as the guide says, from the policy of the project', async () => {
    const folder = join(world.project, '.belay')
    mkdirSync(folder)
    const kept = rules('"Bash(git push *)"', '"Bash(git *)"')
    writeFileSync(join(folder, 'genesis.key'), kept)
    const lines = [...readTeamGuide('belay policy publish'), ...readTeamGuide('belay policy rollback')]
    expect(lines.length).toBeGreaterThanOrEqual(4)
    for (const [n, line] of lines.entries()) {
      const ran = world.belayAs({ BELAY_HUB_TOKEN: token }, home(0), ...line)
      expect(ran).toEqual({ code: 0, out: expect.stringContaining(`policy ${6 + n} is published`) })
    }
    rmSync(folder, { recursive: true })
    expect(publish(kept)).toMatchObject({ code: 0 })
    const last = 6 + lines.length
    await expect.poll(inForce).toEqual([last, last, last])
  })

  test('is taken from a file where there is no network, and published as it is for the others', async () => {
    const file = join(world.folder, 'offline.bundle')
    const before = inForce()
    expect(publish(rules('"Bash(git push *)"', '"Bash(git *)"'), '--out', file)).toMatchObject({ code: 0 })
    const next = Number(before[0]) + 1
    expect(world.belay(home(0), 'policy', 'pull', '--from', file)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`policy ${next} `),
    })
    expect(inForce()).toEqual([next, ...before.slice(1)])
    expect(world.belayAs({ BELAY_HUB_TOKEN: token }, home(1), 'policy', 'publish', '--from', `${file}.none`)).toMatchObject({ code: 2 })
    expect(world.belayAs({ BELAY_HUB_TOKEN: token }, home(1), 'policy', 'publish', '--from', file)).toMatchObject({ code: 0 })
    await expect.poll(inForce).toEqual([next, next, next])
    expect(world.belay(home(0), 'policy', 'status')).toMatchObject({ code: 0 })
  })

  test('holds from disk when there is no hub, and is never lost', async () => {
    hub.kill('SIGKILL')
    expect(world.belay(home(2), 'down')).toMatchObject({ code: 0 })
    expect(world.belay(home(2), 'up', '--detach', '--port', '0')).toMatchObject({ code: 0 })
    expect(await decide(home(2), 'git push')).toBe('deny')
    const file = join(home(2), 'team', 'policy.json')
    const kept = readFileSync(file, 'utf8')
    writeFileSync(file, kept.replace('"seal": "', '"seal": "00'))
    await expect.poll(() => decide(home(2), 'git log')).toBe('deny')
    rmSync(file)
    await expect.poll(() => decide(home(2), 'git log')).toBe('deny')
    expect(world.belay(home(2), 'policy', 'status')).toMatchObject({ code: 2, out: expect.stringContaining('is gone') })
    writeFileSync(file, kept)
    await expect.poll(() => decide(home(2), 'git log')).toBe('allow')
  })
})
