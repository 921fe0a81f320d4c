// A call that never happens, in each agent's own words: sent through the very line of the agent's configuration, it proves that the line
// reaches the daemon.
import { spawn } from 'node:child_process'
import type { Agent } from '@belay/core/adapter'
import { HOST_AGENTS } from '../agent/agents.ts'
import type { Canary } from '../agent/host-agent.ts'

const COMMAND = 'true # belay doctor'

type Payload = Readonly<Record<string, unknown>>

export function canaryPayload({ id }: Agent, { session, cwd }: Omit<Canary, 'command'>): Payload {
  const { canary, shellTool } = HOST_AGENTS[id]
  if (canary !== null) return canary({ session, cwd, command: COMMAND })
  return { session_id: session, cwd, tool_name: shellTool, tool_input: { command: COMMAND }, tool_use_id: 'canary' }
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
