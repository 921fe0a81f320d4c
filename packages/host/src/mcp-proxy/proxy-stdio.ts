// A server as a child process between the client's stdin and stdout. Invariants: the child never outlives the proxy's orderly end; a child that
// ends answers every open request with what happened, and its exit code is ours.
import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable, Writable } from 'node:stream'
import { errorAnswer, SERVER_LOST } from './message.ts'
import type { MessageGate } from './message-gate.ts'
import { openLines, pumpLines } from './pump-lines.ts'
import { relayClientText, relayServerText, spellAnswers } from './relay-text.ts'

export interface StdioProxy {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly gate: MessageGate
  readonly stdin: Readable
  readonly stdout: Writable
  report(problem: string): void
  /** Ends the proxy as a signal would. */
  readonly signal: AbortSignal
}

/** What a server gets to end by itself once its input has ended, and after it was told to. */
const EOF_MS = 5000
const TERM_MS = 1500

/** The exit code of the server. */
export async function proxyStdio(proxy: StdioProxy): Promise<number> {
  const [program, ...args] = proxy.command
  // A group of its own: a server that is started by a runner ends with it.
  const child = spawn(program, args, { cwd: proxy.cwd, env: { ...proxy.env }, stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const ended = endOf(child)
  const toServer = openLines(child.stdin)
  const toClient = openLines(proxy.stdout)
  proxy.gate.reach(message => void toClient(JSON.stringify(message)))
  proxy.signal.addEventListener('abort', () => void endGroup(child, ended, 0), { once: true })
  // Whoever reads our answers is gone: so is the reason to go on.
  proxy.stdout.on('error', () => void endGroup(child, ended, 0))

  const fromServer = pumpLines(child.stdout, relayServerText, proxy, ({ on }) => (on === null ? undefined : toClient(on)))
  const fromClient = pumpLines(proxy.stdin, relayClientText, proxy, async ({ on, back, isBatch }) => {
    if (on !== null) await toServer(on)
    if (back.length > 0) await toClient(spellAnswers(back, isBatch))
  }).then(async () => {
    child.stdin.end()
    await endGroup(child, ended, EOF_MS)
  })
  fromClient.catch(error => proxy.report(String(error)))

  const end = await ended
  // What it started and left behind would keep its output open.
  await endGroup(child, fromServer, 0)
  await fromServer
  const why = `the MCP server (${program}) ${end.why}`
  const lost = proxy.gate.openRequests().map(id => errorAnswer(id, SERVER_LOST, why))
  if (lost.length > 0) await toClient(spellAnswers(lost, false))
  if (end.code !== 0 && !proxy.signal.aborted) proxy.report(why)
  proxy.stdin.destroy()
  return end.code
}

interface End {
  readonly code: number
  readonly why: string
}

const CANNOT_START = 2

function endOf(child: ChildProcess): Promise<End> {
  return new Promise(resolve => {
    child.once('error', error => resolve({ code: CANNOT_START, why: `cannot be started: ${error.message}` }))
    child.once('exit', (code, signal) => {
      if (signal === null) resolve({ code: code ?? CANNOT_START, why: `ended with exit code ${code}` })
      else resolve({ code: 128 + (constants.signals[signal] ?? 0), why: `was ended by ${signal}` })
    })
  })
}

/** Waits, asks, ends: until `done`. */
async function endGroup(child: ChildProcess, done: Promise<unknown>, patienceMs: number): Promise<void> {
  for (const [signal, waitMs] of [
    [null, patienceMs],
    ['SIGTERM', TERM_MS],
    ['SIGKILL', 0],
  ] as const) {
    if (signal !== null) signalGroup(child, signal)
    if (await within(done, waitMs)) return
  }
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

function within(done: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(() => resolve(false), ms)
  })
  return Promise.race([done.then(() => true), late]).finally(() => clearTimeout(timer))
}
