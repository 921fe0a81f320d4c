import { canonicalJson } from '@belay/core/ledger'
import { expect, test } from 'vitest'
import { createLastTools, type LastCall } from './last-tools.ts'

const CALL = {
  agent: 'claude-code',
  agentId: 'w1',
  answer: { stdout: '{"tool":"No"}' },
  input: { tool: 'No', agentId: 'no' },
  tool: 'Read',
  toolUseId: 't',
  verdict: 'none',
}

async function readBack(bodies: readonly string[], counted: ReadonlyMap<string, LastCall> = new Map()) {
  const tools = createLastTools({ counted, redact: text => text.replace('secret', '***'), readBack: async () => bodies })
  await tools.ready()
  return tools
}

test('of earlier calls the newest of each agent, whatever its input looks like', async () => {
  const calls = [{ ...CALL, tool: 'Say "hi"' }, { ...CALL, agentId: 'w2', tool: 'Bash' }, CALL]
  const tools = await readBack(calls.map(call => canonicalJson(call)))
  expect([tools.get('w1')?.tool, tools.get('w2'), tools.get('w3')]).toEqual(['Say "hi"', { tool: 'Bash', text: null }, null])
})

test('what was counted since stands before it, without its secrets', async () => {
  const counted = new Map<string, LastCall>([['w1', { tool: 'mcp__secret__x', text: null }]])
  const tools = await readBack([canonicalJson(CALL)], counted)
  expect(tools.get('w1')).toEqual({ tool: 'mcp__***__x', text: null })
  counted.set('w1', { tool: 'Bash', text: `${'x'.repeat(197)}secret` })
  expect(tools.get('w1')).toEqual({ tool: 'Bash', text: `${'x'.repeat(197)}***` })
})

test('what is not a call changes nothing', async () => {
  const tools = await readBack(['', '{}', '{"agentId":"w1"}', '{"agentId":"w1","tool":"\\'])
  expect(tools.get('w1')).toBeNull()
})
