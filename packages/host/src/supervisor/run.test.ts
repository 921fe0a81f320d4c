// `belay run` as a process of its own, with and without a daemon.
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from './fixtures/bundled-cli.ts'

let cli: BundledCli

beforeAll(async () => {
  cli = await bundleCli()
  mkdirSync(join(cli.folder, 'agents'))
})
afterAll(() => cli.remove())

/** A program called like an agent, so that it gets its prompt like one. */
function agent(name: string, script: string): string {
  const path = join(cli.folder, 'agents', name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}

async function until(check: () => boolean): Promise<void> {
  while (!check()) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('without a daemon', () => {
  test('the agent has the terminal’s input and output, and its code is ours', async () => {
    const ran = await cli.run(['run', '--agent-id', 'w1', '--', 'sh', '-c', 'read line; echo "$AGENT_ID got $line"; exit 6'], {
      input: 'hello\n',
    })
    expect(ran).toEqual({ code: 6, out: 'w1 got hello\n', err: '' })
  })
  test('no command', async () => {
    const { code, err } = await cli.run(['run'])
    expect(code).toBe(2)
    expect(err).toContain("missing required argument 'command'")
  })
  test('a real signal to the supervisor reaches the agent', async () => {
    const script = "trap 'exit 11' TERM; echo up; while :; do sleep 0.05; done"
    const child = cli.start(['run', '--', 'sh', '-c', script])
    await new Promise(resolve => child.stdout?.once('data', resolve))
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(11)
  })
})

describe('with the daemon', () => {
  beforeAll(async () => {
    expect((await cli.run(['up', '--detach', '--port', '0'])).code).toBe(0)
  })
  afterAll(async () => void (await cli.run(['down'])))

  test('an agent whose window is full is started anew with its prompt', async () => {
    const seen = join(cli.folder, 'seen')
    const full = JSON.stringify({
      session_id: 's1',
      cwd: cli.project,
      hook_event_name: 'PreCompact',
      trigger: 'auto',
      custom_instructions: '',
    })
    const hook = `node ${cli.bin} hook --agent claude-code --event PreCompact`
    // The first life reports a full window and waits to be ended; the second one says how it was started and is done.
    const script = `if [ "$#" -gt 2 ]; then echo "$AGENT_ID: $*" > ${seen}; exit 0; fi
      until echo '${full}' | ${hook} > ${seen}.hook 2>&1; do sleep 0.1; done; exec sleep 1000`
    const path = agent('claude', script)
    const child = cli.start(['run', '--agent-id', 'w2', '--', path, '--model', 'opus'])
    const code = await new Promise(resolve => child.once('exit', resolve))
    expect(code).toBe(0)
    expect(readFileSync(seen, 'utf8')).toBe('w2: --model opus Continue where you left off.\n')
    expect(readdirSync(join(cli.home, 'run', 'recovery'))).toEqual([])
  })

  test('a daemon that comes back knows the run again', async () => {
    const path = agent('sleeper', 'echo up; exec sleep 1000')
    const child = cli.start(['run', '--agent-id', 'w3', '--', path])
    await new Promise(resolve => child.stdout?.once('data', resolve))
    await cli.run(['down'])
    expect((await cli.run(['up', '--detach', '--port', '0'])).code).toBe(0)
    let restarted = false
    child.stderr?.on('data', text => {
      restarted ||= String(text).includes('its context window was used up; starting it again')
    })
    const full = JSON.stringify({
      session_id: 's3',
      cwd: cli.project,
      hook_event_name: 'PreCompact',
      trigger: 'auto',
      custom_instructions: '',
    })
    const hook = () => cli.run(['hook', '--agent', 'claude-code', '--event', 'PreCompact'], { input: full, env: { AGENT_ID: 'w3' } })
    while (!restarted) await hook()
    await until(() => restarted)
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
  })
})
