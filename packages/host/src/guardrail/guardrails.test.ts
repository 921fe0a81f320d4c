// U's guardrails through the real daemon, as Claude Code would meet them.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
guardrails:
  schema_guard:
    tools:
      Write: { required: [file_path, content], content_min_length: 5, example: { file_path: notes.md, content: "What was found" } }
      mcp__count__add: { schema: { type: object, required: [n], properties: { n: { type: integer, minimum: 1 }, tag: { type: string, pattern: "^[a-z]+$" } } } }
  schema_nudge: {}
  failure_hints: {}
  side_effects: {}
  tool_ledger:
    rules:
      - { tool: "Bash(make deploy *)", class: external, policy: REPLAY_EXACT, id: deploy }
  artifacts:
    expect:
      - { agent: writer, files: ["out/*.md"], headings: [Summary], cleanup: ["out/tmp-*"], next: "publish it" }
  stop_harness:
    objective: the file done.txt exists
    promise: DONE
    max_iterations: 3
    verify: ["test -f done.txt"]
  skill_discovery: {}
`

let daemon: TestDaemon
beforeAll(async () => {
  daemon = await runDaemon({ policy: POLICY })
  const skill = join(daemon.project, '.belay', 'skills', 'pdf')
  mkdirSync(skill, { recursive: true })
  writeFileSync(join(skill, 'SKILL.md'), '---\nname: pdf\ndescription: Fill in PDF forms\nkeywords: [pdf]\n---\nUse the form tool.\n')
})
afterAll(() => daemon.stop())

const pre = (tool_name: string, tool_input: object, tool_use_id = 'u') => daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id })

function contextOf({ stdout }: { readonly stdout: string }): string {
  return stdout === '' ? '' : String(JSON.parse(stdout).hookSpecificOutput?.additionalContext ?? '')
}

test('a call that lacks a field is denied with an example', async () => {
  const { decision, reason } = await pre('Write', { file_path: 'a.md' })
  expect([decision, reason]).toEqual([
    'deny',
    expect.stringContaining('`content` is missing. Call it like this: Write({"file_path":"notes.md"'),
  ])
})

test.each([
  [{ n: 3, tag: 'ok' }, undefined],
  [{ n: 0 }, /\/n must be >= 1/],
  [{ n: 1, tag: 'A1' }, /\/tag must match pattern/],
  [{}, /must have required property 'n'/],
])('JSON Schema: %j', async (input, problem) => {
  const { decision, reason } = await pre('mcp__count__add', input)
  if (problem === undefined) expect(decision).toBe(undefined)
  else expect([decision, reason]).toEqual(['deny', expect.stringMatching(problem)])
})

test('a validation error gets the example, a known failure its hint', async () => {
  const nudged = await daemon.hook('PostToolUseFailure', {
    tool_name: 'Write',
    tool_input: {},
    error: 'InputValidationError: content is required',
  })
  expect(contextOf(nudged)).toContain('Write refused its input')
  const hinted = await daemon.hook('PostToolUseFailure', { tool_name: 'Bash', tool_input: {}, error: 'bash: foo: command not found' })
  expect(contextOf(hinted)).toContain('not installed')
})

describe('the tool ledger', () => {
  const deploy = { command: 'make deploy prod' }

  test('a finished external call returns its receipt and does not run, also after a restart', async () => {
    expect((await pre('Bash', deploy, 'd1')).decision).toBe(undefined)
    const secret = `ghp_${'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0vW1xY2'.slice(0, 36)}`
    await daemon.hook('PostToolUse', {
      tool_name: 'Bash',
      tool_input: deploy,
      tool_use_id: 'd1',
      tool_response: { stdout: `deployed v7 with ${secret}` },
    })
    await daemon.restart()
    const { decision, reason } = await pre('Bash', { ...deploy, description: 'once more' }, 'd2')
    expect([decision, reason]).toEqual(['deny', expect.stringMatching(/has run already.*deployed v7/s)])
    expect(reason).not.toContain(secret)
  })

  test('another session is other work', async () => {
    const reply = await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: deploy, tool_use_id: 'd3', session_id: 'other' })
    expect(reply.decision).toBe(undefined)
  })
})

test('a sub-agent must leave its report; the main agent hears what comes next', async () => {
  const writer = { agent_id: 'w1', agent_type: 'writer' }
  await daemon.hook('SubagentStart', writer)
  const refused = await daemon.hook('SubagentStop', writer)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    decision: 'block',
    reason: expect.stringContaining('Retry required: out/*.md is missing'),
  })
  mkdirSync(join(daemon.project, 'out'), { recursive: true })
  writeFileSync(join(daemon.project, 'out', 'report.md'), '# Summary\nfine\n')
  writeFileSync(join(daemon.project, 'out', 'tmp-1'), 'x')
  expect((await daemon.hook('SubagentStop', writer)).stdout).not.toContain('block')
  expect(existsSync(join(daemon.project, 'out', 'tmp-1'))).toBe(false)
  const told = await daemon.hook('PostToolUse', { tool_name: 'Agent', tool_input: {}, tool_response: 'ok' })
  expect(contextOf(told)).toContain('Next: publish it')
})

describe('the stop harness', () => {
  const says = (last_assistant_message: string, session_id: string) =>
    daemon.hook('Stop', { last_assistant_message, session_id, stop_hook_active: false })

  test('a false promise goes on; a killed loop resumes at its iteration; the truth ends it', async () => {
    const first = JSON.parse((await says('<promise>DONE</promise>', 'h1')).stdout)
    expect(first).toMatchObject({
      decision: 'block',
      reason: expect.stringMatching(/Iteration 2 of 3[\s\S]*test -f done\.txt failed with exit code 1/),
    })
    await daemon.restart()
    const resumed = await daemon.hook('SessionStart', { source: 'startup', session_id: 'h2' })
    expect(contextOf(resumed)).toContain('Iteration 2 of 3.')
    writeFileSync(join(daemon.project, 'done.txt'), '')
    expect((await says('All of it. <promise> DONE </promise>', 'h2')).stdout).not.toContain('block')
    const state = JSON.parse(readFileSync(join(daemon.home, 'harness', onlyFile(join(daemon.home, 'harness'))), 'utf8'))
    expect(state).toMatchObject({ state: 'done', iteration: 2 })
  })
})

function onlyFile(folder: string): string {
  const [name, ...more] = readdirSync(folder)
  expect(more).toEqual([])
  return String(name)
}

test('the skill that a prompt is about comes with it', async () => {
  expect(contextOf(await daemon.hook('UserPromptSubmit', { prompt: 'fill in this pdf', session_id: 'k1' }))).toContain('Use the form tool.')
})
