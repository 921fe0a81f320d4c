// A real daemon in a process of its own, with a home and a project in a temp folder, and pages of it in a real browser.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { PATIENCE_MS } from './browser.ts'
import { NO_PUSH } from './policy-text.ts'

const bin = fileURLToPath(new URL('../../packages/host/bin/belay.cjs', import.meta.url))

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface HookCall {
  readonly tool?: string
  readonly input?: Readonly<Record<string, unknown>>
  readonly session?: string
  readonly agentId?: string
  /** More fields of the payload. */
  readonly payload?: Readonly<Record<string, unknown>>
}

export interface World {
  readonly folder: string
  readonly home: string
  readonly project: string
  /** Of the running daemon; ends with a slash. */
  url(): Promise<string>
  belay(args: readonly string[], input?: string): Promise<Ran>
  /** A hook process as an agent starts it. */
  hookProcess(event: string, call: HookCall, env?: Readonly<Record<string, string>>): Promise<Ran>
  /** A hook call without a process, for many of them. */
  hook(event: string, call: HookCall): Promise<Readonly<Record<string, unknown>>>
  rpc(method: string, params?: Readonly<Record<string, unknown>>): Promise<unknown>
  writePolicy(text: string): Promise<void>
  start(): Promise<void>
  /** kill -9. */
  kill(): Promise<void>
  /** A one-time link, as a person gets it. */
  link(): Promise<string>
  /** A page of a person who came through a one-time link. Problems it met on the console are in `problems`. */
  openPage(browser: Browser, options?: PageOptions): Promise<OpenPage>
  end(): Promise<void>
}

export interface PageOptions {
  /** `/live` if absent. */
  readonly path?: string
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

export interface OpenPage {
  readonly page: Page
  readonly context: BrowserContext
  readonly problems: readonly string[]
}

/** Tests that need another one write it with writePolicy. */
export const POLICY = `version: "1.0"
${NO_PUSH}        - Read(.env)
      ask:
        - rule: Bash(npm publish:*)
          id: ask-publish
`

export async function startWorld(policy: string = POLICY, name = 'project'): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'belay-page-'))
  const home = join(folder, 'home', '.belay')
  const project = join(folder, name)
  mkdirSync(join(project, '.belay'), { recursive: true })
  mkdirSync(home, { recursive: true })
  const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env
  // Daemons are started here alone: one that a hook starts would race with ours for the ledger.
  const own = { HOME: join(folder, 'home'), BELAY_HOME: home, BELAY_NO_AUTOSTART: '1' }
  const env: NodeJS.ProcessEnv = { ...inherited, ...own, BROWSER: '', DISPLAY: undefined }
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  let child: ChildProcess | null = null
  let url = ''
  let socket = ''

  const belay: World['belay'] = (args, input = '') => run(args, input, { cwd: project, env })

  async function start(): Promise<void> {
    child = spawn(process.execPath, [bin, 'up', ...(url === '' ? ['--port', '0'] : [])], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise<void>((resolve, reject) => {
      child?.stdout?.once('data', () => resolve())
      child?.once('exit', code => reject(new Error(`the daemon ended with ${code}`)))
    })
    const status = JSON.parse((await belay(['status', '--json'])).stdout) as { url: string; socket: string }
    url = status.url
    socket = status.socket
  }

  async function stop(signal: NodeJS.Signals): Promise<void> {
    const running = child
    child = null
    if (running === null || running.exitCode !== null) return
    const ended = new Promise(resolve => running.once('exit', resolve))
    running.kill(signal)
    await ended
  }

  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    postJson({ socket, agent, path, body, headers })

  const payloadOf = (event: string, { tool, input = {}, session = 'session-1', payload }: HookCall) => ({
    session_id: session,
    cwd: project,
    hook_event_name: event,
    ...(tool === undefined ? {} : { tool_name: tool, tool_input: input }),
    ...payload,
  })

  async function writePolicy(text: string): Promise<void> {
    writeFileSync(join(project, '.belay', 'genesis.key'), text)
    const trusted = await belay(['policy', 'trust'])
    if (trusted.code > 1) throw new Error(trusted.stderr)
  }

  const world: World = {
    folder,
    home,
    project,
    url: async () => url,
    belay,
    hookProcess: (event, call, more = {}) =>
      run(['hook', '--agent', 'claude-code', '--event', event], JSON.stringify(payloadOf(event, call)), {
        cwd: project,
        env: { ...env, ...(call.agentId === undefined ? {} : { AGENT_ID: call.agentId }), ...more },
      }),
    hook: (event, call) =>
      post(`/v1/hooks/claude-code/${event}`, payloadOf(event, call), call.agentId === undefined ? {} : { 'belay-agent-id': call.agentId }),
    async rpc(method, params = {}) {
      const answer = await post('/v1/rpc', { jsonrpc: '2.0', id: 1, method, params })
      if (answer.error !== undefined) throw new Error(JSON.stringify(answer.error))
      return answer.result
    },
    writePolicy,
    async link() {
      const { stdout, stderr } = await belay(['dashboard', '--print'])
      if (!stdout.startsWith('http')) throw new Error(stderr)
      return stdout.trim()
    },
    start,
    kill: () => stop('SIGKILL'),
    openPage: (browser, options) => openPage(world, browser, options),
    async end() {
      await stop('SIGTERM')
      agent.destroy()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await writePolicy(policy)
  await start()
  return world
}

async function openPage(world: World, browser: Browser, { path = '/live', width = 1280, height = 800, dark = false }: PageOptions = {}) {
  const link = await world.link()
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', error => problems.push(String(error)))
  await page.goto(link)
  if (path !== '/') await page.goto(new URL(path, await world.url()).href)
  return { page, context, problems }
}

function run(args: readonly string[], input: string, options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Promise<Ran> {
  return new Promise(resolve => {
    const started = execFile(process.execPath, [bin, ...args], { ...options, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr })
    })
    started.stdin?.on('error', () => undefined)
    started.stdin?.end(input)
  })
}

interface PostOptions {
  readonly socket: string
  readonly agent: Agent
  readonly path: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string>>
}

function postJson({ socket, agent, path, body, headers }: PostOptions): Promise<Readonly<Record<string, unknown>>> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { socketPath: socket, agent, method: 'POST', path, headers: { 'content-type': 'application/json', ...headers } },
      response => {
        const chunks: Buffer[] = []
        response.on('data', chunk => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString()
          resolve(text === '' ? {} : (JSON.parse(text) as Record<string, unknown>))
        })
      },
    )
    request.on('error', reject)
    request.end(JSON.stringify(body))
  })
}
