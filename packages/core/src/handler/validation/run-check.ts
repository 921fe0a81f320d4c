// Runs one check of a project and says in one sentence what is wrong, with the end of what it printed. What it started ends with it.
import { runProcess } from '../command/run-process.ts'

export interface CheckOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly limitMs: number
  readonly signal?: AbortSignal
}

const LAST_CHARACTERS = 1500

/** null: it passed. */
export async function runCheck(command: string, { cwd, env, limitMs, signal }: CheckOptions): Promise<string | null> {
  const end = await runProcess({
    program: '/bin/sh',
    // One stream: what went wrong is told in the order in which it was printed.
    args: ['-c', `exec 2>&1\n${command}`],
    cwd,
    env: checkEnvironment(env),
    input: '',
    limitMs,
    signal,
    keepsEnd: true,
    endsAll: true,
  })
  switch (end.kind) {
    case 'not-started':
      return `${command} cannot be run: ${end.why}`
    case 'detached':
      return `${command} went on in the background`
    case 'cancelled':
      return `${command} ${end.why === 'timeout' ? `took longer than ${Math.round(limitMs / 1000)} s` : 'was cancelled'}${tailOf(end.stdout)}`
    case 'killed':
      return `${command} was ended by ${end.signal}${tailOf(end.stdout)}`
    case 'exited':
      return end.exitCode === 0 ? null : `${command} failed with exit code ${end.exitCode}${tailOf(end.stdout)}`
  }
}

const PASSED_ON = /^(?:PATH|HOME|USER|SHELL|LANG|TERM|TMPDIR|LC_.*|XDG_.*)$/

/** What a check needs to run; the secrets of this process stay here. */
function checkEnvironment(env: CheckOptions['env']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value !== undefined && PASSED_ON.test(name) ? [[name, value]] : [])),
  )
}

function tailOf(output: string): string {
  const text = output.trim()
  return text === '' ? '' : `:\n${text.slice(-LAST_CHARACTERS)}`
}
