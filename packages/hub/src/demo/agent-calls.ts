// Simulated agents: each begins a session on its machine and goes through its calls at the pace of a real one, by the same door. Where a call
// waits for a person, its agent waits.
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

export interface AgentPlace {
  /** Of the machine's daemon. */
  readonly socket: string
  readonly project: string
  readonly agent: string
  /** Its work has a call that waits for a person; others go on meanwhile. */
  readonly publishes: boolean
}

/** As long as Claude Code waits for a hook. */
const MAX_MS = 600_000
const PACE_MS = 1200

const CALLS: readonly (readonly [tool: string, input: Readonly<Record<string, string>>])[] = [
  ['Read', { file_path: 'README.md' }],
  ['Bash', { command: 'git status && git diff --stat' }],
  ['Read', { file_path: 'src/server.ts' }],
  ['Bash', { command: 'npm test -- --run' }],
  ['Grep', { pattern: 'TODO', path: 'src' }],
  ['Bash', { command: 'git push --force origin main' }],
  ['Write', { file_path: 'src/page.ts', content: 'export const page = 1\n' }],
  ['Bash', { command: 'git log --oneline | head -20' }],
  ['Bash', { command: 'ls -la src' }],
]
const PUBLISH = ['Bash', { command: 'npm publish --tag next' }] as const

/** The answer in one word. */
export async function callOnce(place: AgentPlace, session: string, tool: string, input: Readonly<Record<string, string>>): Promise<string> {
  const call = { session_id: session, cwd: place.project, hook_event_name: 'PreToolUse', tool_name: tool, tool_input: input }
  const answer = await send(place, 'PreToolUse', { ...call, tool_use_id: `${session}-${Date.now()}` })
  return /"permissionDecision":"(\w+)"/.exec(answer)?.[1] ?? 'none'
}

export async function workUntil(place: AgentPlace, signal: AbortSignal, startAt: number): Promise<void> {
  const calls = place.publishes ? [...CALLS, PUBLISH] : CALLS
  for (let round = 1; !signal.aborted; round++) {
    const session = `${place.agent}-${round}`
    await send(place, 'SessionStart', { session_id: session, cwd: place.project, hook_event_name: 'SessionStart', source: 'startup' })
    for (let at = 0; at < calls.length && !signal.aborted; at++) {
      const [tool, input] = calls[(at + startAt) % calls.length] ?? ['Bash', {}]
      await callOnce(place, session, tool, input)
      await sleep(PACE_MS * (0.5 + Math.random()), undefined, { signal }).catch(() => undefined)
    }
  }
}

/** Empty: nobody answered, because the daemon has ended or the call was refused. */
function send({ socket, agent }: AgentPlace, event: string, body: Readonly<Record<string, unknown>>): Promise<string> {
  return new Promise(resolve => {
    const call = request(
      {
        socketPath: socket,
        method: 'POST',
        path: `/v1/hooks/claude-code/${event}`,
        timeout: MAX_MS,
        headers: { 'content-type': 'application/json', 'belay-agent-id': agent, 'belay-deadline-ms': String(MAX_MS) },
      },
      response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () => resolve(text))
        response.on('error', () => resolve(''))
      },
    )
    call.on('error', () => resolve(''))
    call.end(JSON.stringify(body))
  })
}
