import { GUARDRAIL_NAMES } from '@belay/core'
import { parseGenesis } from '@belay/core/policy'
import { describe, expect, test } from 'vitest'
import { genesisChecks } from '../config/genesis-checks.ts'
import { GUARDRAIL_EXAMPLES } from '../guardrail/guardrail-example.ts'
import { belay, makeWorlds, write } from './fixtures/world.ts'

makeWorlds()

const POLICY = 'version: "2.0"\nguardrails:\n  failure_hints: {mode: guide}\n  schema_guard: {tools: {Write: {required: [content]}}}\n'

test('list --json: name, event, mode, description of each', async () => {
  write('repo/.belay/genesis.key', POLICY)
  const { code, out } = await belay('guardrails', 'list', '--json')
  const rows = JSON.parse(out) as { name: string; event: string; mode: string; description: string }[]
  expect([code, rows.map(({ name, mode }) => [name, mode])]).toEqual([
    0,
    GUARDRAIL_NAMES.map(name => [name, name === 'failure_hints' ? 'guide' : name === 'schema_guard' ? 'strict' : 'off']),
  ])
  expect(rows[0]).toEqual({
    name: 'schema_guard',
    event: 'PreToolUse',
    mode: 'strict',
    description: expect.stringMatching(/denies a call/),
  })
})

test('list names the event and the mode', async () => {
  const { out } = await belay('guardrails', 'list')
  expect(out).toMatch(/stop_harness +Stop +off +keeps an agent/)
})

describe('explain', () => {
  test.each(GUARDRAIL_NAMES)('%s shows an example that a policy accepts', name => {
    const text = `version: "2.0"\nguardrails:\n${GUARDRAIL_EXAMPLES[name].replace(/^(?=.)/gm, '  ')}`
    expect(parseGenesis(text, 'genesis.key', genesisChecks)).toMatchObject({ ok: true, warnings: [] })
  })
  test('says where it is set', async () => {
    write('repo/.belay/genesis.key', POLICY)
    expect((await belay('guardrails', 'explain', 'failure_hints')).out).toMatch(/guide, set in .*genesis\.key:3/)
  })
  test('a name that is not there', async () => {
    expect(await belay('guardrails', 'explain', 'nope')).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no guardrail nope'),
    })
  })
})

describe('try', () => {
  test('with the config of the policy', async () => {
    write('repo/.belay/genesis.key', POLICY)
    const { code, out } = await belay('guardrails', 'try', 'schema_guard', '--tool', 'Write', '--input', '{}', '--json')
    expect([code, JSON.parse(out)]).toEqual([
      1,
      {
        name: 'schema_guard',
        event: 'PreToolUse',
        config: 'the policy',
        decision: 'deny',
        reason: 'Write cannot run as called: `content` is missing. Call it like this: Write({"content":"…"})',
        context: [],
        messages: [],
        evidence: [],
      },
    ])
  })
  test('with the example where the policy says nothing', async () => {
    const { code, out } = await belay('guardrails', 'try', 'side_effects', '--tool', 'Bash', '--input', '{"command":"git push"}')
    expect([code, out]).toEqual([3, expect.stringContaining('with the config of the example: ask')])
  })
  test('another event', async () => {
    const { out } = await belay('guardrails', 'try', 'failure_hints', '--tool', 'Bash', '--payload', '{"error":"ENOSPC"}')
    expect(out).toContain('for the model: The disk is full.')
  })
  test.each([
    ['schema_nudge', '--payload'],
    ['failure_hints', 'ENOENT'],
    ['skill_discovery', '--payload \'{"prompt"'],
  ])('an event of %s that is not whole: how it becomes one', async (name, told) => {
    const first = await belay('guardrails', 'try', name)
    expect([first.code, first.err]).toEqual([2, expect.stringContaining(told)])
  })
  test('an input that is not JSON', async () => {
    expect(await belay('guardrails', 'try', 'schema_guard', '--tool', 'Write', '--input', '{')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--input is not JSON'),
    })
  })
})
