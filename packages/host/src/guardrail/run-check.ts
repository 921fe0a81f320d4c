// Runs a command that verifies work: success or what went wrong, with the end of what it printed. Its whole process group ends with it.
import { spawn } from 'node:child_process'

export interface CheckOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

const TAIL = 1500

/** Null: it passed. */
export function runCheck(command: string, { cwd, env, timeoutMs, signal }: CheckOptions): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn('sh', ['-c', command], { cwd, env: { ...env }, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    let tail = ''
    const keep = (piece: Buffer) => {
      tail = (tail + piece.toString('utf8')).slice(-TAIL)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    let ended: string | null = null
    const end = (why: string) => {
      ended ??= why
      if (child.pid !== undefined) killGroup(child.pid)
    }
    const timer = setTimeout(() => end(`took longer than ${Math.round(timeoutMs / 1000)} s`), timeoutMs)
    const onAbort = () => end('was cancelled')
    signal.addEventListener('abort', onAbort, { once: true })
    const finish = (why: string | null) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(why === null ? null : `\`${command}\` ${why}.${tail.trim() === '' ? '' : ` It printed: ${tail.trim()}`}`)
    }
    child.on('error', error => finish(`could not be started: ${error.message}`))
    child.on('close', (code, killed) => {
      // What it left running in its group goes too.
      if (child.pid !== undefined) killGroup(child.pid)
      finish(ended ?? (code === 0 ? null : `failed (${code === null ? killed : `exit ${code}`})`))
    })
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}
