// Decisions over loopback HTTP: the page of a person decides, the token of a program does not, and an open page counts as somebody there.
import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RpcReply, runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(git push *)"]
`

let belay: TestDaemon
let origin: string
let page: Record<string, string>
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY, config: 'person = "ada"\n' })
  const status = await belay.rpc('daemon.status')
  origin = 'result' in status ? String(status.result.url).replace(/\/$/, '') : ''
  page = { origin, cookie: await enterPage(), 'belay-page': 'this one' }
})
afterAll(() => belay.stop())

async function enterPage(): Promise<string> {
  const link = await belay.rpc('dashboard.link')
  if (!('result' in link)) throw new Error(link.error.message)
  const { headers } = await send(String(link.result.url), {})
  return String(headers['set-cookie']).split(';')[0] ?? ''
}

interface Answer {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

function send(url: string, { headers = {}, body }: { headers?: Record<string, string>; body?: string }): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, response => {
      let text = ''
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end(body)
  })
}

async function rpc(headers: Record<string, string>, method: string, params: object): Promise<RpcReply> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  return JSON.parse((await send(`${origin}/v1/rpc`, { headers: { 'content-type': 'application/json', ...headers }, body })).text)
}

const token = () => ({ authorization: `Bearer ${readFileSync(belay.paths.token, 'utf8').trim()}` })
const push = (branch: string) =>
  belay.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: `git push origin ${branch}` }, tool_use_id: branch })
const waitingFor = (branch: string) => async () => {
  const listed = await belay.rpc('approvals.list')
  const requests = 'result' in listed ? (listed.result.requests as { id: string; input: { command: string } }[]) : []
  return requests.filter(({ input }) => input.command.endsWith(branch))
}
const idIn = (text: string | undefined) => /apr_[0-9a-f]{8}/.exec(text ?? '')?.[0] ?? ''

test('the page decides without more ado, and the record says that it did', async () => {
  const id = idIn((await push('one')).reason)
  expect(await rpc(page, 'approvals.allow', { ids: [id] })).toMatchObject({
    result: { decided: [{ id, state: 'allowed', decidedBy: 'human:ada' }] },
  })
  expect(await push('one')).toMatchObject({ decision: 'allow', reason: expect.stringContaining('human:ada') })
  const [decided] = (await belay.entries('approval_decided')).map(entry => entry.read)
  expect(decided).toMatchObject({ via: 'dashboard' })
})

describe('the token of a program', () => {
  test('decides no approval', async () => {
    const id = idIn((await push('two')).reason)
    for (const decision of ['allow', 'deny']) {
      expect(await rpc(token(), `approvals.${decision}`, { ids: [id] })).toMatchObject({
        error: { message: expect.stringContaining('is for people') },
      })
    }
    expect(await push('two')).toMatchObject({ decision: 'deny' })
  })

  test.each([
    ['commitments.commit', { actor: 'human:ada', text: 'x' }],
    ['commitments.commit', { actor: 'agent:ci', text: 'x' }],
    ['commitments.commit', { text: 'x' }],
    ['daemon.pause', { duration: '1m' }],
    ['agent.bind', { id: 'a', role: 'auditor' }],
  ])('is not a person: %s %o', async (method, params) => {
    expect(await rpc(token(), method, { cwd: belay.project, ...params })).toMatchObject({
      error: { message: expect.stringContaining('is for people') },
    })
  })

  test('acts for the agent whose secret it has', async () => {
    const secret = await belay.bind('ci', 'ci')
    expect(await rpc(token(), 'commitments.commit', { cwd: belay.project, secret, text: 'x' })).toMatchObject({
      result: { actor: 'agent:ci' },
    })
  })
})

test('an open page is somebody who can be waited for', async () => {
  const stream = httpRequest(`${origin}/v1/events`, { headers: page, agent: false })
  const opened = new Promise(resolve => stream.once('response', response => resolve(response.resume())))
  stream.end()
  await opened
  const held = push('three')
  await expect.poll(waitingFor('three')).toHaveLength(1)
  const [waiting] = await waitingFor('three')()
  await rpc(page, 'approvals.allow', { ids: [waiting?.id] })
  expect(await held).toMatchObject({ decision: 'allow' })
  stream.destroy()
})
