// Starts the agent itself, with the person's own configuration, against a model on loopback that asks for a harmless command: the proof that
// the agent calls us, trust and all. A folder of its own holds what must be set beside that configuration.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import { startLoopbackModel } from './loopback-model.ts'

type Env = Readonly<Record<string, string | undefined>>

export interface AgentTrial {
  /** The agent went on after the command, whether or not it ran. */
  readonly hasGoneOn: boolean
  /** The agent reached the model at all. */
  readonly hasAsked: boolean
  /** Its last words on stderr or stdout. */
  readonly said: string
}

export interface TrialOptions {
  readonly agent: AgentId
  readonly program: string
  readonly command: string
  readonly cwd: string
  readonly env: Env
  /** A folder that only its user can write to. */
  readonly home: string
}

interface Setup {
  args(url: string): readonly string[]
  env(url: string, folder: string): Env
  /** Why it cannot be kept from its own model here; null: it can. */
  obstacle?(folder: string, env: Env): string | null
}

const PROMPT = 'belay doctor: run the command, then stop'
const KEY = 'belay-doctor'

/** Agents that take another model for one run, and how. Everything that would lead elsewhere is switched off. */
const SETUPS: Readonly<Partial<Record<AgentId, Setup>>> = {
  'claude-code': {
    args: url => ['-p', PROMPT, '--output-format', 'json', '--allowedTools', 'Bash', '--settings', JSON.stringify({ env: claudeEnv(url) })],
    env: claudeEnv,
  },
  codex: {
    args: url => [
      ...['exec', '--skip-git-repo-check', '--json', '-s', 'read-only', '-c', 'model="belay"', '-c', 'model_provider="belay"'],
      '-c',
      `model_providers.belay={name="belay",base_url="${url}/v1",wire_api="responses",env_key="BELAY_DOCTOR_KEY",request_max_retries=0,stream_max_retries=0}`,
      ...['-c', 'check_for_update_on_startup=false', '-c', 'analytics.enabled=false', PROMPT],
    ],
    env: () => ({ BELAY_DOCTOR_KEY: KEY }),
  },
  gemini: {
    obstacle: geminiObstacle,
    args: () => ['-m', 'gemini-2.5-flash', '--skip-trust', '--approval-mode', 'yolo', '-o', 'json', '-p', PROMPT],
    env: (url, folder) => ({
      GEMINI_API_KEY: KEY,
      GOOGLE_GEMINI_BASE_URL: url,
      GOOGLE_GENAI_USE_VERTEXAI: undefined,
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_SYSTEM_SETTINGS_PATH: put(folder, 'gemini.json', {
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      }),
    }),
  },
  qwen: {
    args: url => [
      ...['--auth-type', 'openai', '--openai-api-key', KEY, '--openai-base-url', `${url}/v1`, '--model', 'belay'],
      ...['--approval-mode', 'yolo', '-o', 'json', '-p', PROMPT],
    ],
    env: url => ({ OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'belay' }),
  },
  copilot: {
    args: () => ['-p', PROMPT, '--allow-all-tools', '--no-color'],
    env: url => ({
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: KEY,
      COPILOT_MODEL: 'belay',
      COPILOT_AUTO_UPDATE: 'false',
    }),
  },
}

export function canTry(agent: AgentId): boolean {
  return SETUPS[agent] !== undefined
}

const LIMIT_MS = 120_000

export async function tryAgent({ agent, program, command, cwd, env, home }: TrialOptions): Promise<AgentTrial> {
  const setup = SETUPS[agent]
  const obstacle = setup?.obstacle?.(home, env) ?? null
  if (setup === undefined || obstacle !== null) return { hasAsked: false, hasGoneOn: false, said: obstacle ?? 'it takes no other model' }
  const folder = mkdtempSync(join(home, 'doctor-'))
  const model = await startLoopbackModel(command)
  try {
    const said = await run(program, setup.args(model.url), { cwd, env: { ...outside(env), ...setup.env(model.url, folder) } })
    return { hasAsked: model.turns() > 0, hasGoneOn: model.turns() > 1, said }
  } finally {
    await model.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Not as part of the agent that may have started us. */
function outside(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:CLAUDECODE|CLAUDE_CODE_(?!USE_).*|AI_AGENT)$/.test(name)))
}

function run(program: string, args: readonly string[], { cwd, env }: { readonly cwd: string; readonly env: Env }): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: LIMIT_MS, killSignal: 'SIGKILL' })
    const keep = (chunk: Buffer) => {
      text = `${text}${chunk}`.slice(-4000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', error => resolve(error.message))
    child.on('close', () => resolve(text.trim().split('\n').at(-1) ?? ''))
  })
}

function claudeEnv(url: string): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_AUTH_TOKEN: '',
    CLAUDE_CODE_USE_BEDROCK: '',
    CLAUDE_CODE_USE_VERTEX: '',
    CLAUDE_CODE_USE_FOUNDRY: '',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }
}

/** Gemini CLI ignores settings of the system in a folder that others can write to, and would ask the model that it is signed in to. */
function geminiObstacle(folder: string, { HOME = '' }: Env): string | null {
  const settings = join(HOME, '.gemini', 'settings.json')
  const [, chosen] = /"selectedType"\s*:\s*"([^"]*)"/.exec(existsSync(settings) ? readFileSync(settings, 'utf8') : '') ?? []
  return chosen === 'gemini-api-key' || isPrivate(folder) ? null : `others can write to ${folder} or a folder above it`
}

function isPrivate(folder: string): boolean {
  const parent = dirname(folder)
  return (statSync(folder).mode & 0o022) === 0 && (parent === folder || isPrivate(parent))
}

function put(folder: string, name: string, value: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(value))
  return path
}
