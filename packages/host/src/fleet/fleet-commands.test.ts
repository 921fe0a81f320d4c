// fleet, statusline and files as processes beside a real daemon.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BundledCli, bundleCli } from '../supervisor/fixtures/bundled-cli.ts'

let cli: BundledCli
const plain = { NO_COLOR: '1' }

beforeAll(async () => {
  cli = await bundleCli()
  writeFileSync(
    join(cli.project, '.belay', 'genesis.key'),
    'version: "2.0"\npermissions:\n  default: none\n  actors:\n    "agent:*":\n      deny: ["Bash(rm *)"]\n',
  )
})
afterAll(() => cli.remove())

function hook(event: string, agentId: string, fields: Readonly<Record<string, unknown>>): Promise<unknown> {
  const payload = { session_id: `session-${agentId}`, cwd: cli.project, hook_event_name: event, ...fields }
  return cli.run(['hook', '--agent', 'claude-code', '--event', event], { input: JSON.stringify(payload), env: { AGENT_ID: agentId } })
}

function line(told: unknown, env: Readonly<Record<string, string>> = {}) {
  return cli.run(['statusline'], { input: typeof told === 'string' ? told : JSON.stringify(told), env: { ...plain, ...env } })
}

describe('without a daemon', () => {
  test('the status line says so', async () => {
    const told = { session_id: 's', cwd: cli.project, context_window: { used_percentage: 12 } }
    expect(await line(told)).toEqual({ code: 0, out: 'belay: daemon down, static policy | context 12 %\n', err: '' })
  })
  test.each([
    ['what is left', { used_percentage: null, remaining_percentage: 30 }, 70],
    [
      'counts of tokens',
      { context_window_size: 1000, current_usage: { input_tokens: 100, cache_read_input_tokens: 800, output_tokens: 90 } },
      90,
    ],
  ])('the context usage is also known from %s', async (_name, context_window, percent) => {
    const { out } = await line({ session_id: 's', cwd: cli.project, context_window })
    expect(out).toBe(`belay: daemon down, static policy | context ${percent} %\n`)
  })
  for (const input of ['', 'no json', '[1]', '{"context_window":{"used_percentage":"x"}}'])
    test(`the status line never fails: ${input || 'nothing'}`, async () => {
      expect(await line(input)).toEqual({ code: 0, out: 'belay: daemon down, static policy\n', err: '' })
    })
  test('fleet', async () => {
    const { code, err } = await cli.run(['fleet'])
    expect([code, err]).toEqual([2, 'belay: the daemon is not running\n  start it with: belay up --detach\n'])
  })
  test('fleet --watch in a pipe', async () => {
    expect((await cli.run(['fleet', '--watch'])).err).toBe('belay: fleet --watch needs a terminal\n  for a script: belay fleet --json\n')
  })
})

describe('with the daemon', () => {
  beforeAll(async () => {
    expect((await cli.run(['up', '--detach', '--port', '0'])).code).toBe(0)
  })
  afterAll(async () => void (await cli.run(['down'])))

  test('fleet: who waits for a person comes first', async () => {
    await hook('PreToolUse', 'busy', { tool_name: 'Read', tool_input: { file_path: 'a.ts' }, tool_use_id: 't1' })
    await hook('Notification', 'waiting', { message: 'May I?', notification_type: 'permission_prompt' })
    const agents = JSON.parse((await cli.run(['fleet', '--json'])).out)
    expect(
      agents.map(({ agent, status, reason, lastTool, stale }: Record<string, unknown>) => ({ agent, status, reason, lastTool, stale })),
    ).toEqual([
      { agent: 'waiting', status: 'attention', reason: 'May I?', lastTool: null, stale: false },
      { agent: 'busy', status: 'working', reason: null, lastTool: 'Read', stale: false },
    ])
    const { out } = await cli.run(['fleet'])
    expect(out).toMatch(/^agent +status +age .*doing\nwaiting +attention .* May I\?\nbusy +working +.* runs \d+s Read a\.ts\n/)
  })

  test('the status line shows effort, phase and heartbeat, and the daemon keeps the usage', async () => {
    const env = { AGENT_ID: 'writer' }
    mkdirSync(join(cli.project, '.claude', 'skills', 'implement'), { recursive: true })
    writeFileSync(
      join(cli.project, '.claude', 'skills', 'implement', 'SKILL.md'),
      '---\nname: implement\ndescription: builds\nphases: [plan, build]\n---\n',
    )
    expect(await cli.run(['effort', 'start', 'implement'], { env })).toMatchObject({ code: 0, err: '' })
    await hook('SessionStart', 'writer', { source: 'startup' })
    await hook('PreToolUse', 'writer', { tool_name: 'Read', tool_input: { file_path: 'a.ts' }, tool_use_id: 't1' })
    const told = {
      session_id: 'session-writer',
      workspace: { project_dir: cli.project },
      context_window: { used_percentage: 63.4, context_window_size: 1000 },
    }
    expect((await line(told, env)).out).toBe('belay on | implement: plan | heartbeat 1/10 | context 63 %\n')
    const agents = JSON.parse((await cli.run(['fleet', '--json'])).out)
    expect(agents.find(({ agent }: { agent: string }) => agent === 'writer')).toMatchObject({
      context: 0.634,
      phase: 'plan',
      skill: 'implement',
    })
  })

  test('a pause shows', async () => {
    await cli.run(['pause', '10m'])
    expect((await line({ session_id: 's', cwd: cli.project })).out).toBe('belay paused\n')
    await cli.run(['pause', 'off'])
  })
})

describe('commands of config.toml', () => {
  const write = (text: string) => {
    mkdirSync(cli.home, { recursive: true })
    writeFileSync(join(cli.home, 'config.toml'), text)
  }
  afterAll(() => write(''))

  test('the configured status line follows ours and gets the same JSON', async () => {
    write('[statusline]\ncommand = "cat | tr a-z A-Z; exit 0"\n')
    expect((await line({ session_id: 'x' })).out).toBe('belay: daemon down, static policy\n{"SESSION_ID":"X"}\n')
  })
  test('one that fails adds nothing', async () => {
    write('[statusline]\ncommand = "echo broken; exit 1"\n')
    expect((await line({ session_id: 'x' })).out).toBe('belay: daemon down, static policy\n')
  })
  test('all hooks off: it does not run', async () => {
    write('[statusline]\ncommand = "echo no"\n[hooks]\ndisable_all_hooks = true\n')
    expect((await line({ session_id: 'x' })).out).toBe('belay: daemon down, static policy\n')
  })
  test('the configured file suggestion wins', async () => {
    write('[file_suggestion]\ncommand = "cat; echo two"\n')
    expect((await cli.run(['files', 'q'])).out).toBe(`{"query":"q","cwd":"${cli.project}"}\ntwo\n`)
  })
  test('files: ours, by argument and as an agent asks', async () => {
    write('')
    for (const name of ['alpha.ts', 'beta.ts']) writeFileSync(join(cli.project, name), '')
    expect((await cli.run(['files', 'bet'])).out).toBe('beta.ts\n')
    expect((await cli.run(['files'], { input: JSON.stringify({ query: 'alph', cwd: cli.project }) })).out).toBe('alpha.ts\n')
    expect(JSON.parse((await cli.run(['files', 'ts', '--limit', '1', '--json'])).out)).toEqual(['beta.ts'])
  })
})
