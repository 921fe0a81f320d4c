// What the daemon document says of its tables and of what each hook changes in them, and no other test shows.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { EVENTS } from '@belay/core'
import { parseAst } from 'rolldown/parseAst'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sortFleet } from '../../packages/host/src/fleet/fleet-agent.ts'
import { type Flow, runFlow } from '../../packages/host/src/method/fixtures/flow.ts'
import type { AgentHands } from '../../packages/host/src/method/fixtures/state-daemon.ts'
import { runHook } from '../../packages/host/src/shim/node-shim.ts'
import { openSqliteStore } from '../../packages/host/src/store/open-sqlite-store.ts'
import { askDaemon } from '../../packages/host/src/wire/daemon-client.ts'
import { runPaths } from '../../packages/host/src/wire/run-paths.ts'
import { readBlock } from './read-blocks.ts'

let flow: Flow
beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

async function query(sql: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const store = await openSqliteStore({ file: join(flow.home, 'belay.db'), readOnly: true })
  const { rows } = await store.db.executeQuery<Record<string, unknown>>({ sql, parameters: [], query: { kind: 'RawNode' } } as never)
  await store.close()
  return rows
}

test('a hook call is one round trip: one connection, one line there, one line back', async () => {
  const home = mkdtempSync(join(flow.folder, 'h-'))
  const env = { BELAY_HOME: home, HOME: home, PATH: process.env.PATH }
  const heard: string[] = []
  const server = createServer(socket => {
    heard.push('')
    socket.on('data', chunk => {
      heard[heard.length - 1] += String(chunk)
      if (String(chunk).endsWith('\n')) socket.end('{"exit":0,"stdout":"","stderr":""}\n')
    })
  })
  const { shimSocket } = runPaths(home, env)
  mkdirSync(dirname(shimSocket), { mode: 0o700, recursive: true })
  await new Promise<void>(resolve => server.listen(shimSocket, resolve))
  const payload = JSON.stringify({ session_id: 's', cwd: flow.project, tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' })
  const io = { payload, cwd: flow.project, env, isTty: false, etc: home, startDaemon: () => undefined }
  await runHook({ agent: 'claude-code', event: 'PreToolUse', direct: false, deadlineMs: null }, io)
  server.close()
  expect(heard.map(text => text.split('\n').length - 1)).toEqual([1])
})

describe('tables', () => {
  test.each([
    ['sessions', 'id effort_id prev_session_id heartbeat_counter context_usage loaded_files dehydration_payload'],
    ['efforts', 'id task_id skill mode ordinal lifecycle current_phase discovered_directives metadata'],
    ['tasks', 'dir_path project_id title keywords'],
  ])('%s has the columns of the document', async (table, columns) => {
    const names = (await query(`SELECT name FROM pragma_table_info('${table}')`)).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(columns.split(' ')))
  })

  test('an effort fills projects, skills and tasks, and the views show it', async () => {
    await flow.begin(flow.as('rows'), 'rows', { title: 'rows' })
    expect(await query('SELECT path, name FROM projects')).toEqual([{ path: flow.project, name: 'project' }])
    expect(await query('SELECT name, version FROM skills')).toEqual([{ name: 'implement', version: '2' }])
    const task = `dir_path = '${flow.task('rows')}'`
    expect(await query(`SELECT title FROM tasks WHERE ${task}`)).toEqual([{ title: 'rows' }])
    expect(await query(`SELECT efforts, state FROM task_summary WHERE ${task}`)).toEqual([{ efforts: 1, state: 'active' }])
    expect(await query("SELECT skill FROM active_efforts WHERE task_id LIKE '%/rows'")).toEqual([{ skill: 'implement' }])
    expect(await query("SELECT skill, phase FROM fleet_status WHERE agent = 'rows'")).toEqual([{ skill: 'implement', phase: 'plan' }])
    expect(await query('SELECT * FROM stale_sessions')).toEqual([])
  })

  test('no verb changes a task: it is a container', async () => {
    const answer = await askDaemon({ socket: flow.socket, method: 'GET', path: '/openapi.json' })
    const methods = [...JSON.stringify(answer).matchAll(/"(task\.\w+)"/g)].map(([, name]) => name)
    expect(new Set(methods)).toEqual(new Set(['task.list', 'task.show']))
  })

  test('all state is in the database: no file of state is written anywhere', () => {
    const files = [flow.home, flow.project].flatMap(folder => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    expect(files.filter(name => name.endsWith('.state.json'))).toEqual([])
    expect(existsSync(join(flow.home, 'belay.db'))).toBe(true)
  })

  test('what was said is kept in messages, by who said it', async () => {
    const agent = flow.as('talker')
    await flow.begin(agent, 'talker')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    await agent.hook('userPrompt', { prompt: 'go' })
    await agent.verb('effort.log', { text: 'half way' })
    await agent.hook('postToolUseFailure', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't', error: 'exit 1' })
    const questions = [{ question: 'Which?', header: 'x', options: [] }]
    await agent.hook('postToolUse', {
      tool_name: 'AskUserQuestion',
      tool_input: { questions },
      tool_response: { questions, answers: { 'Which?': 'this' } },
    })
    await agent.hook('taskCompleted', { task_id: '1', task_subject: 'it' })
    await agent.hook('stop', { last_assistant_message: 'done' })
    const { messages } = await agent.verb('session.show', { id: sessionId })
    const roles = messages.map(({ role }: { role: string }) => role)
    expect(new Set(roles)).toEqual(new Set(['user', 'log', 'error', 'dialogue', 'task', 'assistant']))
    const failed = messages.find(({ role }: { role: string }) => role === 'error')
    expect(failed).toMatchObject({ content: expect.stringContaining('exit 1'), tool: 'Bash' })
  })
})

describe('hooks', () => {
  test('sessionStart takes a model and the type of the agent', async () => {
    const answer = await flow.as('typed').hook('sessionStart', { source: 'startup', model: 'opus', agent_type: 'reviewer' })
    expect(answer).toMatchObject({ found: false, sessionId: expect.any(Number) })
    const kept = async () =>
      (await query("SELECT body FROM ledger WHERE kind = 'session_start'")).map(({ body }) => JSON.parse(String(body)))
    const told = { source: 'startup', model: 'opus', agentType: 'reviewer' }
    await expect.poll(kept).toContainEqual(expect.objectContaining({ fields: told }))
  })

  test('a directory that leads nowhere: the call is let through, and nothing is known', async () => {
    const answer = await flow.as('lost').tool('Bash', { command: 'ls' }, { cwd: '/no/such/folder' })
    expect(answer).toMatchObject({ allow: true, heartbeatCount: null, contextUsage: null, pendingPreloads: [], firedRules: [] })
  })

  test('sessionEnd tells whoever coordinates the agent', async () => {
    await flow.as('lead').hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify({ AGENT_MANAGES: 'worker' }) })
    await flow.as('worker').hook('sessionStart', { source: 'startup' })
    expect(await flow.as('worker').hook('sessionEnd', { reason: 'other' })).toMatchObject({
      status: 'done',
      ended: true,
      signalled: ['lead'],
    })
  })

  test('an effort is finished once', async () => {
    const agent = flow.as('finisher')
    await flow.begin(agent, 'finisher')
    expect(await agent.verb('effort.finish')).toMatchObject({ lifecycle: 'finished' })
    expect(await agent.verb('effort.finish')).toEqual({ error: expect.stringContaining('no active effort') })
  })

  test('a skill has its own interval of the heartbeat', async () => {
    flow.write('.claude/skills/quick/SKILL.md', '---\nname: quick\ndescription: x\nheartbeat_interval: 4\n---\n')
    const agent = flow.as('quick')
    await agent.verb('effort.start', { skill: 'quick', task: flow.task('quick') })
    await agent.hook('sessionStart', { source: 'startup' })
    const allowed: boolean[] = []
    for (let call = 1; call <= 4; call += 1) allowed.push((await agent.tool('Bash', { command: `echo ${call}` })).allow)
    expect(allowed).toEqual([true, true, true, false])
  })

  test.each([
    [805, false],
    [910, true],
  ])('of a window of 1000 tokens %i are used: warning %s', async (tokens, warns) => {
    const agent = flow.as(`filled-${tokens}`)
    await flow.begin(agent, `filled-${tokens}`)
    const file = join(flow.folder, `filled-${tokens}.jsonl`)
    const line = { type: 'assistant', message: { usage: { input_tokens: 5, cache_read_input_tokens: tokens - 5, output_tokens: 0 } } }
    writeFileSync(file, `${JSON.stringify(line)}\n`)
    const answer = await agent.tool('Bash', { command: 'ls' }, { transcript_path: file })
    expect(answer).toMatchObject({ contextUsage: tokens / 1000, overflowWarning: warns })
  })

  test('userPrompt tells time, session, skill, phase and heartbeat in one line', async () => {
    const agent = flow.as('told')
    await flow.begin(agent, 'told')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    await agent.tool('Bash', { command: 'ls' })
    const { sessionContext } = await agent.hook('userPrompt', { prompt: 'go' })
    for (const part of [/time \d{4}-/, new RegExp(`session ${sessionId}`), /skill implement/, /phase plan/, /heartbeat 1/])
      expect(sessionContext).toMatch(part)
  })

  const statusOf = async (agent: AgentHands, type: string) =>
    (await agent.hook('notification', { message: 'look', notification_type: type })).status

  test.each(['permission_prompt', 'idle_prompt', 'elicitation_dialog'])('a notification of %s means attention', async type => {
    const agent = flow.as(`notified-${type}`)
    await agent.hook('userPrompt', { prompt: 'go' })
    expect([await statusOf(agent, 'auth_success'), await statusOf(agent, type)]).toEqual(['working', 'attention'])
  })

  test('a team mate that is idle is done', async () => {
    await flow.as('mate').hook('userPrompt', { prompt: 'go' })
    await flow.as('captain').hook('teammateIdle', { teammate_name: 'mate', team_name: 'crew' })
    expect(await flow.rpc('agent.show', { id: 'mate' })).toMatchObject({ status: 'done' })
  })
})

test('the schema of the document names fields of PreToolUse', () => {
  const { body } = parseAst(readBlock('daemon', 58), { lang: 'ts' })
  const names = [...JSON.stringify(body).matchAll(/"key":\{"type":"Identifier"[^}]*"name":"(\w+)"/g)].map(([, name]) => name)
  const fields = Object.keys(EVENTS.find(({ name }) => name === 'PreToolUse')?.fields ?? {})
  expect([names.length, fields]).toEqual([3, expect.arrayContaining(names)])
})

test('the fleet is sorted as the document says', () => {
  const order = /Status priority: (.*)/.exec(readBlock('daemon', 245))?.[1]?.split(' > ') ?? []
  const agents = [...order].reverse().map(status => ({ agent: status, status, lastEventAt: '2026-01-01T00:00:00.000Z' }))
  expect(sortFleet(agents as never).map(({ status }) => status)).toEqual(order)
})
