// The first hour of a new user, as README tells it: the packages as npm gets them, an empty home, a real Claude Code against a scripted model,
// a real Chromium. Denied, asked why, held, allowed on the page, taken back.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser, PATIENCE_MS } from './dashboard/browser.ts'

interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

interface Clients {
  fetchClient(agent: string): { readonly program: string }
  readonly CLIENTS: Readonly<Record<string, { setUp(place: { readonly home: string }): void }>>
  runClient(run: {
    readonly agent: string
    readonly program: string
    readonly prompt: string
    readonly place: { readonly home: string; readonly project: string; readonly url: string }
    readonly env: Readonly<Record<string, string>>
  }): Promise<Ended>
}

interface ScriptedModel {
  readonly url: string
  /** Everything the model was told. */
  heard(): string
  close(): Promise<void>
}

interface Models {
  startModel(script: { readonly steps: readonly object[] }): Promise<ScriptedModel>
}

const AGENT = 'claude-code'
const repo = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'belay-first-hour-'))
const [home, project, prefix, programs, origin] = ['home', 'shop', 'global', 'bin', 'origin.git'].map(name => join(folder, name)) as [
  string,
  string,
  string,
  string,
  string,
]
const settings = join(home, '.claude', 'settings.json')
const env: Record<string, string> = {
  PATH: `${join(prefix, 'bin')}:${programs}:${process.env.PATH}`,
  HOME: home,
  LANG: 'C.UTF-8',
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
let clients: Clients
let models: Models
let program = ''
let browser: Browser | null = null

beforeAll(async () => {
  clients = (await import(new URL('./agents/client.mjs', import.meta.url).href)) as Clients
  models = (await import(new URL('./agents/scripted-model.mjs', import.meta.url).href)) as Models
  for (const each of [home, project, prefix, programs]) mkdirSync(each)
  // Who installs Belay has an agent already.
  program = clients.fetchClient(AGENT).program
  symlinkSync(program, join(programs, 'claude'))
  clients.CLIENTS[AGENT]?.setUp({ home })
  must('git', ['init', '-q', '--bare', origin])
  must('git', ['init', '-q', '-b', 'main', project])
  must('git', ['remote', 'add', 'origin', origin])
  mkdirSync(join(project, 'build'))
  writeFileSync(join(project, 'build', 'out.js'), 'x\n')
  must('git', ['add', '-A'])
  must('git', ['commit', '-qm', 'Begin'])
  browser = await openBrowser()
})

afterAll(async () => {
  run('belay', ['down'])
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Where packages come from is the machine's affair, not the new user's. */
function npm(args: readonly string[], cwd = project): void {
  const setting = (name: string) => spawnSync('npm', ['config', 'get', name], { encoding: 'utf8' }).stdout.trim()
  const own = { npm_config_userconfig: setting('userconfig'), npm_config_cache: setting('cache') }
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env: { ...process.env, ...env, ...own }, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}\n${stdout}`)
}

function run(command: string, args: readonly string[], cwd = project) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  return { status, stdout, stderr }
}

function must(command: string, args: readonly string[], cwd?: string): string {
  const { status, stdout, stderr } = run(command, args, cwd)
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}\n${stdout}`)
  return stdout
}

/** A session of the agent whose model wants to run one command; gives what the model heard. */
async function session(command: string): Promise<{ readonly ended: Ended; readonly heard: string }> {
  const model = await models.startModel({ steps: [{ shell: command }, { text: 'Done.' }] })
  try {
    const place = { home, project, url: model.url }
    const ended = await clients.runClient({ agent: AGENT, program, prompt: `please run ${command}`, place, env })
    return { ended, heard: model.heard() }
  } finally {
    await model.close()
  }
}

test('installed from the packages, in an empty home', () => {
  for (const name of ['core', 'host']) npm(['pack', '--silent', '--pack-destination', folder], join(repo, 'packages', name))
  const tarballs = readdirSync(folder).filter(file => file.endsWith('.tgz'))
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
  npm(['install', '--global', '--prefix', prefix, ...options, ...tarballs.map(file => join(folder, file))])
  expect(must('belay', ['--version'])).toMatch(/^\d+\.\d+\.\d+/)
})

test('init guards the agent that it finds, and says what it did', () => {
  const said = must('belay', ['init'])
  expect(said).toMatch(/policy +wrote .*genesis\.key/)
  expect(said).toContain(settings)
  expect(said).toMatch(/the page is http:\/\/127\.0\.0\.1:\d+\//)
  expect(said).not.toContain('Nothing is guarded')
  expect(readFileSync(settings, 'utf8')).toContain('belay-hook')
})

test('the first denied call: it does not run, and the model hears why, by which rule, and from whom', async () => {
  const { heard } = await session('rm -rf build')
  expect(existsSync(join(project, 'build', 'out.js'))).toBe(true)
  expect(heard).toContain('Tool denied: Recursive force delete is off limits.')
  expect(heard).toMatch(/rule Bash\(rm -rf \*\), [^ ]*genesis\.key:\d+/)
  expect(heard).toContain('Belay decided this for agent:claude-code')
})

test('why says which rule, where it stands, and on which part', () => {
  const said = must('belay', ['why'])
  expect(said).toMatch(/^deny {2}Bash rm -rf build/)
  expect(said).toMatch(/rule .*Bash\(rm -rf \*\) .*genesis\.key:\d+/)
  expect(said).toMatch(/unit +rm -rf build/)
})

test('a call that asks is held, and goes on when a person allows it on the page', async () => {
  const link = must('belay', ['dashboard', '--print']).trim()
  const context = await browser?.newContext()
  context?.setDefaultTimeout(PATIENCE_MS)
  const page = await context?.newPage()
  if (page === undefined) throw new Error('no browser')
  await page.goto(link)
  await page.getByRole('navigation').first().waitFor()
  const going = session('git push origin main')
  const bar = page.getByRole('region', { name: 'Waiting for you' })
  await bar.getByText('git push origin main').waitFor()
  expect(run('git', ['rev-parse', 'main'], origin).status).not.toBe(0)
  await bar.getByRole('button', { name: 'Allow' }).click()
  await going
  expect(must('git', ['rev-parse', 'main'], origin)).toBe(must('git', ['rev-parse', 'main']))
  await page.goto(new URL('/live', link).href)
  await page.getByText('git push origin main').first().waitFor()
  await context?.close()
})

test('the doctor says that it works, and leaves no agent behind', () => {
  const said = must('belay', ['doctor'])
  expect(said).toContain('Claude Code itself asked before it ran a command')
  const agents = JSON.parse(must('belay', ['fleet', '--json'])) as readonly { readonly agent: string }[]
  expect(agents.map(({ agent }) => agent).filter(agent => agent.includes('belay-doctor'))).toEqual([])
})

test('taken back: the files are as before, and the agent is as free as before', async () => {
  must('belay', ['init', '--undo'])
  expect(existsSync(settings) ? readFileSync(settings, 'utf8') : '').not.toContain('belay')
  await session('rm -rf build')
  expect(existsSync(join(project, 'build'))).toBe(false)
})
