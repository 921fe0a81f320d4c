// `belay conform` as people run it, with a small agent in the place of a real one: one that obeys, one that ignores a deny, one that does not
// run here, one that never answers. What is left behind is looked for in a folder of its own.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import type { SignedRow } from '../../packages/host/src/conform/row.ts'

const bin = fileURLToPath(new URL('../../packages/host/bin/belay.cjs', import.meta.url))
const agent = fileURLToPath(new URL('./fake-agent.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-fake-'))
const scratch = join(folder, 't')
const env = { PATH: process.env.PATH, HOME: folder, BELAY_HOME: join(folder, 'home'), TMPDIR: scratch, NO_COLOR: '1' }
mkdirSync(scratch)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function fake(flags: string): string {
  const file = join(folder, `codex-${flags}`)
  writeFileSync(file, `#!/bin/sh\nFAKE_FLAGS='${flags}' exec '${process.execPath}' '${agent}' "$@"\n`, { mode: 0o755 })
  return file
}

function belay(...argv: readonly string[]) {
  return spawnSync(process.execPath, [bin, ...argv], { env, encoding: 'utf8' })
}

function statesOf({ cases }: SignedRow): Readonly<Record<string, string>> {
  return Object.fromEntries(cases.map(({ id, state }) => [id, state]))
}

test('an agent that obeys is said to, and the row can be checked', () => {
  const run = belay('conform', 'codex', '--program', fake('obeys'), '--json')
  const row: SignedRow = JSON.parse(run.stdout)
  const states = statesOf(row)
  expect({ version: row.version, problem: row.problem, bad: row.cases.filter(({ state }) => state === 'ignored') }).toEqual({
    version: '0.0.1',
    problem: null,
    bad: [],
  })
  expect([states.deny, states['deny-reason'], states.rewrite, states['hook-timeout'], states['ask-held']]).toEqual(Array(5).fill('obeyed'))
  for (const scene of ['resume', 'compact'])
    expect(Object.entries(states).filter(([id]) => id.startsWith(scene))).toEqual(
      (scene === 'resume' ? ['deny', 'allow', 'record'] : ['event', 'deny', 'allow']).map(id => [`${scene}-${id}`, 'obeyed']),
    )
  // It has neither files nor sub-agents.
  expect([states['write-deny'], states['sub-deny'], states['borrowed-deny']]).toEqual(Array(3).fill('unsupported'))
  const file = join(folder, 'row.json')
  writeFileSync(file, run.stdout)
  expect(belay('conform', '--verify', file)).toMatchObject({ status: 0, stdout: expect.stringContaining('the key of this machine') })
  const changed = join(folder, 'changed.json')
  writeFileSync(changed, run.stdout.replace('"obeyed"', '"ignored"'))
  expect(belay('conform', '--verify', changed)).toMatchObject({ status: 1, stdout: expect.stringContaining('changed after it was signed') })
  expect(readdirSync(scratch)).toEqual([])
})

test('an agent that ignores a deny is reported as such, and the difference is shown', () => {
  const file = join(folder, 'row.json')
  const run = belay('conform', 'codex', '--program', fake('ignore-deny'), '--only', 'deny', '--against', file)
  expect(run.status).toBe(1)
  const lines = run.stdout.split('\n')
  for (const id of ['deny', 'parallel', 'hook-timeout', 'hook-crash', 'ask-nobody'])
    expect(lines.find(line => new RegExp(`^ {2}\\w+ +${id} `).test(line))).toMatch(/^ {2}ignored /)
  expect(run.stdout).toContain('the call ran, though Belay said deny')
  expect(run.stdout).toMatch(/differs from Codex 0\.0\.1 [\s\S]*\ndeny: a denied call does not run\n {2}- obeyed\n {2}\+ ignored/)
  // A part is not kept.
  expect(readdirSync(join(env.BELAY_HOME, 'conform', 'codex'))).toHaveLength(1)
  expect(readdirSync(scratch)).toEqual([])
})

test.each(['resume-deny', 'compact-deny'])('so is one that ignores it later: %s', id => {
  const run = belay('conform', 'codex', '--program', fake('ignore-deny'), '--only', id)
  expect([run.status, run.stdout.split('\n').find(line => line.includes(` ${id} `))]).toEqual([1, expect.stringMatching(/^ {2}ignored /)])
})

test('an agent that does not run here is said not to', () => {
  const run = belay('conform', 'codex', '--program', fake('refuse'), '--json')
  expect(run.status).toBe(2)
  const row: SignedRow = JSON.parse(run.stdout)
  expect(row.problem).toContain('this machine is too old for me')
  expect(new Set(row.cases.map(({ state }) => state))).toEqual(new Set(['untried']))
})

test('nothing runs on after Ctrl-C', async () => {
  const child = spawn(process.execPath, [bin, 'conform', 'codex', '--program', fake('hang')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (said += chunk))
  // The agent is there: its processes name the fake.
  await expect.poll(() => said.includes('1/') && processesWith(agent).length > 0).toBe(true)
  child.kill('SIGINT')
  expect(await new Promise(resolve => child.on('exit', resolve))).toBe(2)
  expect(said).toContain('broken off: nothing is kept')
  await expect.poll(() => processesWith(folder)).toEqual([])
  expect(readdirSync(scratch)).toEqual([])
})

test.each([
  [['conform', 'cursor'], 'nobody has run Cursor without a person and an account yet'],
  [['conform', 'nobody'], 'there is no agent `nobody`'],
  [['conform', 'codex'], 'Codex is not here'],
  [['conform', '--verify', agent], 'it is not JSON'],
  [['conform', '--verify', '/nowhere/row.json'], 'it cannot be read'],
  [['conform', 'codex', '--program', agent, '--against', '/nowhere/row.json'], 'it cannot be read'],
  [['conform', 'codex', '--only', 'nothing-of-it'], 'no case is called that'],
])('belay %j', (argv, said) => {
  const run = spawnSync(process.execPath, [bin, ...argv], { env: { ...env, PATH: '/nowhere' }, encoding: 'utf8' })
  expect(run.status).not.toBe(0)
  expect(run.stdout + run.stderr).toContain(said)
})

/** Of processes that have this text in their command line or environment. */
function processesWith(text: string): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(pid => {
      try {
        return ['cmdline', 'environ'].some(file => readFileSync(`/proc/${pid}/${file}`, 'utf8').includes(text))
      } catch {
        // It has ended.
        return false
      }
    })
}
