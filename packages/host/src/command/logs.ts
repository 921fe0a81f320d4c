// belay logs: the end of the daemon's log, and with --follow what comes.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { findHome } from '../config/home.ts'
import { type CommandIo, type ExitCode, fail } from '../terminal/io.ts'
import { runPaths } from '../wire/run-paths.ts'

export interface LogsOptions {
  readonly lines?: number
  readonly follow?: boolean
  readonly signal?: AbortSignal
}

export async function runLogs({ lines = 50, follow, signal }: LogsOptions, io: CommandIo): Promise<ExitCode> {
  const { log } = runPaths(findHome(io.env), io.env)
  if (!existsSync(log)) return fail(io, `there is no log yet (${log})`, 'it begins with: belay up')
  const text = readFileSync(log, 'utf8')
  io.stdout.write(
    text
      .split('\n')
      .slice(-lines - 1)
      .join('\n'),
  )
  let seen = Buffer.byteLength(text)
  while (follow === true && signal?.aborted !== true) {
    await new Promise(resolve => setTimeout(resolve, 250))
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
    if (size === seen) continue
    const bytes = existsSync(log) ? readFileSync(log) : Buffer.alloc(0)
    io.stdout.write(bytes.subarray(size < seen ? 0 : seen).toString())
    seen = bytes.length
  }
  return 0
}
