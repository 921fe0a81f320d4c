// The packages as people get them: packed, installed into an empty folder and a global prefix, and used there.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const repo = fileURLToPath(new URL('..', import.meta.url))
const temp = mkdtempSync(join(tmpdir(), 'belay-pack-'))
const folder = join(temp, 'project')
const prefix = join(temp, 'global')
let tarballs: string[] = []

function run(command: string, args: readonly string[], cwd = folder) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, BELAY_HOME: join(temp, 'home') },
  })
  return { status, stdout: stdout.trim(), stderr: stderr.trim() }
}

function must(command: string, args: readonly string[], cwd?: string): string {
  const result = run(command, args, cwd)
  if (result.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${result.stderr}\n${result.stdout}`)
  return result.stdout
}

beforeAll(() => {
  mkdirSync(folder)
  mkdirSync(prefix)
  for (const name of ['core', 'host', 'hub']) must('npm', ['pack', '--silent', '--pack-destination', temp], join(repo, 'packages', name))
  tarballs = readdirSync(temp)
    .filter(file => file.endsWith('.tgz'))
    .map(file => join(temp, file))
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
  must('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...tarballs])
})

afterAll(() => rmSync(temp, { recursive: true, force: true }))

test('the bins answer to both names', () => {
  for (const name of ['belay', 'mentu']) {
    expect(run(join(folder, 'node_modules/.bin', name), ['hooks', 'test-pattern', 'Bash(git *)', 'Bash', 'git commit -m test'])).toEqual({
      status: 0,
      stdout: 'match',
      stderr: '',
    })
  }
})

test('the hub comes with its page, and says what it needs', () => {
  const bin = join(folder, 'node_modules/.bin/belay-hub')
  expect(must(bin, ['--version'])).toMatch(/^\d+\.\d+\.\d+/)
  expect(run(bin, ['status'])).toMatchObject({ status: 2, stderr: expect.stringContaining('BELAY_HUB_DATABASE_URL') })
  expect(readdirSync(join(folder, 'node_modules/@belay/hub/dist/web'))).toContain('hub.html')
})

test('every subpath export loads', () => {
  const script = "for (const path of ['', '/policy', '/match', '/ledger']) await import('@belay/core' + path); console.log('loaded')"
  expect(must(process.execPath, ['--input-type=module', '-e', script])).toBe('loaded')
})

test('the types serve a strict consumer', () => {
  symlinkSync(join(repo, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  writeFileSync(
    join(folder, 'consumer.ts'),
    `import { createHooks, deny } from '@belay/core'
const hooks = createHooks()
hooks.on('PreToolUse', 'Bash', context => (String(context.toolInput?.command).includes('rm -rf') ? deny('no') : undefined))
`,
  )
  must(join(repo, 'node_modules/.bin/tsc'), [
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    'false',
    '--types',
    'node',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    'consumer.ts',
  ])
})

test('it installs into a global prefix', () => {
  must('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--loglevel=error',
    ...tarballs.filter(file => file.includes('host')),
  ])
  expect(must(join(prefix, 'bin/belay'), ['--version'])).toMatch(/^\d+\.\d+\.\d+/)
})

test('no package asks for an install script', () => {
  const lock = must(process.execPath, [
    '-p',
    "JSON.stringify(Object.entries(require('./package-lock.json').packages).filter(([, p]) => p.hasInstallScript).map(([n]) => n))".replace(
      "require('./package-lock.json')",
      "JSON.parse(require('node:fs').readFileSync('package-lock.json','utf8'))",
    ),
  ])
  expect(JSON.parse(lock)).toEqual([])
})
