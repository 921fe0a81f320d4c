// Starts the agent itself, with the person's own configuration, against a model on loopback that asks for a harmless command: the proof that
// the agent calls us, trust and all. A folder of its own holds what must be set beside that configuration.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentId } from '@belay/core/adapter'
import { HOST_AGENTS } from '../agent/agents.ts'
import { startScriptedModel } from '../conform/scripted-model.ts'

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

const PROMPT = 'belay doctor: run the command, then stop'

export function canTry(agent: AgentId): boolean {
  return HOST_AGENTS[agent].trial !== null
}

const LIMIT_MS = 120_000

export async function tryAgent({ agent, program, command, cwd, env, home }: TrialOptions): Promise<AgentTrial> {
  const { trial } = HOST_AGENTS[agent]
  const obstacle = trial?.obstacle?.(home, env) ?? null
  if (trial === null || obstacle !== null) return { hasAsked: false, hasGoneOn: false, said: obstacle ?? 'it takes no other model' }
  const folder = mkdtempSync(join(home, 'doctor-'))
  const model = await startScriptedModel({ steps: [{ calls: [{ shell: command }] }, { text: 'Done.' }] })
  try {
    const said = await run(program, trial.args(model.url, PROMPT), { cwd, env: { ...outside(env), ...trial.env(model.url, folder) } })
    const turns = model.requests.filter(({ isTurn }) => isTurn).length
    return { hasAsked: turns > 0, hasGoneOn: turns > 1, said }
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
