// Running a skill begins its effort, with a real daemon.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flow, runFlow } from './fixtures/flow.ts'
import type { AgentHands } from './fixtures/state-daemon.ts'

let flow: Flow

beforeAll(async () => {
  flow = await runFlow()
  flow.write('.claude/skills/plain/SKILL.md', '---\nname: plain\ndescription: a skill of the agent\n---\n')
  flow.write('.claude/skills/quiet/SKILL.md', '---\nname: quiet\nphases: [one]\neffort: false\n---\n')
  flow.write('.belay/skills/review/SKILL.md', '---\nname: review\npreload: [gone.md]\ncmd_dependencies: [no-such-program, sh]\n---\n')
})
afterAll(() => flow.stop())

const skillCall = (input: object) => ({ tool_name: 'Skill', tool_input: input, tool_response: 'ok' })

test.each<[string, (agent: AgentHands) => Promise<unknown>]>([
  ['the prompt /implement', agent => agent.hook('userPrompt', { prompt: '/implement the login' })],
  ['UserPromptExpansion', agent => agent.native('UserPromptExpansion', { command_name: 'implement', command_args: 'the login' })],
  ['the Skill tool', agent => agent.native('PostToolUse', skillCall({ skill: 'implement', args: 'the login' }))],
  ['the Skill tool with a slash command', agent => agent.hook('postToolUse', skillCall({ command: '/implement the login' }))],
  ['a skill of a plugin', agent => agent.native('PostToolUse', skillCall({ skill: 'tools:implement' }))],
  ['a prompt to a skill without a file', agent => agent.hook('userPrompt', { prompt: '/brainstorm names' })],
])('%s begins the effort', async (name, run) => {
  const agent = flow.as(`runs by ${name}`)
  await agent.hook('sessionStart', { source: 'startup' })
  await run(agent)
  expect(await agent.verb('effort.show')).toMatchObject({
    skill: name.includes('without') ? 'brainstorm' : 'implement',
    phase: name.includes('without') ? null : 'plan',
    lifecycle: 'active',
    taskDir: flow.project,
    sessions: [{ endedAt: null }],
  })
  expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
})

test('the model is told what it works on, and the answer of the prompt has it', async () => {
  const agent = flow.as('told')
  flow.write('tasks/menu/notes.md', '')
  const answer = await agent.hook('userPrompt', { prompt: '/implement tasks/menu with icons' })
  expect(answer).toMatchObject({ skill: 'implement', phase: 'plan', heartbeat: 0, taskDir: join(flow.project, 'tasks/menu') })
  expect(answer.additionalContext).toContain('You work on effort')
  expect(answer.additionalContext).toContain('Measure first.')
  expect(await agent.hook('userPrompt', { prompt: '/implement tasks/menu again' })).toMatchObject({ effortId: answer.effortId })
  const other = await agent.hook('userPrompt', { prompt: '/fix the icons' })
  expect(other).toMatchObject({ effortId: answer.effortId, additionalContext: expect.stringContaining('effort finish') })
  await agent.verb('effort.finish')
  expect(await agent.hook('userPrompt', { prompt: '/fix the icons' })).toMatchObject({ skill: 'fix' })
})

test.each(['implement it', '/usr/bin/implement is broken', '/plain', '/quiet', '/help', '/'])('%s begins none', async prompt => {
  const agent = flow.as(`none by ${prompt}`)
  expect(await agent.hook('userPrompt', { prompt })).toMatchObject({ effortId: null })
  await agent.hook('preToolUse', skillCall({ skill: 'implement' }))
  expect(await agent.verb('effort.show')).toEqual({ error: expect.stringContaining('no active effort') })
})

test('without an id the effort is the project’s', async () => {
  const agent = flow.as(null, 'nobody')
  expect(await agent.hook('userPrompt', { prompt: '/implement' })).toMatchObject({ skill: 'implement', effortId: expect.any(Number) })
  await agent.verb('effort.finish')
})

test('what a skill names and is not there is said wherever it is used', async () => {
  const missing = [
    `preload: ${join(flow.project, '.belay/skills/review/gone.md')} is not there`,
    'cmd_dependencies: there is no program no-such-program',
  ]
  const agent = flow.as('reviewer')
  expect(await agent.verb('skill.show', { name: 'review', path: '/bin:/usr/bin' })).toMatchObject({ missing })
  expect(await agent.verb('effort.start', { skill: 'review', path: '/bin:/usr/bin' })).toMatchObject({ missing })
  const text = await agent.native('SessionStart', { source: 'startup' })
  expect(text).toContain('gone.md is not there')
  expect(text).not.toContain('- ')
})
