// belay down: the daemon finishes what it acknowledged and ends; returns when the process is gone. Down already is fine.

import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { callDaemon, readDaemonState } from './daemon-status.ts'
import { isAlive, waitUntil } from './process-wait.ts'

const STOP_MS = 15_000

export async function runDown(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const state = await readDaemonState(io)
  if (!state.running) return say(options, io, 'belay was not running', null)
  const { pid, socket } = state.facts
  const answer = await callDaemon(socket, 'daemon.stop', {})
  if (answer.kind === 'refused') return fail(io, answer.why)
  if (!(await waitUntil(() => !isAlive(pid), STOP_MS))) return fail(io, `the daemon (pid ${pid}) does not end`, `end it with: kill ${pid}`)
  return say(options, io, `belay is down (pid ${pid} has ended)`, pid)
}

function say({ json }: { readonly json?: boolean }, io: CommandIo, text: string, pid: number | null): ExitCode {
  if (json === true) printJson(io, { running: false, pid })
  else printLine(io.stdout, text)
  return 0
}
