// The generated plugin in this process, with a hook client that keeps what it is sent: which server a tool is said to be of.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { opencodePlugin } from './opencode.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-opencode-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [client, plugin, sent] = ['client', 'plugin.mjs', 'sent'].map(name => join(folder, name)) as [string, string, string]
writeFileSync(client, `#!/bin/sh\ncat > '${sent}'\nexit 90\n`, { mode: 0o755 })
writeFileSync(plugin, opencodePlugin('opencode', client))

interface Hooks {
  'tool.execute.before'(input: object, output: { args: object }): Promise<void>
  'tool.execute.after'(input: object, output: { output: string }): Promise<void>
}

const gh = { gh: {} }

test.each<[string, object | null, readonly string[], object | undefined]>([
  ['gh_list', gh, ['bash'], { server_name: 'gh', tool_name: 'list' }],
  ['gh_list_all', { gh: {}, other: {} }, [], { server_name: 'gh', tool_name: 'list_all' }],
  ['my_db_drop', { 'my.db': {} }, [], { server_name: 'my_db', tool_name: 'drop' }],
  // Two servers may be meant, or a tool of a plugin, or nobody says.
  ['a_b_c', { a: {}, a_b: {} }, [], undefined],
  ['gh_list', gh, ['gh_list'], undefined],
  ['a__b_c', { a__b: {} }, [], undefined],
  ['other_list', gh, [], undefined],
  ['gh_list', null, [], undefined],
  ['bash', gh, ['bash'], undefined],
])('%s with the servers %j beside %j', async (tool, servers, ids, context) => {
  const { Belay } = (await import(plugin)) as { Belay: (input: object) => Promise<Hooks> }
  const data = servers === null ? Promise.reject(new Error('away')) : Promise.resolve({ data: servers })
  data.catch(() => undefined)
  const hooks = await Belay({ directory: folder, client: { mcp: { status: () => data }, tool: { ids: async () => ({ data: ids }) } } })
  const call = { tool, sessionID: 's', callID: 'c' }
  const read = () => JSON.parse(readFileSync(sent, 'utf8'))
  await hooks['tool.execute.before'](call, { args: { a: 1 } })
  const before = read()
  await hooks['tool.execute.after']({ ...call, args: { a: 1 } }, { output: 'x' })
  expect([before, read()]).toEqual([
    { session_id: 's', cwd: folder, tool_name: tool, tool_input: { a: 1 }, tool_use_id: 'c', mcp_context: context },
    { session_id: 's', cwd: folder, tool_name: tool, tool_input: { a: 1 }, tool_use_id: 'c', tool_response: 'x', mcp_context: context },
  ])
})

test.each([
  ['gone', null],
  ['empty', ''],
  ['a text', 'hello\n'],
  ['true', '#!/bin/true\n'],
  ['without an interpreter', '#!/nonexistent\n'],
  ['ended by a signal', '#!/bin/sh\nkill -KILL $$\n'],
  ['allowing without a proof', '#!/bin/sh\necho "{}"\n'],
  ['refusing without a proof', '#!/bin/sh\necho no >&2\nexit 2\n'],
  ['cut in its answer', '#!/bin/sh\nprintf "{\nkill -KILL $$\n'],
])('no tool runs when the client is %s', async (title, text) => {
  const lost = join(folder, `client-${title}`)
  if (text !== null) writeFileSync(lost, text, { mode: 0o755 })
  writeFileSync(`${lost}.mjs`, opencodePlugin('opencode', lost))
  const { Belay } = (await import(`${lost}.mjs`)) as { Belay: (input: object) => Promise<Hooks> }
  const hooks = await Belay({
    directory: folder,
    client: { mcp: { status: async () => ({ data: {} }) }, tool: { ids: async () => ({ data: [] }) } },
  })
  const call = hooks['tool.execute.before']({ tool: 'bash', sessionID: 's', callID: 'c' }, { args: { command: 'ls' } })
  await expect(call).rejects.toThrow(/^Tool denied: .*belay\.cjs install opencode/)
  const after = hooks['tool.execute.after']({ tool: 'bash', sessionID: 's', callID: 'c', args: {} }, { output: 'x' })
  await expect(after).resolves.toBeUndefined()
})
