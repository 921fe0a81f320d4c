import { canonicalJson } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createLastTools } from './last-tools.ts'

const CALL = {
  agent: 'claude-code',
  agentId: 'w1',
  answer: { stdout: '{"tool":"No"}' },
  input: { tool: 'No', agentId: 'no' },
  tool: 'Read',
  toolUseId: 't',
  verdict: 'none',
}

async function readBack(bodies: readonly string[], counted: ReadonlyMap<string, string> = new Map()) {
  const tools = createLastTools({ counted, redact: text => text.replace('secret', '***'), readBack: async () => bodies })
  await tools.ready()
  return tools
}

test('of earlier calls the newest of each agent, whatever its input looks like', async () => {
  const calls = [{ ...CALL, tool: 'Say "hi"' }, { ...CALL, agentId: 'w2', tool: 'Bash' }, CALL]
  const tools = await readBack(calls.map(call => canonicalJson(call)))
  expect([tools.get('w1'), tools.get('w2'), tools.get('w3')]).toEqual(['Say "hi"', 'Bash', null])
})

test('what was counted since stands before it, without its secrets', async () => {
  const counted = new Map([['w1', 'mcp__secret__x']])
  const tools = await readBack([canonicalJson(CALL)], counted)
  expect(tools.get('w1')).toBe('mcp__***__x')
  counted.set('w1', 'Bash')
  expect(tools.get('w1')).toBe('Bash')
})

test('what is not a call changes nothing', async () => {
  const tools = await readBack(['', '{}', '{"agentId":"w1"}', '{"agentId":"w1","tool":"\\'])
  expect(tools.get('w1')).toBeNull()
})
