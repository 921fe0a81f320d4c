// A call that never happens, in each agent's own words: sent through the very line of the agent's configuration, it proves that the line
// reaches the daemon.
import { spawn } from 'node:child_process'
import type { Agent } from '@belay/core/adapter'

export interface Canary {
  readonly session: string
  readonly cwd: string
}

const COMMAND = 'true # belay doctor'

type Payload = Readonly<Record<string, unknown>>

export function canaryPayload(agent: Agent, { session, cwd }: Canary): Payload {
  switch (agent.payload) {
    case 'cursor':
      return { conversation_id: session, workspace_roots: [cwd], tool_name: 'Shell', tool_input: { command: COMMAND } }
    case 'windsurf':
      return { trajectory_id: session, tool_info: { command_line: COMMAND, cwd } }
    case 'goose':
      return { session_id: session, working_dir: cwd, tool_name: 'developer__shell', tool_input: { command: COMMAND } }
    case 'cline':
      return { taskId: session, workspaceRoots: [cwd], tool_call: { id: 'canary', name: 'execute_command', input: { command: COMMAND } } }
    default:
      return {
        session_id: session,
        cwd,
        tool_name: SHELL_NAMES[agent.id] ?? 'Bash',
        tool_input: { command: COMMAND },
        tool_use_id: 'canary',
      }
  }
}

const SHELL_NAMES: Readonly<Partial<Record<Agent['id'], string>>> = {
  gemini: 'run_shell_command',
  qwen: 'run_shell_command',
  opencode: 'bash',
  pi: 'bash',
  droid: 'Execute',
  kiro: 'execute_bash',
}

export interface CanaryRun {
  readonly code: number | null
  readonly stderr: string
  readonly ms: number
}

const LIMIT_MS = 20_000

/** As agents do: through a shell, with the payload on stdin. */
export function runCanary(
  line: string,
  payload: Payload,
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): Promise<CanaryRun> {
  return new Promise(resolve => {
    const begun = performance.now()
    const child = spawn('/bin/sh', ['-c', line], { cwd, env: { ...env }, stdio: ['pipe', 'ignore', 'pipe'], timeout: LIMIT_MS })
    let stderr = ''
    child.stderr.on('data', chunk => {
      stderr += chunk
    })
    // A line that does not read its input is found by what it does, not by this.
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(JSON.stringify(payload))
    child.on('error', error => resolve({ code: null, stderr: error.message, ms: performance.now() - begun }))
    child.on('close', code => resolve({ code, stderr, ms: performance.now() - begun }))
  })
}
