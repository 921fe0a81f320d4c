// A hooks.toml that cannot be used is an error of the policy like any other: refused, and said wherever a person looks.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSetup, type SetupWorld } from '../guard/fixtures/setup-world.ts'

const GOOD = '[[hooks]]\nevent = "PreToolUse"\n[hooks.shell]\ncommand = "exit 1"\n'
const BAD = `${GOOD}[[hooks]]\nevent = "PreToolUse"\ntimeout_sec = -5\n[hooks.shell]\ncommand = "exit 1"\n`

let world: SetupWorld

beforeEach(async () => {
  world = await openSetup({ title: 'hooks', files: {}, isTrusted: false, agent: 'codex', rules: null })
})
afterEach(() => world.remove())

function write(text: string): string {
  const file = join(world.project, '.belay', 'hooks.toml')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

const json = async (...argv: readonly string[]) => JSON.parse((await world.belay([...argv, '--json'])).out)

test('one that never was good is refused, and calls are denied', async () => {
  const file = write(BAD)
  const trusted = await world.belay(['policy', 'trust'])
  expect([trusted.code, trusted.err]).toEqual([2, expect.stringContaining('timeout_sec is -5')])
  expect((await json('status')).policy).toMatchObject({ ok: false, broken: [{ file, isHeld: false }] })
  expect((await world.belay(['status'])).out).toContain(`BROKEN ${file}: calls are denied`)
  expect((await json('doctor')).findings).toContainEqual(expect.objectContaining({ check: 'hooks', state: 'fail' }))
  expect((await world.belay(['hooks', 'list'])).err).toContain(`${file} is broken: gating events are denied`)
  const simulated = await json('hooks', 'simulate', '--tool', 'Bash', '--args', 'ls', '--actor', 'agent:codex')
  expect(simulated).toMatchObject({ decision: 'deny', reason: expect.stringContaining('timeout_sec is -5') })
})

test('one that was good holds as it was', async () => {
  const file = write(GOOD)
  expect((await world.belay(['policy', 'trust'])).code).toBe(0)
  expect((await json('status')).policy).toMatchObject({ ok: true, broken: [], changes: [] })
  write(BAD)
  expect((await world.belay(['policy', 'trust'])).code).toBe(2)
  expect((await json('status')).policy).toMatchObject({ ok: false, broken: [{ file, isHeld: true }], changes: [{ file, kind: 'broken' }] })
  expect((await world.belay(['hooks', 'list'])).err).toContain(`${file} is broken: its last good version is in force`)
  expect(await json('hooks', 'list')).toMatchObject([{ file, line: 1, inert: null }])
})
