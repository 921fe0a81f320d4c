// The package before this one, built from the history of the repository, installs itself and works; then this one is put in its place.
// `doctor` names what that one left behind, one command renews it, and what it recorded holds.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

interface Build {
  makePackage(folder: string, patch: readonly unknown[] | null, root?: string): Promise<void>
}
const { makePackage } = (await import(new URL('self/build.mjs', import.meta.url).href)) as Build

/** The last one whose hook lines end in `exec`. */
const BEFORE = '92a3832c33615e996e655bf488198d9576da2eb6'
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const AGENTS = ['claude-code', 'gemini', 'cline']
/** A clone without history has only the recorded home of upgrade.test.ts. */
const hasHistory = spawnSync('git', ['-C', ROOT, 'cat-file', '-e', `${BEFORE}^{commit}`]).status === 0

const folder = mkdtempSync('/tmp/belay-up-')
const [user, project, installed] = [join(folder, 'u'), join(folder, 'p'), join(folder, 'n')]
const settings = join(user, '.claude', 'settings.json')
const env = { HOME: user, PATH: process.env.PATH, BELAY_NO_AUTOSTART: '1', CC: '/nonexistent/cc' }

function belay(...argv: readonly string[]): { readonly code: number | null; readonly out: string; readonly err: string } {
  const script = join(installed, 'node_modules', '@belay', 'host', 'bin', 'belay.cjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...argv], { cwd: project, env, encoding: 'utf8', input: '' })
  return { code: status, out: stdout, err: stderr }
}

function must(...argv: readonly string[]): string {
  const { code, out, err } = belay(...argv)
  if (code !== 0) throw new Error(`belay ${argv.join(' ')} (${code}): ${err}${out}`)
  return out
}

/** A call as Claude Code makes it, by the installed line. */
function call(command: string): string {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'))
  const line: string = hooks.PreToolUse[0].hooks[0].command
  const input = JSON.stringify({ session_id: 's', cwd: project, hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command } })
  return spawnSync('sh', ['-c', line], { cwd: project, env, encoding: 'utf8', input }).stdout
}

interface Found {
  readonly agent: string | null
  readonly check: string
  readonly state: string
  readonly remedy?: string
}

function findOld(): readonly string[] {
  const { findings } = JSON.parse(belay('doctor', '--no-live', '--json').out) as { findings: readonly Found[] }
  return findings
    .filter(({ check, state }) => (state === 'fail' || state === 'warn') && ['wiring', 'client', 'database'].includes(check))
    .map(({ agent, check, remedy }) => `${agent ?? 'all'} ${check}: ${remedy}`)
}

const entries = (): readonly string[] => must('ledger', 'export').split('\n').filter(Boolean)

async function putBefore(): Promise<void> {
  const source = join(folder, 's')
  mkdirSync(source)
  const archive = spawnSync('git', ['-C', ROOT, 'archive', BEFORE, 'packages', 'tsconfig.base.json'], { maxBuffer: 2 ** 28 })
  spawnSync('tar', ['x', '-C', source], { input: archive.stdout })
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'))
  await makePackage(installed, [], source)
}

async function putThis(): Promise<void> {
  rmSync(installed, { recursive: true })
  await makePackage(installed, null)
}

describe.runIf(hasHistory)('from the package before this one', () => {
  beforeAll(async () => {
    for (const path of [project, join(user, '.claude')]) mkdirSync(path, { recursive: true })
    spawnSync('git', ['init', '-q', project])
    await putBefore()
    for (const agent of AGENTS) must('install', agent)
    must('up', '--detach')
    call('echo before')
    must('down')
    await putThis()
  }, 300_000)
  afterAll(() => {
    belay('down')
    rmSync(folder, { recursive: true, force: true })
  })

  test('its lines end in exec', () => {
    expect(readFileSync(settings, 'utf8')).toContain('exec ')
  })

  test('doctor fails, and names its lines, client and database, each with the one command', { timeout: 120_000 }, () => {
    const found = findOld()
    expect(belay('doctor', '--no-live').code).toBe(1)
    expect(new Set(found)).toEqual(
      new Set([...AGENTS.map(agent => `${agent} wiring`), 'all client', 'all database'].map(what => `${what}: belay install --renew`)),
    )
  })

  test('the one command renews all of it; what was recorded holds, and new calls follow', { timeout: 120_000 }, () => {
    must('install', '--renew')
    must('up', '--detach')
    expect(findOld()).toEqual([])
    call('echo after')
    must('down')
    expect(JSON.parse(must('ledger', 'verify', '--json'))).toMatchObject({ ok: true })
    const calls = entries().flatMap(line => /echo (?:before|after)/.exec(line)?.[0] ?? [])
    expect(new Set(calls)).toEqual(new Set(['echo before', 'echo after']))
  })
})
