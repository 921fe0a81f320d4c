import { beforeEach, describe, expect, test } from 'vitest'
import { createMemory, guarded, type Memory } from './fixtures/ports.ts'
import { lastPromise } from './promise.ts'
import { scoreSkills } from './score-skills.ts'

let memory: Memory
beforeEach(() => {
  memory = createMemory()
})

describe('artifacts', () => {
  const settings = {
    artifacts: {
      retries: 1,
      expect: [{ agent: 'writer', files: ['report*.md'], min_size: 5, headings: ['Summary'], cleanup: ['tmp*'], next: 'send the report' }],
    },
  }
  const ids = { agentId: 'a1', agentType: 'writer' }
  const put = (path: string, text: string, modifiedMs = 5000) => memory.files.set(path, { path, text, size: text.length, modifiedMs })

  async function stop() {
    const hooks = guarded(settings, memory)
    memory.now = 4000
    await hooks.fire('SubagentStart', ids)
    const stopped = await hooks.fire('SubagentStop', ids)
    const told = await hooks.fire('PostToolUse', { toolName: 'Agent' })
    return { verdict: stopped.verdict, context: told.context, hooks }
  }

  test('all is there: cleaned up, and the main agent is told what comes next', async () => {
    put('report.md', '# Summary\nfine')
    put('tmp.txt', 'x')
    const { verdict, context } = await stop()
    expect([verdict.decision, context, [...memory.files.keys()]]).toEqual([
      'none',
      ['Found report*.md. Next: send the report'],
      ['report.md'],
    ])
  })

  test.each([
    ['nothing is there', () => undefined, 'report*.md is missing'],
    ['it is old', () => put('report.md', '# Summary\nold', 100), 'report*.md was not written in this run'],
    ['it is too small', () => put('report.md', 'x'), 'report.md has 1 bytes, at least 5 are needed'],
    ['a heading is missing', () => put('report.md', '# Other\ntext'), 'report.md has no heading "Summary"'],
  ])('%s: retry', async (_title, prepare, problem) => {
    prepare()
    const { verdict } = await stop()
    expect(verdict).toEqual({ decision: 'deny', reason: `Retry required: ${problem}. Make it so, then end.` })
  })

  test('one good file among several is enough', async () => {
    put('report-1.md', 'x')
    put('report-2.md', '## Summary\nfine')
    expect((await stop()).verdict.decision).toBe('none')
  })

  test('it asks a limited number of times, and then tells the main agent', async () => {
    const { hooks } = await stop()
    expect((await hooks.fire('SubagentStop', ids)).verdict.decision).toBe('none')
    expect((await hooks.fire('PostToolUse', { toolName: 'Agent' })).context).toEqual([expect.stringMatching(/ended without/)])
  })

  test('other sub-agents are not its matter', async () => {
    const { verdict } = await guarded(settings, memory).fire('SubagentStop', { agentId: 'a2', agentType: 'reader' })
    expect(verdict.decision).toBe('none')
  })
})

describe('the promise', () => {
  test.each([
    ['no promise', null],
    ['<promise>all done</promise>', 'all done'],
    ['<promise>one</promise> and <promise>\n  all \n done </promise>', 'all done'],
    ['</promise> <promise>', null],
  ])('%j: %j', (message, promise) => {
    expect(lastPromise(message)).toBe(promise)
  })
})

describe('stop_harness', () => {
  const config = { objective: 'all tests pass', promise: 'ALL GREEN', max_iterations: 4, verify: ['npm test'], host_cap: 3 }
  const says = (text: string, sessionId = 's1') =>
    guarded({ stop_harness: config }, memory).fire('Stop', { lastAssistantMessage: text }, { sessionId })

  test('a promise that is true ends it', async () => {
    const { verdict } = await says('done <promise>ALL GREEN</promise>')
    expect([verdict.decision, memory.harness.get('/repo')?.state]).toEqual(['none', 'done'])
  })

  test('without the promise it goes on, with iteration, objective and what is missing', async () => {
    const { verdict } = await says('I think it is done')
    expect(verdict).toEqual({
      decision: 'deny',
      reason: expect.stringMatching(/^Iteration 2 of 4\.\nObjective: all tests pass\nNot there yet: You have not promised/),
    })
  })

  test('a false promise never ends as done, however often it is made', async () => {
    memory.failing = ['`npm test` failed (exit 1).']
    const ends: string[] = []
    for (let at = 0; at < 10; at += 1) {
      const { verdict } = await says('<promise>ALL GREEN</promise>', `s${at}`)
      ends.push(`${verdict.decision} ${memory.harness.get('/repo')?.state}`)
    }
    expect(ends.slice(0, 4)).toEqual(['deny active', 'deny active', 'deny active', 'none given_up'])
    expect(ends.some(end => end.endsWith(' done'))).toBe(false)
  })

  test('a killed loop goes on at its iteration', async () => {
    await says('not yet')
    await says('not yet')
    const next = guarded({ stop_harness: config }, memory)
    const { context } = await next.fire('SessionStart', { source: 'startup' }, { sessionId: 's2' })
    expect(context).toEqual([expect.stringMatching(/^Iteration 3 of 4\./)])
    expect((await says('not yet', 's2')).verdict).toMatchObject({ reason: expect.stringMatching(/^Iteration 4 of 4\./) })
  })

  test('near the limit of the host the supervisor takes over', async () => {
    memory.hasSupervisor = true
    await says('no')
    await says('no')
    const { verdict, messages } = await says('no')
    expect([verdict.decision, memory.harness.get('/repo')?.state, memory.handedOver.length]).toEqual(['none', 'handed_over', 1])
    expect(messages).toEqual([expect.stringMatching(/the supervisor starts iteration 4/)])
  })

  test('a new prompt after the end begins anew', async () => {
    await says('<promise>ALL GREEN</promise>')
    const { context } = await guarded({ stop_harness: config }, memory).fire('UserPromptSubmit', { prompt: 'more' })
    expect([context.length, memory.harness.get('/repo')]).toEqual([1, expect.objectContaining({ iteration: 1, state: 'active' })])
  })

  test('guide: the agent may stop and is only told', async () => {
    const { verdict, context } = await guarded({ stop_harness: { ...config, mode: 'guide' } }, memory).fire('Stop', {
      lastAssistantMessage: 'x',
    })
    expect([verdict.decision, context.length]).toEqual(['none', 1])
  })
})

describe('skill_discovery', () => {
  beforeEach(() => {
    const skill = (name: string, description: string, keywords: string[], body: string) =>
      memory.skills.push({ name, description, keywords, file: `/skills/${name}/SKILL.md`, text: `---\nname: ${name}\n---\n${body}` })
    skill('release', 'Cut a release and write the changelog', ['ship it'], 'Tag, then publish.')
    skill('pdf', 'Fill in PDF forms', ['pdf'], 'Use the form tool.')
    skill('tests', 'Write tests for TypeScript', [], 'x'.repeat(20_000))
  })
  const ask = (prompt: string, config = {}) => guarded({ skill_discovery: config }, memory).fire('UserPromptSubmit', { prompt })

  test('the skill of a keyword comes with its text', async () => {
    expect((await ask('please fill this PDF')).context).toEqual(['Skill pdf (/skills/pdf/SKILL.md): Fill in PDF forms\nUse the form tool.'])
  })
  test('a keyword of two words', async () => {
    expect((await ask('Ship it!')).context[0]).toMatch(/^Skill release/)
  })
  test('words of the description, in other forms', async () => {
    expect((await ask('we need a test written in typescript')).context[0]).toBe(
      'Skill tests (/skills/tests/SKILL.md): Write tests for TypeScript\nRead /skills/tests/SKILL.md before you begin.',
    )
  })
  test('nothing fits', async () => {
    expect((await ask('how are you')).context).toEqual([])
  })
  test('the budget holds', async () => {
    expect((await ask('pdf', { budget: 10 })).context).toEqual([])
  })
  test('each once a session', async () => {
    const hooks = guarded({ skill_discovery: {} }, memory)
    expect((await hooks.fire('UserPromptSubmit', { prompt: 'pdf' })).context.length).toBe(1)
    expect((await hooks.fire('UserPromptSubmit', { prompt: 'pdf' })).context).toEqual([])
    expect((await hooks.fire('UserPromptSubmit', { prompt: 'pdf' }, { sessionId: 'other' })).context.length).toBe(1)
  })
  test('best first', () => {
    expect(scoreSkills('release the pdf changelog', memory.skills).map(({ skill }) => skill.name)).toEqual(['pdf', 'release'])
  })
})
