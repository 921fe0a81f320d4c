// What `up` asks a daemon that runs, and what it says of it.
import { existsSync } from 'node:fs'
import { type CommandIo, type ExitCode, printJson, printLine } from '../terminal/io.ts'
import { quickCall } from '../wire/quick-call.ts'
import type { RunPaths } from '../wire/run-paths.ts'
import type { DaemonFacts } from './daemon-status.ts'

export interface UpOptions {
  readonly detach?: boolean
  /** The dashboard in the person's browser. */
  readonly open?: boolean
  readonly port?: number
  readonly json?: boolean
}

export const ASK_MS = 5000

/** null: nobody answers. */
export async function askFacts({ socket }: RunPaths): Promise<DaemonFacts | null> {
  if (!existsSync(socket)) return null
  return (await quickCall({ socket, method: 'daemon.status', params: {}, timeoutMs: ASK_MS })) as DaemonFacts | null
}

export async function report({ json, open }: UpOptions, io: CommandIo, facts: DaemonFacts, how: string): Promise<ExitCode> {
  if (json === true) printJson(io, { running: true, ...facts })
  else printLine(io.stdout, `belay is ${how}: ${facts.url} (pid ${facts.pid})`)
  if (open !== true) return 0
  return (await import('./dashboard.ts')).openPage({}, json === true ? { ...io, stdout: io.stderr } : io, facts)
}
