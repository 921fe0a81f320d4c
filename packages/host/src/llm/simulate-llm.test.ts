// `hooks simulate --run` asks the model of config.toml; without --run it asks nobody.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { belay, makeWorlds, write } from '../command/fixtures/world.ts'

makeWorlds()

const POLICY =
  'version: "2.0"\nhooks:\n  pre_tool_use:\n    - matcher: Bash\n      type: prompt\n      config: { prompt: "Safe? $ARGUMENTS" }\n'
let asked = 0
const server = createServer((request, response) => {
  asked += 1
  request.resume()
  const message = { role: 'assistant', content: '{"ok":false,"reason":"it destroys files"}' }
  response.end(
    JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] }),
  )
})
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())

test.each([
  [[], 0, 0],
  [['--run'], 1, 1],
])('%j: exit %i, asked %i times', async (flags, code, times) => {
  const { port } = server.address() as AddressInfo
  asked = 0
  write('repo/.belay/genesis.key', POLICY)
  write('home/config.toml', `[llm]\nprovider = "openai-compatible"\nmodel = "m"\nbase_url = "http://127.0.0.1:${port}/v1"\n`)
  await belay('policy', 'trust')
  const ran = await belay('hooks', 'simulate', '--tool', 'Bash', '--args', 'shred x', '--actor', 'agent:x', '--json', ...flags)
  expect([ran.code, asked]).toEqual([code, times])
  if (times === 1) expect(JSON.parse(ran.out)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('it destroys files') })
})
