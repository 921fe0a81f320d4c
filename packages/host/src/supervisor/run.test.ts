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
  test('no role can be given', async () => {
    expect(await cli.run(['run', '--actor', 'reviewer', '--', 'echo', 'no'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/belay\S* up /),
    })
  })

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

  describe('a role', () => {
    const callOf = (id: string, command = 'ls') =>
      JSON.stringify({ session_id: 'role', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, tool_use_id: id })
    const hookLine = (id: string) => `echo '${callOf(id)}' | node ${cli.bin} hook --agent claude-code --event PreToolUse`

    /** Who a call was made by, by the ledger, which may have it a moment later. */
    async function callerOf(id: string): Promise<unknown> {
      for (;;) {
        const { out } = await cli.run(['ledger', 'export', '--format', 'jsonl'])
        const entries = out
          .trim()
          .split('\n')
          .map(line => JSON.parse(line))
        const found = entries.find(({ kind, body }) => kind === 'pre_tool_use' && body.toolUseId === id)
        if (found !== undefined) return { actor: found.actor, agentId: found.body.agentId, alsoAs: found.body.alsoAs ?? [] }
      }
    }

    const lowered = { actor: 'agent:claude-code', agentId: 'w4', alsoAs: ['agent:reviewer'] }
    test.each([
      ['with its secret', '', { actor: 'agent:reviewer', agentId: 'w4', alsoAs: [] }],
      ['without it', 'unset BELAY_AGENT_SECRET; ', lowered],
      ['with nothing but the id', 'unset BELAY_AGENT_SECRET BELAY_ACTOR; ', lowered],
    ])('%s', async (name, before, who) => {
      const ran = await cli.run(['run', '--agent-id', 'w4', '--actor', 'reviewer', '--', 'sh', '-c', `${before}${hookLine(name)}`])
      expect(ran).toMatchObject({ code: 0, err: '' })
      expect(await callerOf(name)).toEqual(who)
    })

    test('ends with the agent, and stands nowhere but in its environment', async () => {
      const { out } = await cli.run(['run', '--actor', 'agent:reviewer', '--', 'sh', '-c', 'echo "$BELAY_AGENT_SECRET"'])
      const secret = out.trim()
      expect(secret).toMatch(/^bas_[A-Za-z0-9_-]{43}$/)
      const input = callOf('ended', `echo ${secret}`)
      const env = { BELAY_AGENT_SECRET: secret }
      expect(await cli.run(['hook', '--agent', 'claude-code', '--event', 'PreToolUse'], { input, env })).toMatchObject({ code: 0 })
      expect(await callerOf('ended')).toMatchObject({ actor: 'agent:claude-code', alsoAs: [] })
      const files = readdirSync(cli.home, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
      const holding = files.filter(file => readFileSync(join(file.parentPath, file.name)).includes(secret))
      expect(holding.map(({ name }) => name)).toEqual([])
    })

    test('is for people: an agent gives none', async () => {
      const path = agent('claude', `node ${cli.bin} run --actor reviewer -- echo no || node ${cli.bin} agent bind x reviewer`)
      expect(await cli.run(['run', '--', path])).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringMatching(/belay\S* run --actor is for people.*\n.*belay\S* agent bind is for people/),
      })
      expect(await cli.run(['run', '--actor', 'human:ada', '--', 'echo', 'no'])).toMatchObject({
        code: 2,
        out: '',
        err: expect.stringContaining('human:ada is not a role of an agent'),
      })
    })

    test('by an eval of agent bind', async () => {
      const shell = agent('shell', `eval "$(node ${cli.bin} agent bind w5 reviewer)"; ${hookLine('bound')}`)
      expect(await cli.run(['run', '--', shell])).toMatchObject({ code: 0 })
      expect(await callerOf('bound')).toEqual({ actor: 'agent:reviewer', agentId: 'w5', alsoAs: [] })
    })
  })

  test('a daemon that comes back knows the run again', async () => {
    const path = agent('sleeper', 'echo up; exec sleep 1000')
    const child = cli.start(['run', '--agent-id', 'w3', '--', path])
    await new Promise(resolve => child.stdout?.once('data', resolve))
    await cli.run(['down'])
    expect((await cli.run(['up', '--detach', '--port', '0'])).code).toBe(0)
    let restarted = false
    child.stderr?.on('data', text => {
      restarted ||= String(text).includes('the context window is full; starting it again')
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
