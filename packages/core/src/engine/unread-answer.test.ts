// An answer that nobody can read is a failure of its hook, by its `fail`, in every dialect and scope; never "no opinion".
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHandler } from '../handler/run-handler.ts'
import type { CommandDialect, FailMode, Handler, Scope } from '../hook/hook-definition.ts'
import { createHooks } from './create-hooks.ts'
import { createToolPipeline } from './pipeline/create-tool-pipeline.ts'

const UNREAD = ['{"continue": "no"}', '"Reject"', '[1,2]', '{"ok": false}', '{"Decision": "deny"}', 'false', '{"decision": "maybe"}']
const DIALECTS: readonly CommandDialect[] = ['settings', 'toml', 'genesis']

/** Answers with what the path says. */
let server: Server
beforeAll(async () => {
  server = createServer((request, response) => response.end(decodeURIComponent((request.url ?? '/').slice(1))))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise(resolve => server.close(resolve)))

function saying(text: string): readonly Handler[] {
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const commands = DIALECTS.map(
    dialect => ({ type: 'command', dialect, command: `cat >/dev/null; echo '${text}'`, parseResult: true, passContext: true }) as const,
  )
  return [...commands, { type: 'http', url: `http://${address}/${encodeURIComponent(text)}`, method: 'POST', headers: {}, allowedEnv: [] }]
}

async function run(handler: Handler, scope: Scope, fail?: FailMode) {
  const ran: unknown[] = []
  const hooks = createHooks(
    {},
    { cwd: '/', runHandler: (hook, event, options) => runHandler(hook, event, { ...options, allowPrivate: ['127.0.0.1'] }) },
  )
  hooks.registry.add({ event: 'PreToolUse', scope, name: 'gate', handler, ...(fail === undefined ? {} : { fail }) })
  const pipeline = createToolPipeline({ hooks, cwd: '/', tools: [{ name: 'X', execute: () => void ran.push(1) }], onHook: () => undefined })
  const result = await pipeline.runTool('X', {})
  return [result.status, ran.length, result.runs.map(({ outcome, code }) => [outcome, code])]
}

describe.each(UNREAD)('%s', text => {
  test('is a failure, recorded, that the hook’s fail decides', async () => {
    const code = 'BELAY_HANDLER_BAD_ANSWER'
    for (const handler of saying(text)) {
      expect(await run(handler, 'policy')).toEqual(['denied', 0, [['blocking', code]]])
      expect(await run(handler, 'session', 'closed')).toEqual(['denied', 0, [['blocking', code]]])
      expect(await run(handler, 'session', 'ask')).toEqual(['denied', 0, [['non_blocking_error', code]]])
      expect(await run(handler, 'session')).toEqual(['succeeded', 1, [['non_blocking_error', code]]])
    }
  })
})
