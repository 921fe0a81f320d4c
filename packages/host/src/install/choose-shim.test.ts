import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { buildNode } from './build-shim.ts'
import { chooseShim, findLostFallback, readShim, shimPath } from './choose-shim.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-choose-'))
const env = { PATH: process.env.PATH }
beforeEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('without a compiler and perl it is Node, and it says why', () => {
  const choice = chooseShim({ home: folder, env: { ...env, CC: '/nonexistent/cc', PATH: '/nonexistent' } })
  expect(choice).toMatchObject({ kind: 'node', path: shimPath(folder), why: 'there is no C compiler (/nonexistent/cc); there is no perl' })
  expect(readShim(folder)).toEqual(choice)
  expect(statSync(choice.path).mode & 0o111).toBe(0o111)
})

test('it is built once, and again when something it is built from changes', () => {
  const options = { home: folder, env, kinds: ['node'] } as const
  const { path } = chooseShim(options)
  const built = statSync(path).ino
  chooseShim(options)
  expect(statSync(path).ino).toBe(built)
  const { mark, ...rest } = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
  writeFileSync(`${path}.json`, JSON.stringify({ ...rest, mark: `${mark}x` }))
  chooseShim(options)
  expect(JSON.parse(readFileSync(`${path}.json`, 'utf8')).mark).toBe(mark)
  expect(readdirSync(join(folder, 'bin'))).toEqual(['belay-hook', 'belay-hook.json'])
})

test.each([
  ['empty', ''],
  ['cut short', '#!/bin/sh\n'],
])('one that is %s now is none, and is built again', (_title, text) => {
  const options = { home: folder, env, kinds: ['node'] } as const
  const { path } = chooseShim(options)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, text)
  expect(readShim(folder)).toBeNull()
  chooseShim(options)
  expect(readFileSync(path, 'utf8')).toBe(whole)
})

test('what it falls back to is looked for', () => {
  const { path } = chooseShim({ home: folder, env, kinds: ['node'] })
  expect(findLostFallback(folder)).toBeNull()
  const about = JSON.parse(readFileSync(`${path}.json`, 'utf8'))
  writeFileSync(`${path}.json`, JSON.stringify({ ...about, fallback: [process.execPath, '/gone/belay.cjs'] }))
  expect(findLostFallback(folder)).toBe('/gone/belay.cjs')
})

describe('the Node client', () => {
  const path = join(folder, 'client')
  const run = (script: string, event: string, { args = [], more = {} }: { args?: string[]; more?: Record<string, string> } = {}) => {
    chooseShim({ home: folder, env, kinds: ['node'] })
    writeFileSync(join(folder, 'script.cjs'), script)
    buildNode({ path, home: folder, node: process.execPath, script: join(folder, 'script.cjs'), native: '', socket: '', env })
    return spawnSync(path, ['--agent', 'claude-code', '--event', event, ...args], {
      env: { ...env, ...more },
      encoding: 'utf8',
      input: '{"a":1}',
    })
  }

  test.each([
    ['process.exit(90)', 'PreToolUse', 0],
    ['process.exit(92)', 'PreToolUse', 2],
    ['process.exit(0)', 'PreToolUse', 2],
    ['', 'PreToolUse', 2],
    ['process.exit(1)', 'PreToolUse', 2],
    ['process.kill(process.pid, "SIGKILL")', 'BeforeTool', 2],
    ['throw new Error("x")', 'tool_call', 2],
    ['process.exit(1)', 'Stop', 1],
    ['process.exit(1)', 'SessionStart', 1],
  ])('%s at %s ends with %i', (script, event, code) => {
    expect(run(script, event).status).toBe(code)
  })

  test.each([
    ['process.exit(90)', 90],
    ['process.exit(92)', 92],
    ['process.exit(0)', 2],
  ])('%s, asked for a proof, ends with %i', (script, code) => {
    expect(run(script, 'PreToolUse', { args: ['--deadline-ms', '20000', '--proof', '90'] }).status).toBe(code)
  })

  const readInput = 'process.exitCode = 90; process.stdout.write(require("node:fs").readFileSync(0, "utf8"))'

  test.each([[], ['--deadline-ms', '100000'], ['--deadline-ms', 'x'], ['--deadline-ms', '0']].map(args => ({ args })))(
    'it hands on what it is given with $args, and waits for nothing else',
    ({ args }) => {
      expect(run(readInput, 'PreToolUse', { args })).toMatchObject({ status: 0, stdout: '{"a":1}', stderr: '' })
    },
  )

  test('it works where there is nothing to measure time with', () => {
    const { status, stdout } = run(readInput, 'PreToolUse', { more: { PATH: '/nonexistent' } })
    expect([status, stdout]).toEqual([0, '{"a":1}'])
  })

  // The least that a call may take beyond its deadline is ten seconds.
  test('one that hangs is ended, and the call refused, before the agent stops waiting', { timeout: 120_000 }, () => {
    const hang = 'process.on("SIGTERM", () => {}); while (process.argv.includes("PreToolUse")) ;'
    const { status, stdout, stderr } = run(hang, 'PreToolUse', { args: ['--deadline-ms', '300'] })
    expect([status, stdout, stderr]).toEqual([2, '', expect.stringContaining('its hook client failed')])
  })

  test.runIf(process.platform === 'linux')('nothing is left behind', { timeout: 60_000 }, async () => {
    const mark = `left-${process.pid}-${Date.now()}`
    run('', 'PreToolUse', { args: ['--deadline-ms', '100000'], more: { HOOK_TEST_MARK: mark } })
    const left = () =>
      readdirSync('/proc').filter(pid => /^\d+$/.test(pid) && readQuietly(`/proc/${pid}/environ`).includes(`HOOK_TEST_MARK=${mark}`))
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
  })

  test('it works for the home it was made for, and hands on nothing that could load code', () => {
    const hostile = {
      BELAY_HOME: '/elsewhere',
      HOME: '/elsewhere',
      NODE_OPTIONS: '--require /nonexistent.cjs',
      NODE_PATH: '/x',
      LD_X: 'x',
      IFS: 'x',
    }
    const handed = { AGENT_ID: 'a b', BELAY_AGENT_SECRET: 's', CLAUDE_PROJECT_DIR: '/p\nNODE_OPTIONS=x', OPENAI_API_KEY: 'k' }
    const { stdout, stderr } = run('process.exitCode = 90; process.stdout.write(JSON.stringify(process.env))', 'Stop', {
      more: { ...hostile, ...handed },
    })
    const { PWD, OLDPWD, SHLVL, _, ...seen } = JSON.parse(stdout)
    expect([seen, stderr]).toEqual([{ ...handed, BELAY_HOME: folder, PATH: process.env.PATH }, ''])
  })
})

/** The process may be gone, or not be ours. */
function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
