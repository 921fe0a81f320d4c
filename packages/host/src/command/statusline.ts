// belay statusline: reads what the agent tells its status line, keeps the context usage with the daemon, prints a line.
// Invariant: whatever goes wrong, the agent gets a line or nothing, and exit code 0.
import { findHome } from '../config/home.ts'
import { type LineFacts, renderStatusLine } from '../fleet/status-line.ts'
import { type CommandIo, printLine, textPieces } from '../terminal/io.ts'
import { own } from '../terminal/visible.ts'
import { quickCall } from '../wire/quick-call.ts'
import { runPaths } from '../wire/run-paths.ts'
import { readSetting } from './setting.ts'

const DAEMON_MS = 1000

export async function runStatusline(agent: string, io: CommandIo, input = io.stdin): Promise<0> {
  try {
    const told = await readTold(io, input)
    const home = findHome(io.env)
    const [facts, lines] = await Promise.all([askDaemon(agent, told, home, io), runConfigured(told, io)])
    printLine(io.stdout, keepColours(renderStatusLine(facts, told.usage, io.env.NO_COLOR === undefined)))
    if (lines !== null) printLine(io.stdout, keepColours(lines.join('\n')))
  } catch {
    // The status line is a courtesy.
    return 0
  }
  return 0
}

/** Ours, in which nothing of others has any left, and those of the command that a person configured. */
function keepColours(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, colour => own(colour))
}

interface Told {
  readonly context: Readonly<Record<string, unknown>>
  readonly sessionId: string | null
  readonly cwd: string
  readonly usage: number | null
  readonly contextWindow: number | null
  readonly cost: number | null
}

async function readTold(io: CommandIo, input: CommandIo['stdin']): Promise<Told> {
  let text = ''
  for await (const piece of textPieces(input)) text += piece
  const context = objectOr(parse(text))
  const window = objectOr(context.context_window)
  return {
    context,
    sessionId: textOr(context.session_id),
    cwd: textOr(objectOr(context.workspace).project_dir) ?? textOr(context.cwd) ?? io.cwd,
    usage: readUsage(window),
    contextWindow: numberOr(window.context_window_size),
    cost: numberOr(objectOr(context.cost).total_cost_usd),
  }
}

/** As a share; what is left and the counts of tokens say it too, where the share itself is not there yet. */
function readUsage(window: Readonly<Record<string, unknown>>): number | null {
  const used = numberOr(window.used_percentage)
  if (used !== null) return clamp(used / 100)
  const left = numberOr(window.remaining_percentage)
  if (left !== null) return clamp(1 - left / 100)
  const counts = objectOr(window.current_usage)
  const tokens = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].flatMap(name => numberOr(counts[name]) ?? [])
  const size = numberOr(window.context_window_size)
  return tokens.length === 0 || size === null || size <= 0 ? null : clamp(tokens.reduce((sum, count) => sum + count, 0) / size)
}

function clamp(share: number): number {
  return Math.min(1, Math.max(0, share))
}

async function askDaemon(agent: string, told: Told, home: string, io: CommandIo): Promise<LineFacts | null> {
  const { sessionId, cwd, usage, contextWindow, cost } = told
  const params = { agent, agentId: io.env.AGENT_ID || null, sessionId: sessionId ?? 'unknown', cwd, usage, contextWindow, cost }
  return (await quickCall({
    socket: runPaths(home, io.env).socket,
    method: 'fleet.line',
    params,
    timeoutMs: DAEMON_MS,
  })) as LineFacts | null
}

async function runConfigured(told: Told, io: CommandIo): Promise<readonly string[] | null> {
  const command = await readSetting(io, told.cwd, 'statusline')
  if (command === null) return null
  const { runStatusLine } = await import('@belay/core')
  return runStatusLine(command, told.context, { cwd: io.cwd, env: io.env })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function objectOr(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function numberOr(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
