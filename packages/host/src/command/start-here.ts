// The daemon in this process, until a signal or a command stops it.
import { findHome } from '../config/home.ts'
import type { LogLine } from '../daemon/log-line.ts'
import { startDaemon } from '../daemon/start-daemon.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import { runPaths } from '../wire/run-paths.ts'
import { VERSION } from './help.ts'
import { type CommandIo, type ExitCode, fail, printLine } from './io.ts'
import { openLog } from './log-file.ts'
import type { UpOptions } from './up.ts'

export async function startHere(options: UpOptions, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const log = openLog(runPaths(home, io.env).log)
  const redact = createBodyRedactor(home)
  const started = await startDaemon({
    home,
    etc: io.etc,
    env: io.env,
    port: options.port ?? null,
    version: VERSION,
    log: line => log.write(redact(line) as LogLine),
  }).catch(error => ({
    ok: false as const,
    why: error instanceof Error ? error.message : String(error),
  }))
  if (!started.ok) return fail(io, `the daemon cannot start: ${started.why}`)
  const { daemon } = started
  // Not once: npx passes on what the terminal has sent already, and the second one would end us before all is written.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void daemon.stop())
  printLine(io.stdout, `belay is up: ${daemon.url} and ${daemon.socket} (Ctrl-C stops it)`)
  if (options.open === true) await (await import('./dashboard.ts')).openPage({}, io, daemon)
  await daemon.stopped
  return 0
}
