// Three more agents at work while the demonstration stays up, so that there is something to look at on the dashboard: each begins a session
// and goes through its calls, turn after turn, at the pace of a real agent. Where a call waits for a person, its agent waits.
import { setTimeout as sleep } from 'node:timers/promises'
import { askDaemon } from '../wire/daemon-client.ts'

export interface Fleet {
  stop(): void
}

/** `ms`: what it takes, where it is let through. */
type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>, ms: number]

interface Worker {
  readonly id: string
  readonly prompt: string
  readonly calls: readonly Call[]
  readonly says: string
}

const bash = (command: string, ms = 300): Call => ['Bash', { command }, ms]
const read = (path: string): Call => ['Read', { file_path: path }, 40]
const write = (path: string, content: string): Call => ['Write', { file_path: path, content }, 60]

/** One of them asks a person; the others go on meanwhile. */
const WORKERS: readonly Worker[] = [
  {
    id: 'frontend',
    prompt: 'Add a page that says hello, with a test.',
    calls: [
      read('src/index.ts'),
      read('README.md'),
      bash('git status && git diff --stat'),
      write('src/page.ts', 'export const page = () => "<h1>Hello</h1>"\n'),
      bash('npm test -- --run src/page.test.ts', 2100),
      bash('npm install left-pad', 1800),
      bash('git add src && git commit -m "Add the page"'),
      bash('git push origin main'),
    ],
    says: 'The page is there and tested. The push is for you.',
  },
  {
    id: 'backend',
    prompt: "Let the server listen on 8080, and see what today's log says.",
    calls: [
      bash('git log --oneline | head -20'),
      read('src/server.ts'),
      read('src/store.ts'),
      ['Edit', { file_path: 'src/server.ts', old_string: 'listen(80)', new_string: 'listen(8080)' }, 60],
      bash('npm test -- --run', 3200),
      bash('cat logs/today.log | head -50; ls -la'),
      bash('rm -rf build dist'),
      bash('git add src && git commit -m "Listen on 8080"'),
    ],
    says: 'The server listens on 8080. The old builds are still there: I may not remove them.',
  },
  {
    id: 'reviewer',
    prompt: 'Review what the others commit.',
    calls: [
      bash('git diff main...HEAD'),
      read('src/server.ts'),
      read('src/page.ts'),
      ['Grep', { pattern: 'TODO', path: 'src' }, 90],
      bash('npm test -- --run', 3200),
      bash('git log -p -3 | head -100'),
    ],
    says: 'Nothing to object to.',
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
  // One session: a call that a person allows later goes through when the agent comes to it again.
  const session = `${worker.id}-session`
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
  for (let turn = 1; !signal.aborted; turn++) {
    await send('UserPromptSubmit', { prompt: worker.prompt })
    for (const [index, [tool, input, ms]] of worker.calls.entries()) {
      if (signal.aborted) return
      const call = { tool_name: tool, tool_input: input, tool_use_id: `${worker.id}-${turn}-${index}` }
      const answer = await send('PreToolUse', call)
      if (answer.kind !== 'answer') return
      if (isAllowed(answer.value)) {
        await pause(ms, signal)
        await send('PostToolUse', { ...call, tool_response: { stdout: '' } })
      }
      await pause(PACE_MS, signal)
    }
    await send('Stop', { stop_hook_active: false, last_assistant_message: worker.says })
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
