import { describe, expect, test } from 'vitest'
import { type Agent, findAgent, listAgents } from '../agent/agents.ts'
import { decodeEvent } from './decode.ts'
import { readAgentFixture } from './fixtures/agent-fixture.ts'
import { joinedMcpNames } from './tool-name.ts'

function agent(id: string): Agent {
  const found = findAgent(id)
  if (found === null) throw new Error(`no agent ${id}`)
  return found
}

describe.each(listAgents().map(({ id }) => id))('%s', id => {
  const { payloads } = readAgentFixture(id)

  test.each(payloads.map((row, at) => ({ ...row, at })))('payload $at, $event: all that is read from it', ({ event, payload, decoded }) => {
    expect(decodeEvent(agent(id), event, payload)).toEqual({ agent: agent(id), nativeEvent: event, ...decoded })
  })

  test('a call before a tool is among them', () => {
    expect(payloads.map(({ decoded }) => decoded.event)).toContain('PreToolUse')
  })
})

test('an argument given under both names is left for the judge to see', () => {
  const raw = { session_id: 's', tool_name: 'edit', tool_input: { filePath: 'a', file_path: 'b' } }
  expect(decodeEvent(agent('opencode'), 'tool.execute.before', raw).payload.tool_input).toEqual({ filePath: 'a', file_path: 'b' })
})

test('an unknown event is carried through under its own name', () => {
  expect(decodeEvent(agent('claude-code'), 'SomethingNew', { session_id: 's' })).toEqual({
    agent: agent('claude-code'),
    answerEvent: 'SomethingNew',
    event: 'SomethingNew',
    nativeEvent: 'SomethingNew',
    rawTool: null,
    payload: { session_id: 's', hook_event_name: 'SomethingNew' },
  })
})

test.each([
  ['gh_delete', ['mcp__gh__delete']],
  ['mcp_a_b_c', ['mcp__a__b_c', 'mcp__a_b__c']],
  ['gh-server/delete', ['mcp__gh__server/delete', 'mcp__gh-server__delete']],
  ['bash', []],
])('%s may be %j', (name, names) => {
  expect(joinedMcpNames(name)).toEqual(names)
})
