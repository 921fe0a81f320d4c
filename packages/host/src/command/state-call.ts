// Verbs of the state engine, asked of the daemon, which is started where there is none. A refusal is "no" (1); bad usage, and a daemon that
// cannot be reached, "could not work" (2).
import { errorText, isObject } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, fail, hint, printJson, printLine } from '../terminal/io.ts'
import { plainValue } from '../terminal/plain-value.ts'
import { runPaths } from '../wire/run-paths.ts'
import { callDaemon, type RpcAnswer } from './daemon-status.ts'

export interface StateVerb<T> {
  readonly method: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly json?: boolean | undefined
  /** For long work. */
  readonly timeoutMs?: number
  /** For people. */
  render(value: T): string
  /** For --json; absent: the answer as it is. */
  value?(value: T): unknown
}

export async function runVerb<T>(io: CommandIo, verb: StateVerb<T>): Promise<ExitCode> {
  const agentId = io.env.AGENT_ID
  const params = { cwd: io.cwd, ...(agentId === undefined || agentId === '' ? {} : { agentId }), ...verb.params }
  const answer = await ask(io, verb, params)
  if (answer.kind === 'refused') {
    printLine(io.stderr, `belay: ${hint(io, answer.why)}`)
    return answer.isBadUsage ? 2 : 1
  }
  if (answer.kind === 'absent') return fail(io, 'the daemon is not running', 'start it with: belay up --detach')
  if (answer.kind === 'failed') return fail(io, `the daemon did not answer: ${answer.why}`, 'its log may say why: belay logs')
  if (verb.json === true) printJson(io, verb.value === undefined ? answer.value : verb.value(answer.value as T))
  else printLine(io.stdout, verb.render(answer.value as T))
  return 0
}

async function ask(
  io: CommandIo,
  { method, timeoutMs }: { readonly method: string; readonly timeoutMs?: number },
  params: Readonly<Record<string, unknown>>,
): Promise<RpcAnswer> {
  const { socket } = runPaths(findHome(io.env), io.env)
  const answer = await callDaemon(socket, method, params, timeoutMs)
  if (answer.kind !== 'absent' || io.env.BELAY_NO_AUTOSTART === '1') return answer
  const { runUp } = await import('./up.ts')
  const started = await runUp({ detach: true }, { ...io, stdout: { write: () => undefined } })
  if (started !== 0) return answer
  printLine(io.stderr, hint(io, 'belay: the daemon was not running: started it (belay down ends it)'))
  return callDaemon(socket, method, params, timeoutMs)
}

/** What was given as JSON, or why it cannot be used. */
export function parseObject(
  text: string,
): { readonly ok: true; readonly value: Readonly<Record<string, unknown>> } | { readonly ok: false; readonly why: string } {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { ok: true, value: value as Record<string, unknown> }
    return { ok: false, why: 'it is not a JSON object' }
  } catch (error) {
    return { ok: false, why: errorText(error) }
  }
}

/** Names on the left, values on the right. */
export function renderFields(fields: Readonly<Record<string, unknown>>): string {
  const shown = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  const width = Math.max(0, ...shown.map(([name]) => labelOf(name).length))
  return shown.map(([name, value]) => `${labelOf(name).padEnd(width)}  ${showValue(value, width)}`).join('\n')
}

function labelOf(name: string): string {
  return name.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)
}

function showValue(value: unknown, width: number): string {
  if (Array.isArray(value) && value.every(entry => typeof entry !== 'object')) return value.join(`\n${' '.repeat(width + 2)}`)
  return plainValue(value, ' '.repeat(width + 2)).trimStart()
}
