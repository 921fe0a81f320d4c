// Runs one check of a project and says in one sentence what is wrong, with the end of what it printed.
import { spawn } from 'node:child_process'

export interface CheckOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limitMs: number
}

const LAST_CHARACTERS = 1500
const KEPT_CHARACTERS = 64 * 1024

/** null: it passed. */
export function runCheck(command: string, { cwd, env, limitMs }: CheckOptions): Promise<string | null> {
  return new Promise(resolve => {
    const child = spawn('/bin/sh', ['-c', command], { cwd, env: { ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    let output = ''
    let isLate = false
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-KEPT_CHARACTERS)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    const timer = setTimeout(() => {
      isLate = true
      endGroup(child.pid)
    }, limitMs)
    child.on('error', error => {
      clearTimeout(timer)
      resolve(`${command} cannot be run: ${error.message}`)
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (code === 0) return resolve(null)
      const how = isLate
        ? `took longer than ${Math.round(limitMs / 1000)} s`
        : signal === null
          ? `failed with exit code ${code}`
          : `was ended by ${signal}`
      resolve(`${command} ${how}${tailOf(output)}`)
    })
  })
}

/** The check and whatever it started. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

function tailOf(output: string): string {
  const text = output.trim()
  return text === '' ? '' : `:\n${text.slice(-LAST_CHARACTERS)}`
}
