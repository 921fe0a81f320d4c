// The four flows of the daemon's design, and what must hold across restarts and between agents.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AgentHands, type Answer, runStateDaemon, type StateDaemon } from './fixtures/state-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      deny: ["Bash(git push *)"]
guards:
  - id: hand-over
    trigger: {type: contextThreshold, condition: "session.context_usage >= 0.9"}
    text: hand over first
    urgency: block
    priority: 10
    whitelist: ["Bash(belay dehydrate *)", "Bash(belay session finish *)"]
  - id: be-brief
    trigger: {type: phase, condition: "effort.phase == 'build'"}
    text: keep it small
    urgency: inject
    inject: once
  - id: no-curl
    trigger: {type: toolPattern, condition: "Bash(curl *)"}
    text: use the client
    urgency: warn
`

const SKILL = `---
name: implement
description: build a thing
phases: [plan, build, verify]
modes: [fast, careful]
templates:
  log: "# Log of {{skill}} {{ordinal}}"
  plan: plan.md
next_skills: [review]
preload: [guide.md]
---
Do it.
`

let daemon: StateDaemon

beforeAll(async () => {
  daemon = await runStateDaemon({ policy: POLICY, config: '[agents.claude-code]\ncontext_window = 1000\n' })
  daemon.write('.claude/skills/implement/SKILL.md', SKILL)
  daemon.write('.claude/skills/implement/plan.md', '# Plan\n')
  daemon.write('.claude/skills/implement/guide.md', 'Measure first.\n')
})
afterAll(() => daemon.stop())

const task = (name: string) => join(daemon.project, 'tasks', name)

async function begin(agent: AgentHands, name: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return agent.verb('effort.start', { skill: 'implement', task: task(name), ...more })
}

describe('startup', () => {
  test('an agent finds its effort, its files and what the last window left', async () => {
    const agent = daemon.as('starter')
    const effort = await begin(agent, 'start')
    expect(effort).toMatchObject({
      agent: 'starter',
      skill: 'implement',
      ordinal: 1,
      phase: 'plan',
      artifacts: [join(task('start'), '1_IMPLEMENT_LOG.md'), join(task('start'), '1_IMPLEMENT_PLAN.md')],
    })
    expect(readFileSync(effort.log, 'utf8')).toBe('# Log of implement 1\n')
    const first = await agent.hook('sessionStart', { source: 'startup' })
    const skills = join(daemon.project, '.claude/skills/implement')
    expect(first).toMatchObject({
      found: true,
      effortId: effort.id,
      skill: 'implement',
      phase: 'plan',
      filesToPreload: [join(skills, 'SKILL.md'), join(skills, 'guide.md'), ...effort.artifacts],
      dehydratedContext: null,
      skillConfig: { phases: ['plan', 'build', 'verify'], modes: ['fast', 'careful'] },
    })
    const payload = { summary: 'half done', nextStep: 'the rest', own: { key: [1] } }
    expect(await agent.verb('session.dehydrate', { payload })).toMatchObject({ id: first.sessionId })
    const second = await agent.hook('sessionStart', { source: 'startup', session_id: 'another' })
    expect(second).toMatchObject({ found: true, dehydratedContext: payload })
    expect(second.sessionId).toBeGreaterThan(first.sessionId)
    expect(await agent.verb('session.show', { id: second.sessionId })).toMatchObject({ previous: first.sessionId, endedAt: null })
    expect(await agent.verb('session.show', { id: first.sessionId })).toMatchObject({ endedAt: expect.any(String), dehydration: payload })
  })

  test('natively the same goes to the model: files and the recovery block', async () => {
    const agent = daemon.as('native')
    await begin(agent, 'native')
    await agent.native('SessionStart', { source: 'startup' })
    await agent.verb('session.dehydrate', { payload: { summary: 'remember the milk' } })
    const text = await agent.native('SessionStart', { source: 'clear' })
    expect(text).toContain('<recovery>')
    expect(text).toContain('remember the milk')
    expect(text).toContain('Measure first.')
    expect(text.length).toBeLessThanOrEqual(10_000)
  })

  test('files beyond what the agent takes are named, to be read', async () => {
    const agent = daemon.as('large')
    const { log } = await begin(agent, 'large')
    writeFileSync(log, 'x'.repeat(20_000))
    const text = await agent.native('SessionStart', { source: 'startup' })
    expect(text).toContain(`Read before you go on:\n- ${log}`)
    expect((await agent.tool('Bash', { command: 'ls' })).pendingPreloads).toEqual([log])
    expect(await agent.tool('Read', { file_path: log })).toMatchObject({ heartbeatCount: 1 })
    await agent.hook('postToolUse', { tool_name: 'Read', tool_input: { file_path: log }, tool_response: '' })
    expect((await agent.tool('Bash', { command: 'ls' })).pendingPreloads).toEqual([])
  })

  test('re-delivery of one event id makes no second session', async () => {
    const agent = daemon.as('again')
    const once = await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })
    expect(await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })).toEqual(once)
    await daemon.restart()
    expect(await agent.hook('sessionStart', { source: 'startup' }, { 'belay-event-id': 'e-1' })).toEqual(once)
    const next = await agent.hook('sessionStart', { source: 'resume' }, { 'belay-event-id': 'e-2' })
    expect(next.sessionId).toBeGreaterThan(once.sessionId)
  })
})

describe('tool call', () => {
  test('the heartbeat warns from 3, blocks at 10, and a progress entry clears it', async () => {
    const agent = daemon.as('beat')
    await begin(agent, 'beat')
    await agent.hook('sessionStart', { source: 'startup' })
    const answers: Answer[] = []
    for (let call = 1; call <= 10; call++) answers.push(await agent.tool('Bash', { command: `echo ${call}` }))
    expect(answers.map(answer => [answer.heartbeatCount, answer.allow, answer.firedRules.includes('heartbeat')])).toEqual([
      [1, true, false],
      [2, true, false],
      ...[3, 4, 5, 6, 7, 8, 9].map(count => [count, true, true]),
      [10, false, true],
    ])
    expect(answers[9].reason).toContain('belay log')
    expect(await agent.tool('Bash', { command: 'belay log "halfway"' })).toMatchObject({ allow: true, heartbeatCount: 10, firedRules: [] })
    expect(await agent.tool('Bash', { command: 'belay log x && rm -rf /' })).toMatchObject({ allow: false })
    expect(await agent.verb('effort.log', { text: 'halfway' })).toMatchObject({ file: expect.stringContaining('1_IMPLEMENT_LOG.md') })
    expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ allow: true, heartbeatCount: 1 })
    expect(readFileSync(join(task('beat'), '1_IMPLEMENT_LOG.md'), 'utf8')).toContain('halfway')
  })

  test('calls that come together in a session nobody saw begin are counted in one', async () => {
    const agent = daemon.as('parallel')
    await begin(agent, 'parallel')
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => agent.tool('Bash', { command: `echo ${index}` })))
    expect(answers.map(answer => answer.heartbeatCount).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await agent.verb('session.list')).toHaveLength(1)
  })

  test('engine verbs are exempt from the heartbeat, never from permissions', async () => {
    const agent = daemon.as('verbs')
    await begin(agent, 'verbs')
    expect(await agent.tool('Bash', { command: 'belay log x; git push' })).toMatchObject({ allow: false, decision: 'deny' })
  })

  test('sub-agent launches do not count, edits of one file in a row count once, writing the log clears', async () => {
    const agent = daemon.as('edits')
    const { log } = await begin(agent, 'edits')
    const file = { file_path: join(daemon.project, 'a.ts') }
    const counts: number[] = []
    for (const [tool, input] of [
      ['Task', { prompt: 'x' }],
      ['Edit', file],
      ['Edit', file],
      ['Write', file],
      ['Bash', { command: 'ls' }],
      ['Edit', file],
      ['Edit', { file_path: log }],
    ] as const)
      counts.push((await agent.tool(tool, input)).heartbeatCount)
    expect(counts).toEqual([0, 1, 1, 1, 2, 3, 3])
    expect(await agent.hook('postToolUse', { tool_name: 'Edit', tool_input: { file_path: log }, tool_response: '' })).toMatchObject({
      heartbeatCount: 0,
    })
  })

  test('injections and directives go out once', async () => {
    const agent = daemon.as('inject')
    await begin(agent, 'inject')
    daemon.write('lib/AGENTS.md', 'No globals here.')
    const file = daemon.write('lib/deep/x.ts', '')
    await agent.verb('effort.inject', { text: 'the build is red' })
    const read = { tool_name: 'Read', tool_input: { file_path: file }, tool_response: '' }
    const first = await agent.hook('postToolUse', read)
    expect(first.pendingInjections).toEqual([
      { kind: 'note', text: 'the build is red', path: null },
      { kind: 'directive', text: expect.stringContaining('No globals here.'), path: join(daemon.project, 'lib/AGENTS.md') },
    ])
    expect((await agent.hook('postToolUse', read)).pendingInjections).toEqual([])
    daemon.write('lib/AGENTS.md', 'No globals at all.')
    expect(await agent.native('PostToolUse', read)).toContain('No globals at all.')
    expect(await agent.native('PostToolUse', read)).toBe('')
    daemon.write('far/away/TESTING.md', 'Run it twice.')
    const shell = { tool_name: 'Bash', tool_input: { command: 'ls && cat far/away/x.txt | head' }, tool_response: '' }
    expect(await agent.native('PostToolUse', shell)).toContain('Run it twice.')
  })

  test('a dialogue with the user is kept', async () => {
    const agent = daemon.as('asker')
    await begin(agent, 'asker')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    const input = { questions: [{ question: 'Which database?', header: 'db', options: [] }] }
    const answer = await agent.hook('postToolUse', {
      tool_name: 'AskUserQuestion',
      tool_input: input,
      tool_response: { questions: input.questions, answers: { 'Which database?': 'SQLite' } },
    })
    expect(answer.dialogueEntry).toBe('Q: Which database?\nA: SQLite')
    expect((await agent.verb('session.show', { id: sessionId })).messages).toContainEqual(
      expect.objectContaining({ role: 'dialogue', content: 'Q: Which database?\nA: SQLite', tool: 'AskUserQuestion' }),
    )
  })

  test('guards of the policy and of the effort: all that fire are named, once means once', async () => {
    const agent = daemon.as('guarded')
    const guards = [
      {
        id: 'tests-first',
        trigger: { type: 'toolPattern', condition: 'Bash(npm run deploy *)' },
        text: 'run the tests',
        urgency: 'block',
        priority: 5,
        whitelist: [],
      },
    ]
    await begin(agent, 'guarded', { metadata: { guards } })
    await agent.verb('effort.phase', { phase: 'build', proof: { plan: 'written' } })
    expect(await agent.tool('Bash', { command: 'npm run deploy now; curl example.com' })).toMatchObject({
      allow: false,
      reason: 'run the tests',
      firedRules: ['be-brief', 'no-curl', 'tests-first'],
    })
    expect(await agent.tool('Bash', { command: 'curl example.com' })).toMatchObject({ allow: true, firedRules: ['no-curl'] })
    expect(await begin(daemon.as('wrong'), 'wrong', { metadata: { guards: [{ id: 'x' }] } })).toEqual({
      error: expect.stringContaining('guards cannot be used'),
    })
  })
})

describe('overflow and kill', () => {
  const full = () => {
    const file = join(daemon.folder, 'transcript.jsonl')
    const line = { type: 'assistant', message: { usage: { input_tokens: 1, cache_read_input_tokens: 899, output_tokens: 50 } } }
    writeFileSync(file, `${JSON.stringify(line)}\n`)
    return file
  }

  test('a full window warns, only handing over passes, compaction restarts under a supervisor', async () => {
    const agent = daemon.as('full')
    const effort = await begin(agent, 'full')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    await daemon.rpc('run.register', { run_id: 'r1', agent_id: 'full' })
    const transcript = { transcript_path: full() }
    const blocked = await agent.tool('Bash', { command: 'ls' }, transcript)
    expect(blocked).toMatchObject({
      allow: false,
      contextUsage: 0.95,
      overflowWarning: true,
      firedRules: ['overflow', 'hand-over'],
      reason: 'hand over first',
    })
    expect(await agent.tool('Bash', { command: "belay dehydrate '{}'" }, transcript)).toMatchObject({ allow: true, overflowWarning: true })
    expect(await daemon.rpc('run.next', { run_id: 'r1' })).toBeNull()
    const compact = await agent.hook('preCompact', { trigger: 'auto', custom_instructions: null })
    expect(compact).toMatchObject({
      ended: true,
      restart: true,
      runId: 'r1',
      sessionId,
      recoveryPrompt: expect.stringContaining(`effort ${effort.id}`),
    })
    expect(await daemon.rpc('run.next', { run_id: 'r1' })).toEqual({
      action: 'restart',
      agentId: 'full',
      runId: 'r1',
      reason: 'the context window is full',
      prompt: compact.recoveryPrompt,
    })
    expect(await daemon.rpc('run.next', { run_id: 'r1' })).toBeNull()
    const next = await agent.hook('sessionStart', { source: 'startup', session_id: 'after' })
    expect(next).toMatchObject({
      found: true,
      effortId: effort.id,
      dehydratedContext: { recovered: true, phases: [{ phase: 'plan' }], artifacts: effort.artifacts },
    })
    expect(await agent.verb('session.show', { id: next.sessionId })).toMatchObject({
      previous: sessionId,
      contextUsage: null,
      heartbeat: 0,
    })
  })

  test('session finish hands over and ends', async () => {
    const agent = daemon.as('finisher')
    await begin(agent, 'finisher')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    expect(await agent.verb('session.finish', { dehydrate: { summary: 'bye' } })).toEqual({ id: sessionId, ended: true, dehydrated: true })
    expect(await agent.verb('session.finish')).toEqual({ error: expect.stringContaining('has ended already') })
    expect(await agent.hook('sessionStart', { source: 'startup' })).toMatchObject({ dehydratedContext: { summary: 'bye' } })
  })

  test.each([
    ['a rate limit', "You've hit your limit · resets 3pm", { status: 'attention', rateLimited: true, resetsAt: '3pm', exhausted: false }],
    [
      'a rate limit with its moment',
      'Claude AI usage limit reached|1760000000',
      { rateLimited: true, resetsAt: '2025-10-09T08:53:20.000Z' },
    ],
    ['a prompt that is too long', 'Prompt is too long', { status: 'attention', rateLimited: false, exhausted: true }],
  ])('stop reads why: %s', async (name, text, expected) => {
    const agent = daemon.as(`stop ${name}`)
    await begin(agent, `stop-${name}`)
    await agent.hook('sessionStart', { source: 'startup' })
    const file = join(daemon.folder, 'stopped.jsonl')
    writeFileSync(file, '')
    appendFileSync(
      file,
      `${JSON.stringify({ type: 'assistant', isApiErrorMessage: true, message: { content: [{ type: 'text', text }] } })}\n`,
    )
    expect(await agent.hook('stop', { stop_hook_active: false, transcript_path: file })).toMatchObject(expected)
  })

  test('a turn that the provider ended says why', async () => {
    const agent = daemon.as('failed')
    await agent.native('StopFailure', { error: 'rate_limit', last_assistant_message: 'usage limit reached, resets at 5pm' })
    expect(await daemon.rpc('agent.show', { id: 'failed' })).toMatchObject({ status: 'attention', statusReason: 'rate limit, resets 5pm' })
    await agent.native('StopFailure', { error: 'unknown', last_assistant_message: 'API Error: 400 bad thing' })
    expect(await daemon.rpc('agent.show', { id: 'failed' })).toMatchObject({
      status: 'error',
      statusReason: 'API Error: 400 bad thing',
    })
  })

  test('what a model merely says about limits is not one', async () => {
    const file = join(daemon.folder, 'talk.jsonl')
    writeFileSync(
      file,
      `${JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text: 'the rate limit is 5' }], usage: {} } })}\n`,
    )
    expect(await daemon.as('talker').hook('stop', { transcript_path: file })).toMatchObject({ status: 'done', rateLimited: false })
  })
})

describe('fleet notification', () => {
  const status = async (id: string) => (await daemon.rpc('agent.show', { id })).status

  test('status follows what happens, and a person’s look', async () => {
    const agent = daemon.as('fleet')
    await agent.hook('sessionStart', { source: 'startup' })
    expect(await status('fleet')).toBe('done')
    await agent.hook('userPrompt', { prompt: 'go' })
    expect(await status('fleet')).toBe('working')
    await agent.hook('permissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } })
    expect(await status('fleet')).toBe('attention')
    await agent.hook('postToolUseFailure', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't', error: 'exit 1' })
    expect(await status('fleet')).toBe('error')
    expect(await daemon.rpc('agent.check', { id: 'fleet' })).toEqual({ id: 'fleet', status: 'checked' })
    await agent.hook('stop', {})
    expect(await status('fleet')).toBe('done')
  })

  test('coordinators are told when those they manage are done', async () => {
    const boss = daemon.as('boss')
    await boss.hook('sessionStart', { source: 'startup' }, { 'belay-env': JSON.stringify({ AGENT_MANAGES: 'worker-1, mate' }) })
    expect(await daemon.as('worker-1').hook('stop', {})).toMatchObject({ signalled: ['boss'] })
    expect(await daemon.as('lead').hook('teammateIdle', { teammate_name: 'mate' })).toMatchObject({ signalled: ['boss', 'lead'] })
    const told = await boss.hook('postToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_response: '' })
    expect(told.pendingInjections.map((each: Answer) => each.text)).toEqual(['worker-1 is done.', 'mate is idle.'])
  })
})

describe('across agents and restarts', () => {
  test('two agents in one project do not mix', async () => {
    const [one, two] = [daemon.as('one'), daemon.as('two')]
    const first = await begin(one, 'shared')
    const second = await begin(two, 'shared')
    expect([first.ordinal, second.ordinal]).toEqual([1, 2])
    await one.tool('Bash', { command: 'ls' })
    await one.tool('Bash', { command: 'ls' })
    expect(await two.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
    expect(await begin(one, 'other')).toEqual({ error: expect.stringContaining('one is already running implement') })
    await two.verb('effort.finish')
    expect(await two.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
    expect(await one.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 3 })
  })

  test('sub-agents have sessions of their own and share the effort', async () => {
    const agent = daemon.as('parent')
    const effort = await begin(agent, 'parent')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    await agent.tool('Bash', { command: 'ls' })
    const sub = { agent_id: 'sub-9', agent_type: 'general-purpose' }
    const started = await agent.hook('subagentStart', sub)
    expect(started).toMatchObject({
      effortId: effort.id,
      skill: 'implement',
      logFile: effort.log,
      logTemplate: '# Log of {{skill}} {{ordinal}}',
    })
    expect(started.sessionId).not.toBe(sessionId)
    expect(await agent.tool('Bash', { command: 'ls' }, sub)).toMatchObject({ heartbeatCount: 1 })
    const file = daemon.write('sub.ts', '')
    await agent.hook('postToolUse', { ...sub, tool_name: 'Read', tool_input: { file_path: file }, tool_response: '' })
    expect(await agent.hook('subagentStop', sub)).toMatchObject({ ended: true, sessionId: started.sessionId })
    expect((await agent.verb('effort.show')).metadata.loadedFiles).toContain(file)
    expect(await agent.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 2 })
  })

  test('a restart keeps everything', async () => {
    const agent = daemon.as('keeper')
    const effort = await begin(agent, 'keeper')
    const { sessionId } = await agent.hook('sessionStart', { source: 'startup' })
    for (const command of ['a', 'b', 'c', 'd']) await agent.tool('Bash', { command })
    await daemon.rpc('agent.bind', { id: 'keeper', role: 'executor' })
    await daemon.restart()
    expect(await agent.tool('Bash', { command: 'e' })).toMatchObject({ heartbeatCount: 5 })
    expect(await agent.hook('userPrompt', { prompt: 'go' })).toMatchObject({
      effortId: effort.id,
      sessionId,
      taskDir: task('keeper'),
      skill: 'implement',
      heartbeat: 5,
    })
    expect(await daemon.rpc('agent.show', { id: 'keeper' })).toMatchObject({ role: 'executor', effortId: effort.id, status: 'working' })
  })

  test('without an id the project’s latest effort stands in', async () => {
    const own = await runStateDaemon()
    try {
      const somebody = own.as(null)
      const effort = await somebody.verb('effort.start', { skill: 'brainstorm', task: join(own.project, 't') })
      expect(effort).toMatchObject({ agent: null, skill: 'brainstorm', phase: null })
      expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
      expect(await somebody.verb('effort.start', { skill: 'x' })).toEqual({ error: expect.stringContaining('already running brainstorm') })
      expect(await own.as('named').tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
      await somebody.verb('effort.log', { text: 'thought' })
      await somebody.verb('session.dehydrate', { payload: { summary: 'an idea' } })
      expect(await own.as(null, 'next window').hook('sessionStart', { source: 'startup' })).toMatchObject({
        found: true,
        effortId: effort.id,
        dehydratedContext: { summary: 'an idea' },
      })
      expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: 1 })
      expect(await somebody.verb('effort.finish')).toMatchObject({ lifecycle: 'finished' })
      expect(await somebody.tool('Bash', { command: 'ls' })).toMatchObject({ heartbeatCount: null })
    } finally {
      await own.stop()
    }
  })

  test('phases need their order and keep their proof', async () => {
    const agent = daemon.as('phases')
    await begin(agent, 'phases', { mode: 'careful' })
    expect(await agent.verb('effort.phase', { phase: 'verify' })).toEqual({ error: expect.stringContaining('skips build') })
    expect(await agent.verb('effort.phase', { phase: 'build', proof: { files: 2 } })).toMatchObject({ phase: 'build' })
    expect(await agent.verb('effort.show')).toMatchObject({
      mode: 'careful',
      phases: [
        { phase: 'plan', proof: null },
        { phase: 'build', proof: { files: 2 } },
      ],
    })
    expect(await begin(daemon.as('modes'), 'modes', { mode: 'odd' })).toEqual({
      error: expect.stringContaining('its modes are fast, careful'),
    })
    expect(await agent.verb('effort.finish')).toMatchObject({ lifecycle: 'finished', nextSkills: ['review'] })
  })
})

describe('pause', () => {
  test('while paused nothing is decided, everything recorded; it ends by itself', async () => {
    const agent = daemon.as('pausing')
    const push = () => agent.tool('Bash', { command: 'git push' })
    expect(await push()).toMatchObject({ decision: 'deny' })
    expect(await daemon.rpc('daemon.pause', { duration: 'soon' })).toEqual({ error: expect.stringContaining('no duration') })
    expect(await daemon.rpc('daemon.pause', { duration: '1h' })).toMatchObject({ paused: true })
    expect(await push()).toMatchObject({ allow: true, decision: 'none' })
    await daemon.restart()
    expect(await push()).toMatchObject({ decision: 'none' })
    expect((await daemon.rpc('daemon.status')).paused).toMatchObject({ until: expect.any(Number) })
    expect(await daemon.rpc('daemon.resume')).toEqual({ paused: false })
    expect(await push()).toMatchObject({ decision: 'deny' })
    await daemon.rpc('daemon.pause', { duration: '1ms' })
    await new Promise(resolve => setTimeout(resolve, 5))
    expect(await push()).toMatchObject({ decision: 'deny' })
  })
})
