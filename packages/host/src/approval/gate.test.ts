// A gate at Stop holds its commitment until somebody on its list decides: not until time runs out, and not only in memory.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type RpcReply, runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  stop:
    - type: approval_gate
      config: { condition: "commitment.requires_review == true", approvers: ["human:*"], expiry_sec: 1 }
`

let belay: TestDaemon
let id: string
let secrets: Readonly<Record<string, string>>
beforeEach(async () => {
  belay = await runDaemon({ policy: POLICY })
  secrets = {
    'agent:architect': await belay.bind('pane-0', 'architect'),
    'agent:executor': await belay.bind('pane-1', 'executor'),
    'agent:auditor': await belay.bind('pane-2', 'auditor'),
  }
  const made = await act('commit', 'agent:architect', { text: 'with a gate', review: true })
  id = 'result' in made ? (made.result.commitment as { id: string }).id : ''
  await act('claim', 'agent:executor', { target: id })
})
afterEach(() => belay.stop())

const act = (operation: string, actor: string, params: Readonly<Record<string, unknown>> = {}) =>
  belay.rpc(`commitments.${operation}`, { secret: secrets[actor], cwd: belay.project, ...params })
const approve = async () => why(await act('approve', 'agent:auditor', { target: id }))
const stop = () => belay.hook('Stop', { stop_hook_active: false }, { secret: secrets['agent:executor'] })
const why = (reply: RpcReply): string => ('error' in reply ? reply.error.message : 'done')
const requestIn = (text: string | undefined): string => /apr_[0-9a-f]{8}/.exec(text ?? '')?.[0] ?? ''

const decide = (decision: 'allow' | 'deny', request: string, more = {}): Promise<RpcReply> =>
  belay.rpc(`approvals.${decision}`, { ids: [request], typed: request.slice(-4), ...more })

async function untilExpired(request: string): Promise<void> {
  for (;;) {
    const shown = await belay.rpc('approvals.show', { id: request })
    if ('result' in shown && (shown.result.request as { state: string }).state === 'expired') return
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}

test('time that runs out decides nothing: whoever tries to approve is told the new request', async () => {
  const first = requestIn((await stop()).reason)
  await act('submit', 'agent:executor', { target: id })
  await untilExpired(first)
  await belay.restart()
  const refused = await approve()
  const second = requestIn(refused)
  expect([refused, second === first]).toEqual([`${id} waits for human:*: belay approvals allow ${second}`, false])
  expect(why(await decide('allow', first))).toMatch(/past its time|nothing waits/)
  expect(why(await decide('allow', second))).toBe('done')
  expect(await approve()).toBe('done')
})

test('an agent that stops again after the time ran out is told of the new request once', async () => {
  const first = requestIn((await stop()).reason)
  await untilExpired(first)
  const again = await stop()
  expect([again.decision, requestIn(again.reason) === first]).toEqual(['block', false])
  expect((await stop()).decision).toBeUndefined()
})

test('two stops at the same moment open one request, and one of them is told', async () => {
  const requests = async () => {
    const listed = await belay.rpc('approvals.list', { all: true })
    return 'result' in listed ? (listed.result.requests as { id: string; kind: string }[]).filter(({ kind }) => kind === 'gate') : []
  }
  const both = await Promise.all([stop(), stop()])
  expect([both.map(({ decision }) => decision ?? 'none').sort(), (await requests()).length]).toEqual([['block', 'none'], 1])
  await untilExpired(requestIn(both.find(({ reason }) => reason !== undefined)?.reason))
  const again = await Promise.all([stop(), stop()])
  expect([again.map(({ decision }) => decision ?? 'none').sort(), (await requests()).length]).toEqual([['block', 'none'], 2])
})

test('a refusal holds past its time and over a restart, and is told to the agent once', async () => {
  const request = requestIn((await stop()).reason)
  await decide('deny', request, { note: 'no tests' })
  await act('submit', 'agent:executor', { target: id })
  // As long as the request itself would have been open.
  await new Promise(resolve => setTimeout(resolve, 1500))
  const told = await stop()
  expect([told.decision, told.reason]).toEqual(['block', expect.stringMatching(/rejected by human:.*: no tests/)])
  expect((await stop()).decision).toBeUndefined()
  await belay.restart()
  expect(await approve()).toMatch(new RegExp(`${id} was refused by human:.*: no tests`))
  // The work goes on, so it is asked again at its end.
  expect(why(await act('reject', 'agent:auditor', { target: id, text: 'add tests' }))).toBe('done')
  expect(requestIn((await stop()).reason)).toMatch(/^apr_/)
})

test('what was allowed stays so in the list, used with the commitment', async () => {
  const request = requestIn((await stop()).reason)
  await act('submit', 'agent:executor', { target: id })
  await decide('allow', request)
  expect(await approve()).toBe('done')
  expect(await belay.rpc('approvals.show', { id: request })).toMatchObject({
    result: { request: { state: 'allowed', usedAt: expect.any(String) } },
  })
})

test('an allow rule does not come with a refusal', async () => {
  const request = requestIn((await stop()).reason)
  expect(why(await decide('deny', request, { always: 'Bash(*)' }))).toContain('always goes with allow')
})
