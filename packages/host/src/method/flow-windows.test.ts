// Windows of one effort: one row for each session of a host, what is handed over, which directives reach whom. With a real daemon.
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
})
afterAll(() => flow.stop())

const list = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: '' }
const read = (file: string) => ({ tool_name: 'Read', tool_input: { file_path: file }, tool_response: '' })

test.each([
  ['that both began', true],
  ['whose start nobody saw', false],
])('two windows under one AGENT_ID, %s, have one session each, and each its own heartbeat', async (name, isSeen) => {
  const id = `pair ${isSeen}`
  const windows = [flow.as(id, `${name} a`), flow.as(id, `${name} b`)]
  await flow.begin(flow.as(id), `pair-${isSeen}`)
  if (isSeen) for (const window of windows) await window.hook('sessionStart', { source: 'startup' })
  const answers = []
  for (let call = 0; call < 22; call++) answers.push(await windows[call % 2]?.tool('Bash', { command: `echo ${call}` }))
  expect(answers.map(answer => answer.heartbeatCount)).toEqual([...Array(22).keys()].map(call => Math.floor(call / 2) + 1))
  expect(answers.filter(answer => !answer.allow)).toHaveLength(4)
  expect(await flow.as(id).verb('session.list')).toHaveLength(2)
  await flow.restart()
  expect(await windows[0]?.tool('Bash', { command: 'pwd' })).toMatchObject({ heartbeatCount: 12 })
  expect(await flow.as(id).verb('session.list')).toHaveLength(2)
})

test('a window that another one seemed to replace is open again with its next event, without an effort too', async () => {
  const [first, second] = [flow.as('plain', 'plain a'), flow.as('plain', 'plain b')]
  await first.hook('sessionStart', { source: 'startup' })
  await second.hook('sessionStart', { source: 'startup' })
  await first.tool('Bash', { command: 'ls' })
  const rows = await first.verb('session.list')
  expect(rows.map((row: { endedAt: string | null }) => row.endedAt)).toEqual([null, null])
})

test('a hand-over is given to every new window until one of them has made progress', async () => {
  const agent = flow.as('heir')
  await flow.begin(agent, 'heir')
  await agent.hook('sessionStart', { source: 'startup' })
  await agent.verb('session.dehydrate', { payload: { summary: 'half way' } })
  for (const source of ['startup', 'clear', 'compact']) {
    expect(await agent.hook('sessionStart', { source, session_id: `heir ${source}` })).toMatchObject({
      dehydratedContext: { summary: 'half way' },
    })
    await agent.hook('postToolUse', { ...list, session_id: `heir ${source}` })
  }
  await flow.restart()
  await agent.verb('effort.log', { text: 'the other half' })
  expect(await agent.hook('sessionStart', { source: 'clear' })).toMatchObject({ dehydratedContext: { recovered: true } })
})

test('a write to the log is progress too, and a new hand-over takes the place of the one before', async () => {
  const agent = flow.as('writer')
  const { log } = await flow.begin(agent, 'writer')
  await agent.verb('session.dehydrate', { payload: { summary: 'no window yet' } })
  await agent.hook('sessionStart', { source: 'startup' })
  await agent.verb('session.dehydrate', { payload: { summary: 'one' } })
  await agent.hook('sessionStart', { source: 'clear' })
  await agent.verb('session.dehydrate', { payload: { summary: 'two' } })
  expect(await agent.hook('sessionStart', { source: 'clear' })).toMatchObject({ dehydratedContext: { summary: 'two' } })
  await agent.hook('postToolUse', { tool_name: 'Write', tool_input: { file_path: log, content: 'x' }, tool_response: '' })
  expect(await agent.hook('sessionStart', { source: 'clear' })).toMatchObject({ dehydratedContext: { recovered: true } })
})

test('a window whose start nobody saw gets the hand-over with its first text', async () => {
  const agent = flow.as('unseen')
  await flow.begin(agent, 'unseen')
  await agent.hook('sessionStart', { source: 'startup' })
  await agent.verb('session.dehydrate', { payload: { summary: 'for whoever comes' } })
  const other = flow.as('unseen', 'another window')
  expect(await other.native('PostToolUse', list)).toContain('for whoever comes')
  expect(await other.native('PostToolUse', list)).toBe('')
})

test('the recovery block is text, not JSON', async () => {
  const agent = flow.as('texts')
  await flow.begin(agent, 'texts')
  await agent.hook('sessionStart', { source: 'startup' })
  const payload = { summary: 'so far', decisions: [{ what: 'SQLite', why: 'one file' }], own: { keys: [1, 2] } }
  await agent.verb('session.dehydrate', { payload })
  const [given = ''] = (await agent.native('SessionStart', { source: 'clear' })).split('</recovery>')
  expect(given).toContain('decisions:\n- what: SQLite, why: one file\nown:\n  keys:\n    - 1\n    - 2')
  await agent.verb('effort.log', { text: 'used' })
  const [gathered = ''] = (await agent.native('SessionStart', { source: 'clear' })).split('</recovery>')
  expect(gathered).toContain('phases:\n- phase: plan, at: 2')
  expect(given + gathered).not.toMatch(/[{}[\]"]/)
})

test('directives reach every new window of the effort, and the agent whose sub-agent came across them', async () => {
  flow.write('parts/AGENTS.md', 'Parts are small.')
  flow.write('parts/inner/TESTING.md', 'Test each part.')
  const file = flow.write('parts/inner/x.ts', '')
  const agent = flow.as('teller')
  await flow.begin(agent, 'teller')
  await agent.hook('sessionStart', { source: 'startup' })
  const sub = { agent_id: 'helper', agent_type: 'x' }
  await agent.hook('subagentStart', sub)
  const told = await agent.native('PostToolUse', { ...read(file), ...sub })
  expect(told).toContain('Parts are small.')
  const main = await agent.native('PostToolUse', list)
  expect(main).toContain('Parts are small.')
  expect(main).toContain('Test each part.')
  expect(await agent.native('PostToolUse', read(file))).toBe('')
  expect(await agent.native('SessionStart', { source: 'clear' })).toContain('Test each part.')
  expect(await agent.native('PostToolUse', read(file))).toBe('')
  expect(await agent.native('SubagentStart', { ...sub, agent_id: 'second' })).toContain('Parts are small.')
  flow.write('parts/AGENTS.md', 'Parts are tiny.')
  expect(await agent.native('PostToolUse', read(file))).toContain('Parts are tiny.')
})

test('nothing is handed over that the agent reads itself', async () => {
  flow.write('own/CLAUDE.md', 'Claude reads this.\n@AGENTS.md\n')
  flow.write('own/AGENTS.md', 'Imported by the other.')
  flow.write('own/PITFALLS.md', 'Read only by us.')
  flow.write('linked/CLAUDE.md', 'Read under its own name.')
  symlinkSync('CLAUDE.md', join(flow.project, 'linked/AGENTS.md'))
  flow.write('direct/AGENTS.md', 'Just read.')
  const agent = flow.as('reader')
  await flow.begin(agent, 'reader')
  await agent.hook('sessionStart', { source: 'startup' })
  const own = await agent.native('PostToolUse', read(flow.write('own/x.ts', '')))
  expect(own).toContain('Read only by us.')
  expect(own).not.toContain('Claude reads this.')
  expect(own).not.toContain('Imported by the other.')
  expect(await agent.native('PostToolUse', read(flow.write('linked/x.ts', '')))).toBe('')
  expect(await agent.native('PostToolUse', read(join(flow.project, 'direct/AGENTS.md')))).toBe('')
})

test('an agent that reads AGENTS.md of the root only is given those below it', async () => {
  flow.write('AGENTS.md', 'Of the root.')
  flow.write('below/AGENTS.md', 'Of the folder.')
  const file = flow.write('below/x.ts', '')
  const agent = flow.as('codex one')
  await flow.begin(agent, 'codex')
  const told = await agent.hook('postToolUse', read(file), { 'belay-agent': 'codex' })
  expect(told.pendingInjections.map(({ path }: { path: string }) => path)).toEqual([join(flow.project, 'below/AGENTS.md')])
})
