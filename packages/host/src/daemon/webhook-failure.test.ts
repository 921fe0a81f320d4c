// A webhook of hooks.toml that fails rejects before a tool, and is shown elsewhere.
import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from './fixtures/run-daemon.ts'

let daemon: TestDaemon
let server: Server
const CALL = { tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't1' }

function webhook(event: string, matcher: string, more: string, url: string, headers = ''): string {
  return `[[hooks]]\nevent = "${event}"\ntool_matcher = "${matcher}"\nname = "${matcher} ${event}"\n${more}\n[hooks.webhook]\nurl = "${url}"\n${headers}\n`
}

beforeAll(async () => {
  server = createServer((_request, response) => response.writeHead(500).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  daemon = await runDaemon({ policy: 'version: "2.0"\n', config: '[http_hooks]\nallow = ["127.0.0.1"]\n' })
  const broken = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const nobody = 'http://127.0.0.1:1/'
  const unset = 'headers = { Authorization = "Bearer ${HOOK_NO_SUCH_KEY}" }'
  const hooks = [
    webhook('PreToolUse', 'Broken', '', broken),
    webhook('PreToolUse', 'Nobody', '', nobody),
    webhook('PreToolUse', 'Unset', '', broken, unset),
    webhook('PreToolUse', 'Open', 'fail = "open"', broken),
    webhook('PostToolUse', 'After', '', broken),
  ]
  writeFileSync(join(daemon.home, 'hooks.toml'), hooks.join('\n'))
})
afterAll(async () => {
  await daemon.stop()
  await new Promise(resolve => server.close(resolve))
})

test.each([
  ['Broken', 'status 500'],
  ['Nobody', 'ECONNREFUSED'],
  ['Unset', 'header Authorization needs HOOK_NO_SUCH_KEY, which is not set'],
])('%s: the call is denied, and the reason says %s', async (tool, words) => {
  const { decision, reason } = await daemon.hook('PreToolUse', { ...CALL, tool_name: tool })
  expect([decision, reason]).toEqual(['deny', expect.stringContaining(words)])
})

test.each([
  ['PreToolUse', 'Open'],
  ['PostToolUse', 'After'],
])('%s of %s goes on, and the person is told', async (event, tool) => {
  const { stdout, decision } = await daemon.hook(event, { ...CALL, tool_name: tool, tool_response: 'ok' })
  expect([decision, JSON.parse(stdout).systemMessage]).toEqual([undefined, expect.stringContaining('status 500')])
})
