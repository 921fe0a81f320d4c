import { canonicalJson } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createEventFeed } from '../daemon/event-feed.ts'
import { followLastTools } from './last-tools.ts'

function publish(bodies: readonly Readonly<Record<string, unknown>>[], kind = 'pre_tool_use') {
  const feed = createEventFeed({ keep: 10 })
  const tools = followLastTools(feed)
  for (const body of bodies) feed.publish('decision', { text: `{"id":"x","kind":"${kind}","body":${canonicalJson(body)}}` })
  return tools
}

const CALL = {
  agent: 'claude-code',
  agentId: 'w1',
  answer: { stdout: '{"tool":"No"}' },
  input: { tool: 'No', agentId: 'no' },
  tool: 'Read',
  toolUseId: 't',
  verdict: 'none',
}

test('the last tool of each agent, whatever its input looks like', () => {
  const tools = publish([CALL, { ...CALL, agentId: 'w2', tool: 'Bash' }, { ...CALL, tool: 'Say "hi"' }])
  expect([tools.get('w1'), tools.get('w2'), tools.get('w3')]).toEqual(['Say "hi"', 'Bash', null])
})

test('what is no call changes nothing', () => {
  expect(publish([CALL], 'stop').get('w1')).toBeNull()
  const feed = createEventFeed({ keep: 10 })
  const tools = followLastTools(feed)
  for (const data of [null, 'text', {}, { text: 7 }, { text: '"kind":"pre_tool_use"' }]) feed.publish('decision', data)
  expect(tools.get('w1')).toBeNull()
})
