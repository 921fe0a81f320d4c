// belay hook: what agents call. The exit code and the output are the agent's dialect.
import { fstatSync } from 'node:fs'
import { type HookOptions, runHook } from '../shim/node-shim.ts'
import { type CommandIo, textPieces } from '../terminal/io.ts'
import { daemonEnvironment } from '../wire/own-environment.ts'

export async function runHookCommand(options: HookOptions, io: CommandIo, input = io.stdin): Promise<number> {
  let payload = ''
  for await (const piece of textPieces(input)) payload += piece
  const { stdout, stderr, exitCode } = await runHook(options, {
    payload,
    cwd: io.cwd,
    env: io.env,
    etc: io.etc,
    isTty: isTerminal(2),
    parentPid: process.ppid,
    startDaemon: () => void startDaemon(io),
  })
  io.stdout.write(stdout)
  io.stderr.write(stderr)
  return exitCode + (options.proof ?? 0)
}

/** Most often it is a pipe, and then Node's module of terminals, which loads that of the network, is not needed. */
function isTerminal(file: number): boolean {
  try {
    return fstatSync(file).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(file)
  } catch {
    return false
  }
}

/** Not waited for: this call is judged without it, the next one finds it. */
export async function startDaemon(io: CommandIo): Promise<void> {
  if (io.env.BELAY_NO_AUTOSTART === '1') return
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'up', '--detach'], {
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: daemonEnvironment(io.env),
  })
  child.on('error', () => undefined)
  child.unref()
}
