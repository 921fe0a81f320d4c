// up and down as people and hooks race for them, with real processes.
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { VERSION } from './help.ts'
import { isAlive } from './process-wait.ts'

let cli: BundledCli

beforeAll(async () => {
  cli = await bundleCli()
})
afterAll(async () => {
  await cli.run(['down'])
  cli.remove()
})

test('however many come at once, one daemon is up and everybody is told so', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => cli.run(['up', '--detach', '--json'])))
  expect(all.map(({ code, err }) => [code, err])).toEqual(all.map(() => [0, '']))
  expect(new Set(all.map(({ out }) => JSON.parse(out).pid)).size).toBe(1)
  expect((await cli.run(['down'])).code).toBe(0)
})

const QUOTED_VERSION = new RegExp(`(["'\`])${VERSION.replaceAll('.', '\\.')}\\1`, 'g')

/** The same program under another version, beside it. */
function makeNewer(): string {
  const folder = join(cli.folder, 'newer')
  for (const name of ['bin', 'dist', 'package.json', 'node_modules'])
    cpSync(join(cli.folder, name), join(folder, name), { recursive: true, verbatimSymlinks: true })
  for (const { name, parentPath } of readdirSync(join(folder, 'dist'), { recursive: true, withFileTypes: true })) {
    const file = join(parentPath, name)
    // What was compiled before says the old one.
    if (name.endsWith('.pack')) rmSync(file)
    else if (name.endsWith('.cjs'))
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replaceAll(QUOTED_VERSION, (_, quote) => `${quote}99.0.0${quote}`),
      )
  }
  return join(folder, 'bin', 'belay.cjs')
}

const SLOW_POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - name: slow
      matcher: "*"
      type: command
      config:
        command: touch "$HOME/begun"; sleep 1; echo '{"decision":"deny","reason":"slowly refused"}'
`

test('a daemon of another version is replaced; what it has begun it finishes', async () => {
  mkdirSync(join(cli.home, 'policy'), { recursive: true })
  writeFileSync(join(cli.home, 'policy', 'genesis.key'), SLOW_POLICY)
  const old = JSON.parse((await cli.run(['up', '--detach', '--port', '0', '--json'])).out)
  const payload = { session_id: 's', cwd: cli.project, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' }
  const call = cli.run(['hook', '--agent', 'claude-code', '--event', 'PreToolUse'], { input: JSON.stringify(payload) })
  await expect.poll(() => existsSync(join(cli.folder, 'begun'))).toBe(true)
  const { stdout } = await promisify(execFile)(process.execPath, [makeNewer(), 'up', '--detach', '--port', '0', '--json'], { env: cli.env })
  const next = JSON.parse(stdout)
  expect([old.version, next.version, isAlive(old.pid)]).toEqual([VERSION, '99.0.0', false])
  expect((await call).out).toContain('slowly refused')
  const { out } = await cli.run(['ledger', 'query', '--kind', 'pre_tool_use', '--json'])
  expect(JSON.stringify(JSON.parse(out))).toContain('slowly refused')
  rmSync(join(cli.home, 'policy'), { recursive: true })
  await cli.run(['down'])
})

test.each([
  ['99999', 'It is not a whole number from 0 to 65535.'],
  ['x', 'It is not a whole number from 0 to 65535.'],
])('--port %s is bad usage', async (port, why) => {
  const { code, err } = await cli.run(['up', '--detach', '--port', port])
  expect([code, err]).toEqual([2, expect.stringContaining(why)])
})

test('why it did not come up is said', async () => {
  const other = createServer()
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
  const { port } = other.address() as AddressInfo
  const { code, err } = await cli.run(['up', '--detach', '--port', String(port)])
  other.close()
  expect([code, err]).toEqual([2, expect.stringContaining(`cannot listen on 127.0.0.1:${port}: EADDRINUSE`)])
})

test('a home that cannot be one is said, not thrown', async () => {
  const file = join(cli.folder, 'no-folder')
  writeFileSync(file, '')
  const { code, err } = await cli.run(['up', '--detach'], { env: { BELAY_HOME: file } })
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^belay: [^\n]*no-folder is not a folder \(ENOTDIR\)[^\n]*\n {2}Belay keeps its records in [^\n]*BELAY_HOME\n$/),
  ])
})

test.runIf(process.platform === 'linux')('nor is one waited for where no folder can be made', async () => {
  const { code, err } = await cli.run(['up', '--detach'], { env: { BELAY_HOME: '/proc/belay' } })
  expect([code, err]).toEqual([
    2,
    'belay: /proc/belay cannot be made: /proc takes no folders. Choose another place.\n' +
      '  Belay keeps its records in /proc/belay: make it writable, or name another folder in BELAY_HOME\n',
  ])
})
