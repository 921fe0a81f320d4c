// belay dashboard: opens the page in the person's browser through a one-time link; --print prints the link instead.
import { spawn } from 'node:child_process'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { callDaemon, type DaemonFacts, readDaemonState } from './daemon-status.ts'

export interface DashboardOptions {
  readonly print?: boolean
  readonly json?: boolean
}

export async function runDashboard(options: DashboardOptions, io: CommandIo): Promise<ExitCode> {
  const state = await readDaemonState(io)
  if (!state.running) return fail(io, 'the daemon is not running', 'start it with: belay up --detach')
  return openPage(options, io, state.facts)
}

export async function openPage(
  { print, json }: DashboardOptions,
  io: CommandIo,
  { socket, url }: Pick<DaemonFacts, 'socket' | 'url'>,
): Promise<ExitCode> {
  const answer = await callDaemon(socket, 'dashboard.link', {})
  if (answer.kind !== 'result') return fail(io, answer.kind === 'absent' ? 'the daemon is gone' : answer.why)
  const link = (answer.value as { url: string }).url
  if (json === true) printJson(io, { url: link })
  else if (print === true) printLine(io.stdout, link)
  else if (await openInBrowser(link, io)) printLine(io.stdout, `the dashboard opens in your browser: ${url}`)
  else printLine(io.stdout, `no browser could be started here; open this within a minute, it works once:\n${link}`)
  return 0
}

/** Over SSH or without a screen there is none, and the link is printed. */
function openInBrowser(link: string, { env }: CommandIo): Promise<boolean> {
  const command = browserCommand(env)
  if (command === null) return Promise.resolve(false)
  const [program, ...args] = command
  return new Promise(resolve => {
    const child = spawn(program, [...args, link], { detached: true, stdio: 'ignore', env })
    child.once('error', () => resolve(false))
    // An opener that fails says so at once; one that is still there after a moment is the browser itself.
    const timer = setTimeout(() => resolve(true), 1500)
    child.once('exit', code => {
      clearTimeout(timer)
      resolve(code === 0)
    })
    child.unref()
  })
}

function browserCommand(env: CommandIo['env']): readonly [string, ...string[]] | null {
  if (env.BROWSER !== undefined && env.BROWSER !== '') return [env.BROWSER]
  if (process.platform === 'darwin') return ['open']
  if (env.WSL_DISTRO_NAME !== undefined) return ['wslview']
  return env.DISPLAY === undefined && env.WAYLAND_DISPLAY === undefined ? null : ['xdg-open']
}
