import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RpcReply, runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'
import { isSigned, signBody } from './webhook-signature.ts'

const POLICY = `version: "2.0"
hooks:
  pre_tool_use:
    - matcher: "Bash(deploy *)"
      type: approval_gate
      config: { approvers: ["human:ada"], reason: "production" }
permissions:
  default: none
  actors:
    "agent:*":
      ask: ["Bash(git push *)"]
    agent:strict:
      allow: ["Read(*)"]
`
const CONFIG = 'person = "ada"\n[agents.codex]\nhold_ms = 150\n'

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY, config: CONFIG })
})
afterAll(() => belay.stop())

const bash = (command: string) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: 't1' })
const call = (command: string, frame = {}) => belay.hook('PreToolUse', bash(command), frame)
const idIn = (text: string | undefined) => /apr_[0-9a-f]{8}/.exec(text ?? '')?.[0] ?? ''
const errorOf = (reply: RpcReply) => ('error' in reply ? reply.error.message : null)

async function waiting(): Promise<readonly { id: string; input: unknown; reason: string; rule: string | null }[]> {
  const reply = await belay.rpc('approvals.list')
  return 'result' in reply ? (reply.result.requests as never) : []
}

const decide = (decision: 'allow' | 'deny', ids: readonly string[], more = {}): Promise<RpcReply> =>
  belay.rpc(`approvals.${decision}`, { ids, typed: ids.at(-1)?.slice(-4), ...more })

describe('nobody watches', () => {
  test('an ask is denied with how to allow it, allowed once after that, and asked again', async () => {
    const denied = await call('git push origin main')
    expect([denied.decision, denied.reason]).toEqual(['deny', expect.stringMatching(/ approvals allow apr_/)])
    const id = idIn(denied.reason)
    expect(await waiting()).toMatchObject([
      {
        id,
        actor: 'agent:claude-code',
        tool: 'Bash',
        input: { command: 'git push origin main' },
        rule: expect.stringMatching(/Bash\(git push \*\) \(.*genesis\.key:11\)/),
      },
    ])
    expect(idIn((await call('git push origin main')).reason)).toBe(id)
    expect(await decide('allow', [id])).toMatchObject({ result: { decided: [{ state: 'allowed', decidedBy: 'human:ada' }] } })
    expect((await call('git push origin other')).decision).toBe('deny')
    expect((await call('git push origin main', { 'agent-id': 'another' })).decision).toBe('deny')
    const allowed = await call('git push origin main')
    expect([allowed.decision, allowed.reason]).toEqual(['allow', `allowed once by human:ada (${id})`])
    const again = await call('git push origin main')
    expect([again.decision, idIn(again.reason) === id]).toEqual(['deny', false])
    const kinds = (await belay.entries()).filter(entry => entry.read.approval === id).map(entry => [entry.kind, entry.actor])
    expect(kinds).toEqual([
      ['approval_requested', 'agent:claude-code'],
      ['approval_decided', 'human:ada'],
      ['approval_used', 'agent:claude-code'],
    ])
  })

  test('a denial reaches the next identical call, with its note', async () => {
    const id = idIn((await call('git push -f')).reason)
    await decide('deny', [id], { note: 'not on Fridays' })
    expect((await call('git push -f')).reason).toMatch(
      new RegExp(`^Tool denied: denied by human:ada: not on Fridays \\(${id}\\)\nBelay decided this for agent:`),
    )
  })

  describe('the agent asks once more by itself', () => {
    const ask = async (command: string): Promise<string> =>
      JSON.parse((await belay.hook('PermissionRequest', bash(command))).stdout).hookSpecificOutput.decision.behavior
    const allowOne = async (command: string): Promise<void> => {
      await decide('allow', [idIn((await call(command)).reason)])
      expect((await call(command)).decision).toBe('allow')
    }

    test('and is told the same, once', async () => {
      await allowOne('git push once')
      expect(await ask('git push once')).toBe('allow')
      expect(await ask('git push once')).toBe('deny')
    })

    test('about a call that has run: it is another one', async () => {
      await allowOne('git push ran')
      await belay.hook('PostToolUse', { ...bash('git push ran'), tool_response: {} })
      expect(await ask('git push ran')).toBe('deny')
    })

    test('about a call that has come again: it is another one', async () => {
      await allowOne('git push again')
      expect((await call('git push again')).decision).toBe('deny')
      expect(await ask('git push again')).toBe('deny')
    })
  })

  test('decisions and requests survive a restart', async () => {
    const id = idIn((await call('git push restart')).reason)
    await belay.restart()
    await decide('allow', [id])
    await belay.restart()
    expect((await call('git push restart')).decision).toBe('allow')
  })

  test('one event delivered twice is one use of a decision', async () => {
    const id = idIn((await call('git push redelivered')).reason)
    await decide('allow', [id])
    const deliver = async () => (await call('git push redelivered', { 'event-id': 'e1' })).decision
    expect((await call('git push other', { 'event-id': 'e1' })).decision).toBe('deny')
    expect([await deliver(), await deliver(), (await call('git push redelivered')).decision]).toEqual(['allow', 'allow', 'deny'])
  })

  test('where a person sits at the agent, the agent asks by itself and nothing waits', async () => {
    const before = (await waiting()).length
    expect((await call('git push attended', { attended: true })).decision).toBe('ask')
    expect(await waiting()).toHaveLength(before)
  })
})

describe('who decides', () => {
  test('not with a wrong confirmation, not twice', async () => {
    const id = idIn((await call('git push token')).reason)
    const other = idIn((await call('git push token2')).reason)
    for (const typed of [undefined, '', 'zzzz', other.slice(-4)]) {
      expect(errorOf(await belay.rpc('approvals.allow', { ids: [id], typed }))).toContain('not the end of the id')
    }
    expect(await decide('allow', [id, other])).toMatchObject({ result: { decided: [{ id }, { id: other }] } })
    expect(errorOf(await decide('allow', [id]))).toMatch(/is allowed already|nothing waits/)
  })

  test('only those on the list of a gate', async () => {
    const denied = await call('deploy now')
    expect(denied.reason).toContain('production')
    const id = idIn(denied.reason)
    expect(await decide('allow', [id])).toMatchObject({ result: { decided: [{ approvers: ['human:ada'] }] } })
    expect((await call('deploy now')).reason).toBe('approved by human:ada')
    expect((await call('deploy now')).decision).toBe('deny')
    // A person at the agent is not the person on the list.
    expect((await call('deploy later', { attended: true })).decision).toBe('deny')
  })
})

describe('somebody watches', () => {
  const waitingFor = async (command: string) => (await waiting()).filter(({ input }) => (input as { command: string }).command === command)

  test('the call is held, and released by the decision', () =>
    belay.watched(async () => {
      const held = call('git push held', { 'deadline-ms': 60_000 })
      await expect.poll(() => waitingFor('git push held')).toHaveLength(1)
      const [request] = await waitingFor('git push held')
      await decide('allow', [request?.id ?? ''])
      expect((await held).reason).toBe(`allowed once by human:ada (${request?.id})`)
    }))

  test('of two identical calls that wait, one decision frees one', () =>
    belay.watched(async () => {
      const command = 'git push twice'
      const both = [call(command, { 'deadline-ms': 60_000 }), call(command, { 'deadline-ms': 60_000 })]
      await expect.poll(() => waitingFor(command)).toHaveLength(1)
      const [first] = await waitingFor(command)
      await decide('allow', [first?.id ?? ''])
      expect(await Promise.race(both)).toMatchObject({ decision: 'allow' })
      await expect.poll(() => waitingFor(command)).toHaveLength(1)
      const [second] = await waitingFor(command)
      await decide('deny', [second?.id ?? ''])
      expect((await Promise.all(both)).map(({ decision }) => decision).sort()).toEqual(['allow', 'deny'])
    }))

  test("within the agent's limit: then it is denied with how", () =>
    belay.watched(async () => {
      const codex = await belay.hook('PreToolUse', bash('git push codex'), { agent: 'codex', 'deadline-ms': 60_000 })
      expect(codex.stdout + codex.stderr).toContain(' approvals allow ')
    }))
})

test('a request past its time is over, and its decision worth nothing', async () => {
  const short = await runDaemon({ policy: POLICY, config: '[approvals]\nexpiry = "2s"\n' })
  const ask = async () => idIn((await short.hook('PreToolUse', bash('git push late'))).reason)
  const id = await ask()
  const stateOf = async () => {
    const shown = await short.rpc('approvals.show', { id })
    return 'result' in shown ? (shown.result.request as { state: string }).state : errorOf(shown)
  }
  await expect.poll(stateOf).toBe('expired')
  const late = await short.rpc('approvals.allow', { ids: [id], typed: id.slice(-4) })
  expect(errorOf(late)).toMatch(/past its time|nothing waits/)
  expect(await ask()).not.toBe(id)
  await short.stop()
})

test('--always writes a rule where nothing but the default asked, and leaves the rest of the file alone', async () => {
  const policy = 'version: "2.0"\n# mine\npermissions:\n  actors:\n    agent:claude-code:\n      allow: ["Read(*)"] # reading\n'
  const other = await runDaemon({ policy })
  const first = idIn((await other.hook('PreToolUse', bash('npm test'))).reason)
  const file = join(other.project, '.belay', 'genesis.key')
  expect(await other.rpc('approvals.allow', { ids: [first], typed: first.slice(-4), always: 'Bash(npm *)' })).toMatchObject({
    result: { rule: { file, isTrusted: true } },
  })
  expect(readFileSync(file, 'utf8')).toBe(policy.replace('"Read(*)"]', '"Read(*)", "Bash(npm *)"]'))
  await expect.poll(async () => (await other.hook('PreToolUse', bash('npm run build'))).decision).toBe('allow')
  expect((await other.entries('approval_decided')).map(entry => entry.read.always)).toEqual(['Bash(npm *)'])
  await other.stop()
  const id = idIn((await call('git push always', { 'deadline-ms': 300 })).reason)
  expect(errorOf(await decide('allow', [id], { always: 'Bash(git push *)' }))).toContain('no allow rule overrides that')
})

test('--always joins the list the actor has its allow rules from: nothing that was allowed is lost', async () => {
  const policy = 'version: "2.0"\npermissions:\n  actors:\n    "agent:*":\n      allow: ["Bash(ls *)"]\n'
  const other = await runDaemon({ policy })
  const first = idIn((await other.hook('PreToolUse', bash('npm test'))).reason)
  expect(await other.rpc('approvals.allow', { ids: [first], typed: first.slice(-4), always: 'Bash(npm *)' })).toMatchObject({
    result: { rule: { actor: 'agent:*', isTrusted: true } },
  })
  const decide = (command: string) => other.hook('PreToolUse', bash(command))
  await expect.poll(async () => (await decide('npm run build')).decision).toBe('allow')
  expect((await decide('ls src')).decision).toBe('allow')
  await other.stop()
})

test('a webhook is told, signed, and may decide, signed', async () => {
  const told: { body: string; signature: string }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      told.push({ body, signature: String(request.headers['belay-signature']) })
      response.end()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const other = await runDaemon({ policy: POLICY, config: `[approvals]\nwebhook = "${url}"\n` })
  const held = other.hook('PreToolUse', bash('git push hook'), { 'deadline-ms': 20_000 })
  while (told.length === 0) await new Promise(resolve => setTimeout(resolve, 20))
  const key = Buffer.from(readFileSync(join(other.home, 'keys', 'webhook.key'), 'utf8').trim(), 'hex')
  const { request } = JSON.parse(told[0]?.body ?? '{}')
  expect([isSigned(key, told[0]?.body ?? '', told[0]?.signature ?? '', Date.now()), request.input]).toEqual([
    true,
    { command: 'git push hook' },
  ])
  const { port } = JSON.parse(readFileSync(other.paths.state, 'utf8'))
  const send = (body: string, signature: string) =>
    fetch(`http://127.0.0.1:${port}/v1/approvals/webhook`, { method: 'POST', body, headers: { 'belay-signature': signature } })
  const body = JSON.stringify({ id: request.id, decision: 'allow', by: 'human:grace' })
  expect((await send(body, signBody(Buffer.alloc(32), body, Date.now()))).status).toBe(401)
  expect((await send(body, signBody(key, body, Date.now() - 600_000))).status).toBe(401)
  expect((await send(body, signBody(key, body, Date.now()))).status).toBe(200)
  expect((await held).reason).toBe(`allowed once by human:grace (${request.id})`)
  expect((await send(body, signBody(key, body, Date.now()))).status).toBe(409)
  await other.stop()
  server.close()
})

test('what waits shows no secret, and the exact input is still told apart', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const id = idIn((await call(`git push https://x:${secret}@github.com/a/b`, { 'deadline-ms': 300 })).reason)
  const [request] = (await waiting()).filter(each => each.id === id)
  expect(JSON.stringify(request)).not.toContain(secret)
  await decide('allow', [id])
  expect((await call(`git push https://x:${secret.replace('a1', 'c3')}@github.com/a/b`, { 'deadline-ms': 300 })).decision).toBe('deny')
  expect((await call(`git push https://x:${secret}@github.com/a/b`)).decision).toBe('allow')
})
