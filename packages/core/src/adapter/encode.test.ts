import { describe, expect, test } from 'vitest'
import { type Agent, findAgent, listAgents } from '../agent/agents.ts'
import type { HookResult } from '../hook/hook-result.ts'
import { allow, ask, deny, none } from '../verdict/verdict.ts'
import { decodeEvent } from './decode.ts'
import { encodeAnswer } from './encode.ts'
import { readAgentFixture } from './fixtures/agent-fixture.ts'

const fixtures = new Map(listAgents().map(({ id }) => [id as string, readAgentFixture(id)]))

function mustFind(id: string): Agent {
  const agent = findAgent(id)
  if (agent === null) throw new Error(`no agent ${id}`)
  return agent
}

function encode(id: string, event: string, result: HookResult, attended = true) {
  const decoded = decodeEvent(mustFind(id), event, {
    session_id: 's',
    tool_name: fixtures.get(id)?.commands[0]?.tool ?? 'Bash',
    tool_input: { command: 'x' },
  })
  const { stdout, ...rest } = encodeAnswer(decoded, result, { attended })
  return { ...rest, answer: stdout === '' ? null : JSON.parse(stdout) }
}

const said = (answer: unknown, degraded: readonly string[] = []) => ({ answer, stderr: '', exitCode: 0, degraded })
const refused = (reason: string, degraded: readonly string[] = []) => ({ answer: null, stderr: `${reason}\n`, exitCode: 2, degraded })

const denied: HookResult = { verdict: deny('no force push') }
const rewritten: HookResult = { verdict: none(), rewrite: { input: { command: 'y' } } }
const silent: HookResult = { verdict: none() }

test.each(
  [...fixtures].map(
    ([
      id,
      {
        denied: { event, ...answer },
      },
    ]) => [id, event, answer] as const,
  ),
)('deny before a tool: %s %s', (id, event, answer) => {
  expect(encode(id, event, denied)).toEqual({ ...answer, degraded: [] })
})

describe('rewrite before a tool is the whole input', () => {
  test.each([
    ['claude-code', 'PreToolUse', said({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'y' } } })],
    [
      'codex',
      'PreToolUse',
      said({ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command: 'y' } } }),
    ],
    ['gemini', 'BeforeTool', said({ hookSpecificOutput: { hookEventName: 'BeforeTool', tool_input: { command: 'y' } } })],
    ['copilot', 'PreToolUse', said({ modifiedArgs: { command: 'y' } })],
    ['opencode', 'tool.execute.before', said({ decision: 'none', input: { command: 'y' } })],
  ])('%s', (id, event, expected) => {
    expect(encode(id, event, rewritten)).toEqual(expected)
  })

  test('in the argument names the agent used', () => {
    const decoded = decodeEvent(mustFind('opencode'), 'tool.execute.before', {
      session_id: 's',
      tool_name: 'write',
      tool_input: { filePath: 'a', content: 'x' },
    })
    const { stdout } = encodeAnswer(decoded, { verdict: none(), rewrite: { input: { file_path: 'b', content: 'x' } } }, { attended: false })
    expect(JSON.parse(stdout).input).toEqual({ filePath: 'b', content: 'x' })
  })

  test('an agent that cannot take it is denied instead, and that is recorded', () => {
    expect(encode('windsurf', 'pre_run_command', rewritten)).toEqual(
      refused('Tool denied: the policy rewrites this input, which Windsurf cannot do', [
        'Windsurf cannot take a rewritten input: denied instead',
      ]),
    )
  })

  test('a deny beside a rewrite stays a deny and carries no input', () => {
    expect(encode('codex', 'PreToolUse', { ...rewritten, verdict: deny('no') }).answer.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'Tool denied: no',
    })
  })
})

describe('ask', () => {
  test('is native where the agent can and a person is there', () => {
    expect(encode('claude-code', 'PreToolUse', { verdict: ask('touches prod') }).answer.hookSpecificOutput).toMatchObject({
      permissionDecision: 'ask',
      permissionDecisionReason: 'touches prod',
    })
    expect(encode('gemini', 'BeforeTool', { verdict: ask('touches prod') })).toEqual(said({ decision: 'ask', reason: 'touches prod' }))
  })
  test.each(['claude-code', 'gemini', 'copilot'])('%s denies when nobody is there', id => {
    const { answer, degraded } = encode(id, 'PreToolUse', { verdict: ask('touches prod') }, false)
    expect(JSON.stringify(answer)).toContain('deny')
    expect(degraded).toEqual(['nobody is there to answer: denied instead of asked'])
  })
  test('Codex never sees an ask: it would run the tool', () => {
    expect(encode('codex', 'PreToolUse', { verdict: ask('touches prod') }).answer.hookSpecificOutput.permissionDecision).toBe('deny')
  })
})

describe('allow', () => {
  test('is said where it means something', () => {
    expect(encode('claude-code', 'PreToolUse', { verdict: allow('rule') }).answer.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'rule',
    })
  })
  test.each(['codex', 'gemini'])('%s gets no answer: an allow means nothing to it or breaks its parser', id => {
    expect(encode(id, 'PreToolUse', { verdict: allow() })).toEqual(said(null))
  })
})

describe('prompt, stop, context, result', () => {
  test.each([
    ['claude-code', 'UserPromptSubmit', denied, said({ decision: 'block', reason: 'no force push' })],
    ['codex', 'UserPromptSubmit', denied, said({ decision: 'block', reason: 'no force push' })],
    ['gemini', 'BeforeAgent', denied, said({ decision: 'deny', reason: 'no force push' })],
    ['claude-code', 'Stop', denied, said({ decision: 'block', reason: 'no force push' })],
    ['gemini', 'AfterAgent', denied, said({ decision: 'deny', reason: 'no force push' })],
    ['windsurf', 'post_cascade_response', denied, said(null, ['Windsurf cannot be kept from stopping'])],
    [
      'claude-code',
      'SessionStart',
      { verdict: none(), context: 'hello' },
      said({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'hello' } }),
    ],
    [
      'claude-code',
      'PostToolUse',
      { verdict: none(), forAgent: { classifierContext: 'a fact' } },
      said({ hookSpecificOutput: { hookEventName: 'PostToolUse', classifierContext: 'a fact' } }),
    ],
    [
      'claude-code',
      'PermissionDenied',
      { verdict: none(), forAgent: { retry: true } },
      said({ hookSpecificOutput: { hookEventName: 'PermissionDenied', retry: true } }),
    ],
    [
      'gemini',
      'AfterTool',
      { verdict: none(), forAgent: { classifierContext: 'a fact' } },
      said(null, ['Gemini CLI cannot be told facts for a classifier at AfterTool: dropped']),
    ],
    ['copilot', 'SessionStart', { verdict: none(), context: 'hello' }, said({ additionalContext: 'hello' })],
    ['gemini', 'BeforeTool', { verdict: none(), context: 'hello' }, said(null, ['Gemini CLI takes no context at PreToolUse: dropped'])],
    ['gemini', 'AfterTool', { verdict: none(), rewrite: { output: 'shorter' } }, said({ decision: 'deny', reason: 'shorter' })],
    ['codex', 'PostToolUse', { verdict: none(), rewrite: { output: 'shorter' } }, said({ decision: 'block', reason: 'shorter' })],
    [
      'claude-code',
      'UserPromptSubmit',
      { verdict: none(), rewrite: { prompt: 'clean' } },
      said({ decision: 'block', reason: 'the policy rewrites this prompt, which Claude Code cannot do' }, [
        'Claude Code cannot take a rewritten prompt: blocked instead',
      ]),
    ],
    ['claude-code', 'TaskCompleted', denied, refused('no force push')],
  ] as const)('%s %s', (id, event, result, expected) => {
    expect(encode(id, event, result)).toEqual(expected)
  })

  test('context over the limit of the agent is cut and that is recorded', () => {
    const { answer, degraded } = encode('claude-code', 'SessionStart', { verdict: none(), context: 'x'.repeat(20_000) })
    expect(answer.hookSpecificOutput.additionalContext).toHaveLength(10_000)
    expect(degraded).toEqual(['context cut to 10000 characters'])
  })

  test('ending the turn before a tool also keeps the tool from running', () => {
    const reason = 'Tool denied: enough'
    const specific = { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason }
    const ended = { verdict: none(), stop: { reason: 'enough' } }
    expect(encode('claude-code', 'PreToolUse', ended).answer).toEqual({
      continue: false,
      stopReason: 'enough',
      hookSpecificOutput: specific,
    })
    expect(encode('codex', 'PreToolUse', ended).answer).toEqual({ hookSpecificOutput: specific })
    expect(encode('cursor', 'preToolUse', ended).answer).toMatchObject({ permission: 'deny', agent_message: reason })
    expect(encode('cline', 'PreToolUse', ended).answer).toEqual({ cancel: true, errorMessage: reason })
    expect(encode('opencode', 'tool.execute.before', ended).answer).toMatchObject({ decision: 'deny', reason })
    expect(encode('kiro', 'PreToolUse', ended)).toMatchObject({ exitCode: 2, stderr: `${reason}\n` })
  })
})

describe('laws that hold for every agent and event', () => {
  const results: readonly HookResult[] = [
    silent,
    denied,
    rewritten,
    { verdict: ask('q') },
    { verdict: allow() },
    { verdict: none(), context: 'c', message: 'm', stop: { reason: 's' } },
  ]
  const pairs = listAgents().flatMap(({ id, events }) => Object.keys(events).map(event => [id, event] as const))

  test.each(pairs)('%s %s answers in one format: JSON or exit code, never both', (id, event) => {
    for (const result of results) {
      const { answer, exitCode, stderr } = encode(id, event, result, false)
      expect(exitCode === 0 || (exitCode === 2 && answer === null && stderr.trim() !== '')).toBe(true)
    }
  })

  test.each(pairs)('%s %s says nothing when there is nothing to say', (id, event) => {
    const { answer, exitCode } = encode(id, event, silent)
    expect(exitCode).toBe(0)
    // Antigravity refuses a call that no hook decides; its `ask` is what would have happened anyway.
    const nothing = findAgent(id)?.answer === 'antigravity' ? 'ask' : 'none'
    expect(answer === null || answer.decision === nothing).toBe(true)
  })

  const texts: HookResult = { verdict: deny('the reason'), context: 'the context', message: 'the message', stop: { reason: 'the stop' } }
  test.each(pairs)('%s %s: what is not said is recorded', (id, event) => {
    const { answer, stderr, degraded } = encode(id, event, texts)
    const output = `${JSON.stringify(answer)}${stderr}`
    const lost = ['the reason', 'the context', 'the message', 'the stop'].filter(text => !output.includes(text))
    expect(degraded.length).toBeGreaterThanOrEqual(lost.length)
  })

  const codexKeys = new Set(['continue', 'stopReason', 'suppressOutput', 'systemMessage', 'decision', 'reason', 'hookSpecificOutput'])
  test('Codex never gets a field it does not know, nor a deny without a reason', () => {
    for (const event of Object.keys(findAgent('codex')?.events ?? {})) {
      for (const result of results) {
        const { answer } = encode('codex', event, result, false)
        if (answer === null) continue
        expect(Object.keys(answer).filter(key => !codexKeys.has(key))).toEqual([])
        const { permissionDecision, permissionDecisionReason, hookEventName } = answer.hookSpecificOutput ?? {}
        if (answer.hookSpecificOutput !== undefined) expect(hookEventName).toBe(event)
        if (permissionDecision === 'deny') expect(permissionDecisionReason).toBeTruthy()
        expect(permissionDecision).not.toBe('ask')
      }
    }
  })
})
