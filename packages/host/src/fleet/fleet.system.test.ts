// The fleet in a real tmux, colours of panes by status; and the live view with its keys in a real terminal.
import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'
import { readPsEnvironment } from './tmux.ts'

let cli: BundledCli
const panes: Record<string, string> = {}

beforeAll(async () => {
  cli = await bundleCli()
  Object.assign(cli.env, { TMUX_TMPDIR: cli.folder, TERM: 'xterm-256color', LANG: 'C.UTF-8' })
  writeFileSync(join(cli.folder, 'tmux.conf'), '')
  expect((await cli.run(['up', '--detach', '--port', '0'])).code).toBe(0)
  tmux('-f', join(cli.folder, 'tmux.conf'), 'new-session', '-d', '-x', '160', '-y', '40', '-s', 'fleet', 'sleep 1000')
  for (const agent of ['one', 'two']) {
    panes[agent] = tmux('split-window', '-d', '-P', '-F', '#{pane_id}', '-t', 'fleet', `AGENT_ID=${agent} sleep 1000; true`).trim()
  }
})
afterAll(async () => {
  tmux('kill-server')
  await cli.run(['down'])
  cli.remove()
})

function tmux(...args: string[]): string {
  return execFileSync('tmux', args, { encoding: 'utf8', env: cli.env })
}

const style = (agent: string) => tmux('show-options', '-p', '-v', '-q', '-t', panes[agent] ?? '', 'window-style').trim()

function hook(event: string, agentId: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
  const payload = { session_id: `session-${agentId}`, cwd: cli.project, hook_event_name: event, ...fields }
  return cli.run(['hook', '--agent', 'claude-code', '--event', event], { input: JSON.stringify(payload), env: { AGENT_ID: agentId } })
}

const work = (agent: string) => hook('PreToolUse', agent, { tool_name: 'Read', tool_input: { file_path: 'a' }, tool_use_id: 't' })
const attention = (agent: string) => hook('Notification', agent, { message: 'May I?', notification_type: 'permission_prompt' })

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise(resolve => setTimeout(resolve, 50))
}

describe('fleet tmux', () => {
  test('panes take the colour of the agent that runs in them', async () => {
    await work('one')
    await attention('two')
    const { code, out } = await cli.run(['fleet', 'tmux', '--json'])
    expect(code).toBe(0)
    expect(
      JSON.parse(out)
        .map(({ agent, pane, status }: Record<string, string>) => [agent, pane, status])
        .sort(),
    ).toEqual([
      ['one', panes.one, 'working'],
      ['two', panes.two, 'attention'],
    ])
    expect([style('one'), style('two')]).toEqual(['bg=#0d2438', 'bg=#4a3a00'])
  })

  test('--watch follows, and leaves tmux as it was', async () => {
    const watching = cli.start(['fleet', 'tmux', '--watch'])
    await hook('PostToolUseFailure', 'one', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't', error: 'no' })
    await until(() => style('one') === 'bg=#4a1212')
    await work('two')
    await until(() => style('two') === 'bg=#0d2438')
    const ended = new Promise(resolve => watching.once('exit', resolve))
    watching.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect([style('one'), style('two')]).toEqual(['', ''])
  })

  test('--off takes the colours away', async () => {
    await cli.run(['fleet', 'tmux'])
    expect(style('one')).not.toBe('')
    expect((await cli.run(['fleet', 'tmux', '--off'])).code).toBe(0)
    expect(style('one')).toBe('')
  })

  test('no tmux server', async () => {
    const { code, err } = await cli.run(['fleet', 'tmux'], { env: { TMUX_TMPDIR: cli.home } })
    expect(code).toBe(2)
    expect(err).toContain('tmux does not answer')
  })
})

describe('fleet --watch', () => {
  test('shows changes, marks the chosen agent as checked, quits', async () => {
    // A terminal of its own, not a pane: nobody is attached to this tmux, and marking is for people.
    const watching = `stty rows 40 cols 160; ${process.execPath} ${cli.bin} fleet --watch; echo ended`
    const terminal = spawn('script', ['-qfec', watching, '/dev/null'], { env: cli.env, stdio: ['pipe', 'pipe', 'ignore'] })
    let text = ''
    terminal.stdout.on('data', data => {
      text += data
    })
    const screen = () => (text.split('\x1b[H').at(-1) ?? '').replace(/\x1b\[[?\d;]*[A-Za-z]/g, '').replaceAll('\r', '')
    await attention('two')
    await until(() => /^>?two +attention .* May I\?$/m.test(screen()))
    expect(screen()).toMatch(/^agent +status +age .*doing$/m)
    const lines = screen().split('\n')
    const down = lines.findIndex(line => /^>?two /.test(line))
    terminal.stdin.write(`${'\x1b[B'.repeat(down)}\r`)
    await until(() => /^>?two +checked/m.test(screen()))
    terminal.stdin.write('q')
    await until(() => screen().includes('ended'))
    terminal.stdin.end()
  })
})

test('where there is no /proc, ps tells the environment of a process', () => {
  const pid = Number(tmux('display-message', '-p', '-t', panes.one ?? '', '#{pane_pid}'))
  const child = Number(execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' }).trim())
  expect(readPsEnvironment(child)).toContain('AGENT_ID=one')
})
