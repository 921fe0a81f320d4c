// Runs the real agent through one script in a project of its own, and gathers what can be seen afterwards.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Env, Files, Headless, TrialPlace } from '../agent/host-agent.ts'
import type { Seen, Subject } from './case.ts'
import { MAIN_MARK } from './offered-tool.ts'
import { endGroup, putFiles, type Scratch } from './scratch.ts'
import { type Script, type ScriptedModel, startScriptedModel } from './scripted-model.ts'
import { SERVER_NAME, TRIAL_SERVER } from './trial-server.ts'

export interface Play extends Script {
  readonly project: string
  readonly prompt?: string
  /** start: a session of its own; resume: the last one goes on; asking: the agent asks its own user about commands. */
  readonly how?: 'start' | 'resume' | 'asking'
  /** With an MCP server. */
  readonly hasServer?: boolean
  /** Files that the agent finds in its project. */
  readonly files?: Readonly<Record<string, string>>
}

export interface StageOptions extends Subject {
  readonly program: string
  readonly scratch: Scratch
  /** Of the person who tries. */
  readonly env: Env
  /** Ends the agent. */
  readonly signal: AbortSignal
}

export type Stage = StageOptions & { play(play: Play): Promise<Seen> }

export function createStage(options: StageOptions): Stage {
  return { ...options, play: play => playOnce(options, play) }
}

async function playOnce(
  options: StageOptions,
  { project, prompt = 'please work', how = 'start', hasServer = false, files = {}, ...script }: Play,
): Promise<Seen> {
  const { agent, headless, scratch } = options
  const model = await startScriptedModel(script)
  const place = { home: scratch.home, project, url: model.url }
  const log = join(project, 'mcp.log')
  const served = hasServer ? (headless.mcp?.(place, serverIn(project, log)) ?? {}) : {}
  const start = startOf(headless, how, `${MAIN_MARK} ${prompt}`, place)
  putFiles({ ...headless.runFiles(place), ...start.files, ...served.files })
  putFiles(Object.fromEntries(Object.entries(files).map(([name, text]) => [join(project, name), text])))
  const args = insertBeforePrompt(start.args, served.args ?? [])
  try {
    const ended = await runToEnd(options, { args, project, env: headless.env(place) }, model)
    options.signal.throwIfAborted()
    const names = new Set(readdirSync(project))
    const entries = await readEntries(options, project)
    return {
      ...ended,
      agent,
      headless,
      heard: model.heard(),
      heardBelow: model.requests
        .filter(({ isSub }) => isSub)
        .map(({ body }) => JSON.stringify(body))
        .join('\n'),
      turns: model.requests.filter(({ isTurn }) => isTurn).length,
      reached: id => model.reached.has(id),
      lacksTool: id => model.lacking.has(id),
      has: name => names.has(name),
      entries,
      mcpCalls: existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [],
    }
  } finally {
    await model.close()
  }
}

function startOf(
  { args, resume, asking }: Headless,
  how: NonNullable<Play['how']>,
  prompt: string,
  place: TrialPlace,
): { readonly files?: Files; readonly args: readonly string[] } {
  if (how === 'asking' && asking !== null) return asking(prompt, place)
  return { args: (how === 'resume' ? (resume ?? args) : args)(prompt, place) }
}

/** An agent that ends when a call is refused is started again with what is left, as a person would. */
async function runToEnd(options: StageOptions, run: Run, model: Pick<ScriptedModel, 'left'>): Promise<Ended> {
  for (;;) {
    const left = model.left()
    const ended = await runAgent(options, run)
    if (!options.agent.endsAtDeny || ended.isTimedOut || model.left() === 0 || model.left() === left) return ended
  }
}

function serverIn(project: string, log: string) {
  const program = join(project, 'server.mjs')
  putFiles({ [program]: TRIAL_SERVER })
  return { name: SERVER_NAME, command: process.execPath, args: [program, log] }
}

/** Options of one run go before a prompt that stands last. */
function insertBeforePrompt(args: readonly string[], more: readonly string[]): readonly string[] {
  const at = args.findIndex(each => each.startsWith(MAIN_MARK))
  return at === args.length - 1 && args[at - 1] !== '-p' ? [...args.slice(0, at), ...more, ...args.slice(at)] : [...args, ...more]
}

interface Ended {
  readonly code: number | string
  readonly said: string
  readonly isTimedOut: boolean
}

interface Run {
  readonly args: readonly string[]
  readonly project: string
  readonly env: Env
}

function runAgent({ program, headless, scratch, env: own, signal }: StageOptions, { args, project, env }: Run): Promise<Ended> {
  const kept = { PATH: own.PATH, LANG: 'C.UTF-8', TERM: 'dumb', HOME: scratch.home, BELAY_NO_AUTOSTART: '1' }
  const fetching = headless.fetches ? registryOf(own) : {}
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const child: ChildProcess = spawn(program, args, {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, so that it can be ended with everything that it started.
      detached: true,
      env: { ...kept, ...fetching, ...env },
    })
    scratch.adopt(child)
    let said = ''
    const keep = (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-4000)
    }
    child.stderr?.on('data', keep)
    // Read, so that it does not wait for us.
    child.stdout?.resume()
    let isTimedOut = false
    const timer = setTimeout(() => {
      isTimedOut = true
      endGroup(child)
    }, headless.limitMs)
    const end = () => endGroup(child)
    signal.addEventListener('abort', end, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
    child.on('error', error => {
      settle()
      reject(error)
    })
    // Not `close`: what it left running may hold its output open.
    child.on('exit', (code, by) => {
      settle()
      resolve({ code: code ?? by ?? 'unknown', said: lastWords(said), isTimedOut })
    })
  })
}

function lastWords(text: string): string {
  return (text.trim().split('\n').at(-1) ?? '').slice(0, 200)
}

/** Of the person, whose settings the agent does not see. */
function registryOf(env: Env): Env {
  const registry = execFileSync('npm', ['config', 'get', 'registry'], {
    encoding: 'utf8',
    env: { ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
  return { npm_config_registry: registry, NPM_CONFIG_REGISTRY: registry }
}

/** Once what must come last is there. */
function readEntries({ agent, headless, scratch }: StageOptions, project: string): Promise<Seen['entries']> {
  const last = ['SessionEnd', 'Stop'].find(event => Object.values(agent.events).includes(event) && !headless.silent.includes(event))
  const kind = last === 'SessionEnd' ? 'session_end' : 'stop'
  return scratch.entriesWhen(project, entries => entries.some(entry => entry.kind === kind))
}
