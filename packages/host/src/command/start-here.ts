// The daemon in this process, until a signal or a command stops it.
import { errorText } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { type Daemon, type Started, startDaemon } from '../daemon/start-daemon.ts'
import { createBodyRedactor } from '../ledger/body-redactor.ts'
import type { Writer } from '../ledger/thread/start-writer.ts'
import { StoreError } from '../store/store-error.ts'
import { type CommandIo, type ExitCode, fail, printLine } from '../terminal/io.ts'
import type { LogLine } from '../terminal/log-line.ts'
import { type RunPaths, runPaths } from '../wire/run-paths.ts'
import { VERSION } from './help.ts'
import { openLog } from './log-file.ts'
import { askFacts, report, type UpOptions } from './up-report.ts'

/** How long somebody else may hold the store. */
const OTHER_MS = 10_000
const RETRY_MS = 100

/** `writer`: begun already; null: the first try begins it too. */
export async function startHere(options: UpOptions, io: CommandIo, writer: Writer | null): Promise<ExitCode> {
  const paths = runPaths(findHome(io.env), io.env)
  const until = Date.now() + OTHER_MS
  const stop = stopOnSignal()
  let started = await start({ options, io, paths, writer })
  // Another one is coming up at the same time, or one is still going down.
  while (!started.ok && started.isLocked && Date.now() < until && !stop.aborted) {
    const other = await askFacts(paths)
    if (other !== null) return report(options, io, other, 'already up')
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
    started = await start({ options, io, paths, writer: null })
  }
  if (!started.ok) return stop.aborted ? 0 : fail(io, `the daemon cannot start: ${started.why}`)
  const { daemon } = started
  stop.addEventListener('abort', () => void daemon.stop())
  if (stop.aborted) void daemon.stop()
  else await welcome(daemon, options, io)
  await daemon.stopped
  return 0
}

/**
 * From the first moment on: a signal that comes while the daemon starts stops it once it has started, so that it closes what it opened.
 * Not once: npx passes on what the terminal has sent already, and the second one would end us before all is written.
 */
function stopOnSignal(): AbortSignal {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
  return stopping.signal
}

async function welcome(daemon: Daemon, options: UpOptions, io: CommandIo): Promise<void> {
  printLine(io.stdout, `belay is up: ${daemon.url} and ${daemon.socket} (Ctrl-C stops it)`)
  if (options.open === true) await (await import('./dashboard.ts')).openPage({}, io, daemon)
}

type Tried = Started & { readonly isLocked: boolean }

interface Start {
  readonly options: UpOptions
  readonly io: CommandIo
  readonly paths: RunPaths
  readonly writer: Writer | null
}

async function start({ options, io, paths, writer }: Start): Promise<Tried> {
  const home = findHome(io.env)
  const log = openLog(paths.log)
  const redact = createBodyRedactor(home)
  try {
    const started = await startDaemon({
      home,
      etc: io.etc,
      env: io.env,
      port: options.port ?? null,
      version: VERSION,
      loadsRest: true,
      writer,
      log: line => log.write(redact(line) as LogLine),
      // Without closing anything: that would take away the sockets of the daemon that came after us.
      abandon: () => process.exit(1),
    })
    return { ...started, isLocked: false }
  } catch (error) {
    const isLocked = error instanceof StoreError && error.code === 'BELAY_STORE_LOCKED'
    return { ok: false, why: errorText(error), isLocked }
  }
}
