// Three more agents at work while the demonstration stays up, so that there is something to look at on the dashboard: each begins a session
// and goes through its calls at the pace of a real agent. Where a call waits for a person, its agent waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { askDaemon } from '../wire/daemon-client.ts'

export interface Fleet {
  stop(): void
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

interface Worker {
  readonly id: string
  readonly calls: readonly Call[]
}

const bash = (command: string): Call => ['Bash', { command }]
const read = (path: string): Call => ['Read', { file_path: path }]
const write = (path: string, content: string): Call => ['Write', { file_path: path, content }]

const WORKERS: readonly Worker[] = [
  {
    id: 'frontend',
    calls: [
      read('src/index.ts'),
      read('README.md'),
      bash('git status && git diff --stat'),
      write('src/page.ts', 'export const page = () => "<h1>Hello</h1>"\n'),
      bash('npm test -- --run src/page.test.ts'),
      bash('npm install left-pad'),
      bash('git add src && git commit -m "Add the page"'),
      bash('git push origin main'),
    ],
  },
  {
    id: 'backend',
    calls: [
      bash('git log --oneline | head -20'),
      read('src/server.ts'),
      read('src/store.ts'),
      ['Edit', { file_path: 'src/server.ts', old_string: 'listen(80)', new_string: 'listen(8080)' }],
      bash('npm test -- --run'),
      read('.env'),
      bash('cat logs/today.log | grep -c ERROR; ls -la'),
      bash('rm -rf build dist'),
    ],
  },
  {
    id: 'reviewer',
    calls: [
      bash('git diff main...HEAD'),
      read('src/server.ts'),
      read('src/page.ts'),
      ['Grep', { pattern: 'TODO', path: 'src' }],
      bash('curl -s https://example.com/style-guide'),
      bash('git log -p -3 | head -100'),
    ],
  },
]

const PACE_MS = 900
/** As long as Claude Code waits for a hook. */
const MAX_MS = 600_000

export function startFleet(socket: string, project: string): Fleet {
  const ended = new AbortController()
  for (const [index, worker] of WORKERS.entries()) void work(worker, { socket, project, signal: ended.signal, delay: index * 300 })
  return { stop: () => ended.abort() }
}

interface Shift {
  readonly socket: string
  readonly project: string
  readonly signal: AbortSignal
  readonly delay: number
}

async function work(worker: Worker, { socket, project, signal, delay }: Shift): Promise<void> {
  await pause(delay, signal)
  for (let round = 1; !signal.aborted; round++) {
    const session = `${worker.id}-${round}`
    const send = (event: string, fields: Readonly<Record<string, unknown>>) =>
      askDaemon({
        socket,
        method: 'POST',
        path: `/v1/hooks/claude-code/${event}`,
        body: { session_id: session, cwd: project, hook_event_name: event, ...fields },
        headers: { 'belay-agent-id': worker.id, 'belay-deadline-ms': String(MAX_MS) },
        timeoutMs: MAX_MS,
      })
    await send('SessionStart', { source: 'startup' })
    for (const [index, [tool, input]] of worker.calls.entries()) {
      if (signal.aborted) return
      const call = { tool_name: tool, tool_input: input, tool_use_id: `${session}-${index}` }
      const answer = await send('PreToolUse', call)
      if (answer.kind !== 'answer') return
      if (isAllowed(answer.value)) await send('PostToolUse', { ...call, tool_response: { stdout: '' } })
      await pause(PACE_MS, signal)
    }
    await send('Stop', { stop_hook_active: false })
    await pause(PACE_MS * 4, signal)
  }
}

function isAllowed(answer: unknown): boolean {
  const { hookSpecificOutput } = (answer ?? {}) as { hookSpecificOutput?: { permissionDecision?: string } }
  return hookSpecificOutput?.permissionDecision !== 'deny'
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
