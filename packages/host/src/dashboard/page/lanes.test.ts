// How long a call stands in its lane: until it ends, until the turn does, or until now.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../../daemon/fixtures/run-daemon.ts'
import type { Lanes } from '../../page/lanes.ts'
import { enterAsPerson, resultOf } from './fixtures/person.ts'

let daemon: TestDaemon

beforeAll(async () => {
  daemon = await runDaemon({ policy: 'version: "2.0"\npermissions: {default: none, actors: {"agent:*": {deny: ["Bash(rm *)"]}}}\n' })
  await enterAsPerson(daemon)
})
afterAll(() => daemon.stop())

const END = { event: 'PostToolUse', tool_response: { stdout: 'ok' } }
const STOP = { event: 'Stop' }

const cases: readonly (readonly [
  title: string,
  command: string,
  then: readonly { readonly event: string }[],
  runs: boolean,
  words: string,
])[] = [
  ['has not ended', 'make all', [], true, 'Bash make all (runs)'],
  ['has ended', 'make all', [END], false, 'Bash make all'],
  ['has failed', 'make all', [{ ...END, event: 'PostToolUseFailure' }], false, 'Bash make all (failed)'],
  ['never ended, and the turn is over', 'make all', [STOP], false, 'Bash make all'],
  ['was denied', 'rm -r x', [], false, 'Bash rm -r x'],
]

test.each(cases)('a call that %s', async (title, command, then, runs, words) => {
  const from = new Date(Date.now() - 60_000).toISOString()
  const agentId = title.replaceAll(/\W/g, '-')
  const call = { tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' }
  const send = (event: string, fields: object) => daemon.hook(event, { session_id: agentId, ...fields }, { 'agent-id': agentId })
  await send('PreToolUse', call)
  for (const { event, ...fields } of then) await send(event, event === 'Stop' ? fields : { ...call, ...fields })
  const until = new Date(Date.now() + 60_000).toISOString()
  const readCall = async () => {
    const { lanes } = resultOf(await daemon.rpc('page.lanes', { from, until })) as unknown as Lanes
    return lanes.find(({ agent }) => agent === agentId)?.items.find(({ kind }) => kind === 'call')
  }
  // A record is made a moment after its answer.
  await expect.poll(readCall).toMatchObject({ words, count: 1 })
  const first = await readCall()
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(((await readCall())?.until ?? 0) > (first?.until ?? 0)).toBe(runs)
})
