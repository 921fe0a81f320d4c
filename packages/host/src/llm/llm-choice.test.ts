// A prompt hook of genesis.key through the daemon, with a model of OpenAI's chat format on loopback.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { createLlmChoice } from './llm-choice.ts'
import { openSpendBook } from './spend-book.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash"
      type: prompt
      config: { prompt: "Is this command safe? $ARGUMENTS" }
`

let server: Server
let daemon: TestDaemon
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = ''
    for await (const piece of request) text += piece
    const content = text.includes('shred') ? '{"ok":false,"reason":"it destroys files"}' : text.includes('garbage') ? 'hm' : '{"ok":true}'
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }]
    response.end(
      JSON.stringify({
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices,
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
      }),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  daemon = await runDaemon({
    policy: POLICY,
    config: `[llm]\nprovider = "openai-compatible"\nmodel = "m"\nbase_url = "http://127.0.0.1:${port}/v1"\n`,
  })
})
afterAll(async () => {
  await daemon.stop()
  server.close()
})

const call = (command: string) => daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command } })

test('ok lets it pass, not ok denies, an unusable answer closes the gate of a policy hook', async () => {
  expect((await call('ls')).decision).toBe(undefined)
  expect(await call('shred x')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('it destroys files') })
  expect(await call('garbage')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('no usable answer') })
})

test('what it cost is in the ledger', async () => {
  const entries = await daemon.entries('pre_tool_use')
  const hooks = entries.flatMap(({ read }) => (read.hooks as { usage?: unknown }[]).map(({ usage }) => usage))
  expect(hooks).toContainEqual({ model: 'm', inputTokens: 5, outputTokens: 2, usd: 0, priceFrom: null, cached: false })
})

test.each([
  [{}, null],
  [{ provider: 'nope', model: 'x' }, /llm\.provider in config\.toml is nope; it can be anthropic/],
  [{ provider: 'anthropic' }, /llm\.model in config\.toml is missing/],
  [{ provider: 'anthropic', model: 'x', inputPrice: 1 }, /llm\.input_price and llm\.output_price in config\.toml go together/],
])('%j', (llm, problem) => {
  const problems: string[] = []
  const choose = createLlmChoice({ home: '/nowhere', env: {}, onProblem: message => problems.push(message) })
  expect([choose({ llm }), choose({ llm })]).toEqual([null, null])
  expect(problems).toEqual(problem === null ? [] : [expect.stringMatching(problem)])
})

test('what was spent today outlives a restart, not the day', () => {
  const home = mkdtempSync(join(tmpdir(), 'belay-spend-'))
  let now = Date.UTC(2026, 0, 1)
  openSpendBook(home, () => now).add(0.5)
  openSpendBook(home, () => now).add(0.25)
  expect(openSpendBook(home, () => now).today()).toBe(0.75)
  now += 24 * 3600 * 1000
  expect(openSpendBook(home, () => now).today()).toBe(0)
  rmSync(home, { recursive: true })
})
