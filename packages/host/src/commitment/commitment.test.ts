import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RpcReply, runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `version: "2.0"
hooks:
  post_tool_use:
    - matcher: "Bash(approve *)"
      type: evidence_capture
      config: { ledger: true, kind: approve }
  stop:
    - type: approval_gate
      config:
        condition: "commitment.requires_review == true"
        approvers: ["human:*"]
permissions:
  actors:
    agent:architect:
      allow: ["mentu_commit(*)", "mentu_capture(*)"]
      deny: ["mentu_claim(*)"]
    agent:auditor:
      allow: ["mentu_approve(*)", "mentu_reject(*)"]
constraints:
  require_human:
    - operation: approve
      match: { tags: [financial] }
  require_validation:
    - operation: submit
      match: { tags: [code] }
  max_open_per_actor: { limit: 2, match: { actor: "agent:busy" } }
tiers:
  classification:
    - match: { tags: [trivial] }
      tier: t1
  t3: { approvers: ["agent:auditor", "human:*"] }
`

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

const why = (reply: RpcReply): string => ('error' in reply ? reply.error.message : 'done')
const secrets = new Map<string, string>()

/** What a person gave the agent of this id for its role. */
async function secretOf(id: string, role: string): Promise<string> {
  const secret = secrets.get(`${id} ${role}`) ?? (await belay.bind(id, role))
  secrets.set(`${id} ${role}`, secret)
  return secret
}

interface Operation extends Readonly<Record<string, unknown>> {
  readonly agentId?: string
}

async function act(operation: string, actor: string, { agentId = actor, ...params }: Operation = {}): Promise<RpcReply> {
  const caller = actor.startsWith('human:') ? {} : { secret: await secretOf(agentId, actor) }
  return belay.rpc(`commitments.${operation}`, { ...caller, cwd: belay.project, ...params })
}

async function commit(text: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const reply = await act('commit', 'agent:architect', { text, ...params })
  if ('error' in reply) throw new Error(reply.error.message)
  return (reply.result.commitment as { id: string }).id
}

async function stateOf(id: string): Promise<unknown> {
  const reply = await belay.rpc('commitments.show', { id })
  return 'result' in reply ? reply.result.commitment : reply.error
}

test('the whole life of a commitment by three actors, and it is the same after a restart', async () => {
  const captured = await act('capture', 'agent:architect', { text: 'users lose their draft', tags: ['bug'] })
  const memory = 'result' in captured ? (captured.result.memory as { id: string }).id : ''
  expect(memory).toMatch(/^mem_[0-9a-f]{8}$/)
  const id = await commit('keep drafts', { source: memory, review: true, tags: ['code'] })
  expect(id).toMatch(/^cmt_[0-9a-f]{8}$/)
  expect(why(await act('claim', 'agent:architect', { target: id }))).toContain('mentu_claim')
  expect(why(await act('claim', 'agent:executor', { target: id, agentId: 'pane-1' }))).toBe('done')
  expect(why(await act('claim', 'agent:other', { target: id }))).toBe(
    `${id} is claimed: claim is not possible; possible are release, annotate, evidence, submit, dismiss, link, triage`,
  )
  expect(why(await act('submit', 'agent:executor', { target: id }))).toContain('needs a passed build or test')
  await act('evidence', 'agent:executor', { target: id, kind: 'test', status: 'passed', text: '12 tests' })
  expect(why(await act('close', 'agent:executor', { target: id }))).toContain('requires review')
  expect(why(await act('submit', 'agent:executor', { target: id }))).toBe('done')
  expect(why(await act('approve', 'agent:executor', { target: id }))).toBe(
    `agent:executor worked on ${id} and cannot approve it; somebody else has to`,
  )
  expect(why(await act('approve', 'agent:auditor', { target: id, agentId: 'pane-1' }))).toContain('cannot approve it')
  expect(why(await act('approve', 'agent:bystander', { target: id }))).toBe('agent:bystander may not approve: agent:auditor may')
  expect(why(await act('reject', 'agent:auditor', { target: id, text: 'no test for empty drafts' }))).toBe('done')
  expect(await stateOf(id)).toMatchObject({ state: 'claimed', claimedBy: 'agent:executor' })
  await act('submit', 'agent:executor', { target: id })
  expect(why(await act('approve', 'agent:auditor', { target: id, text: 'good' }))).toBe('done')
  const before = await stateOf(id)
  expect(before).toMatchObject({ state: 'closed', resolution: 'approved', evidence: 1, doers: ['agent:executor', 'pane-1'] })
  await belay.restart()
  expect(await stateOf(id)).toEqual(before)
  expect((await belay.entries('approve')).map(entry => [entry.actor, entry.read.commitment])).toEqual([['agent:auditor', id]])
})

describe('what is refused', () => {
  test('what only a person may approve', async () => {
    const id = await commit('pay the bill', { tags: ['financial'], review: true })
    await act('claim', 'agent:executor', { target: id })
    await act('submit', 'agent:executor', { target: id })
    expect(why(await act('approve', 'agent:auditor', { target: id }))).toContain('needs a person here')
    expect(why(await act('approve', 'human:ada', { target: id }))).toBe('done')
  })

  test('more than an actor may hold', async () => {
    const ids = [await commit('one'), await commit('two'), await commit('three')]
    const replies = []
    for (const target of ids) replies.push(why(await act('claim', 'agent:busy', { target })))
    expect(replies).toEqual(['done', 'done', expect.stringContaining('holds 2 commitments already, and 2 is the most')])
  })

  test('what comes from nowhere, and what is tied to itself', async () => {
    const id = await commit('tied')
    const link = async (source: string) => why(await act('link', 'agent:executor', { target: id, source }))
    expect(await link('cmt_00000000')).toContain('there is no cmt_00000000')
    expect(await link(id)).toBe(`${id} cannot be tied to itself`)
    expect(await link(await commit('other'))).toBe('done')
    expect(await link('https://example.com/42')).toBe('done')
    expect(why(await act('commit', 'agent:architect', { text: 'x', source: 'mem_00000000' }))).toContain('there is no mem_00000000')
  })

  test('lifting the review of what one worked on', async () => {
    const id = await commit('reviewed', { review: true })
    await act('claim', 'agent:executor', { target: id, agentId: 'pane-7' })
    const told = (actor: string) => `${actor} worked on ${id} and cannot lift its review; somebody else has to`
    expect(why(await act('triage', 'agent:executor', { target: id, review: false }))).toBe(told('agent:executor'))
    expect(why(await act('triage', 'agent:helper', { target: id, review: false, agentId: 'pane-7' }))).toBe(told('agent:helper'))
    expect(why(await act('triage', 'agent:executor', { target: id, tags: ['later'] }))).toBe('done')
    expect(await stateOf(id)).toMatchObject({ requiresReview: true, tags: ['later'] })
    expect(why(await act('triage', 'human:ada', { target: id, review: false }))).toBe('done')
    expect(await stateOf(id)).toMatchObject({ requiresReview: false })
  })

  test('dismissing what one worked on, where it requires review', async () => {
    const id = await commit('reviewed', { review: true })
    expect(why(await act('claim', 'agent:executor', { target: id, agentId: 'pane-8' }))).toBe('done')
    const told = (actor: string) => `${actor} worked on ${id}, which requires review, and cannot dismiss it; somebody else has to`
    const dismiss = async (actor: string, more = {}) => why(await act('dismiss', actor, { target: id, text: 'not needed', ...more }))
    expect(await dismiss('agent:executor')).toBe(told('agent:executor'))
    expect(await dismiss('agent:helper', { agentId: 'pane-8' })).toBe(told('agent:helper'))
    await act('submit', 'agent:executor', { target: id })
    expect(await dismiss('agent:executor')).toBe(told('agent:executor'))
    expect(await dismiss('human:ada')).toBe('done')
    const own = await commit('not reviewed')
    await act('claim', 'agent:executor', { target: own })
    expect(why(await act('dismiss', 'agent:executor', { target: own, text: 'not needed' }))).toBe('done')
  })

  test("another's work, a missing reason, an unknown id, a memory", async () => {
    const id = await commit('mine')
    await act('claim', 'agent:executor', { target: id })
    expect(why(await act('submit', 'agent:other', { target: id }))).toBe(`${id} is claimed by agent:executor: agent:other cannot submit it`)
    expect(why(await act('release', 'human:ada', { target: id }))).toBe('done')
    expect(why(await act('dismiss', 'human:ada', { target: id }))).toBe('dismiss needs a reason')
    expect(why(await act('claim', 'agent:executor', { target: 'cmt_00000000' }))).toContain('there is no cmt_00000000')
  })
})

describe('tiers', () => {
  const finish = async (params: Readonly<Record<string, unknown>>) => {
    const id = await commit('work', params)
    await act('claim', 'agent:executor', { target: id })
    await act('submit', 'agent:executor', { target: id })
    return id
  }

  test('t1 closes by itself, for good', async () => {
    const id = await finish({ tags: ['trivial'] })
    expect(await stateOf(id)).toMatchObject({ tier: 't1', state: 'closed', resolution: 'auto' })
    expect(why(await act('reopen', 'human:ada', { target: id, text: 'wrong' }))).toContain('stays closed')
  })

  test('t2 closes by itself and can be reopened for a day', async () => {
    const id = await finish({ tier: 't2' })
    const { reopenUntil } = (await stateOf(id)) as { reopenUntil: string }
    expect(Math.round((Date.parse(reopenUntil) - Date.now()) / 3_600_000)).toBe(24)
    expect(why(await act('reopen', 'human:ada', { target: id, text: 'wrong' }))).toBe('done')
    expect(await stateOf(id)).toMatchObject({ state: 'open', claimedBy: null })
  })

  test('t3 and triage to t3 are reviewed', async () => {
    const id = await finish({ tier: 't3' })
    expect(await stateOf(id)).toMatchObject({ state: 'in_review', requiresReview: true })
    const other = await commit('small')
    await act('triage', 'human:ada', { target: other, tier: 't3', tags: ['grown'] })
    expect(await stateOf(other)).toMatchObject({ requiresReview: true, tags: ['grown'] })
  })
})

test('the gate at stop holds the commitment, not the agent', async () => {
  const id = await commit('with a gate', { review: true })
  await act('claim', 'agent:executor', { target: id, agentId: 'pane-2' })
  const secret = await secretOf('pane-2', 'agent:executor')
  const stop = () => belay.hook('Stop', { stop_hook_active: false }, { secret })
  const first = await stop()
  expect([first.decision, first.reason]).toEqual(['block', expect.stringMatching(/human:\* has to approve this \(request apr_/)])
  expect((await stop()).decision).toBeUndefined()
  await act('submit', 'agent:executor', { target: id })
  expect(why(await act('approve', 'agent:auditor', { target: id }))).toMatch(/waits for human:\*: belay approvals allow apr_/)
  const request = /apr_\w+/.exec(first.reason ?? '')?.[0] ?? ''
  expect(await belay.rpc('approvals.allow', { ids: [request], typed: request.slice(-4) })).toMatchObject({
    result: { decided: [{ state: 'allowed' }] },
  })
  expect(why(await act('approve', 'agent:auditor', { target: id }))).toBe('done')
})

test('large texts are read back whole, and a long log is a validation like a short one', async () => {
  const title = 'long '.repeat(2000).trim()
  const id = await commit(title, { tags: ['code'] })
  await act('claim', 'agent:executor', { target: id })
  const item = { kind: 'test', status: 'passed', log: 'ok\n'.repeat(1300), text: 'all green '.repeat(30) }
  await act('evidence', 'agent:executor', { target: id, ...item })
  expect(await stateOf(id)).toMatchObject({ title, evidence: 1, validations: 1 })
  await belay.restart()
  expect(await stateOf(id)).toMatchObject({ title, evidence: 1, validations: 1 })
  const shown = await belay.rpc('commitments.show', { id })
  const history = 'result' in shown ? (shown.result.history as { body: { item?: { log: string } } }[]) : []
  expect(history.at(-1)?.body.item?.log).toBe(item.log)
  const exported = await belay.rpc('commitments.export', { cwd: belay.project })
  const lines = 'result' in exported ? (exported.result.lines as string[]) : []
  expect(lines.map(line => JSON.parse(line)).find(envelope => envelope.id === id)).toMatchObject({ payload: { body: title } })
})

test('what is possible leaves out what would be refused anyway', async () => {
  const id = await commit('reviewed', { review: true })
  expect(why(await act('submit', 'agent:executor', { target: id }))).toBe(
    `${id} is open: submit is not possible; possible are claim, annotate, evidence, dismiss, link, triage`,
  )
  expect(why(await act('close', 'agent:executor', { target: id }))).toContain('requires review')
})

test('evidence that its hook calls an approval approves nothing', async () => {
  const id = await commit('evidence is no operation', { review: true })
  await act('claim', 'agent:executor', { target: id, agentId: 'pane-9' })
  await act('submit', 'agent:executor', { target: id, agentId: 'pane-9' })
  const call = { tool_name: 'Bash', tool_input: { command: 'approve it' }, tool_response: 'ok' }
  await belay.hook('PostToolUse', call, { secret: await secretOf('pane-9', 'agent:executor') })
  expect((await belay.entries('approve')).filter(entry => entry.read.commitment === id)).toHaveLength(1)
  await belay.restart()
  expect(await stateOf(id)).toMatchObject({ state: 'in_review', evidence: 1 })
})

test('calls of an agent belong to what it claimed', async () => {
  const id = await commit('evidence')
  await act('claim', 'agent:executor', { target: id, agentId: 'pane-3' })
  await belay.hook(
    'PostToolUse',
    { tool_name: 'Read', tool_input: { file_path: 'x' }, tool_response: '' },
    { secret: await secretOf('pane-3', 'agent:executor') },
  )
  await belay.hook('Stop', {}, { secret: await secretOf('pane-3', 'agent:executor') })
  expect((await belay.entries('post_tool_use')).at(-1)?.read.commitment).toBe(id)
})

test('a ledger of the older tool is read, replayed, and written out as it was', async () => {
  const envelopes = [
    { id: 'mem_0a0a0a0a', op: 'capture', ts: '2025-01-01T00:00:00.000Z', actor: 'alice', workspace: 'w', payload: { body: 'seen' } },
    {
      id: 'cmt_0b0b0b0b',
      op: 'commit',
      ts: '2025-01-01T00:01:00.000Z',
      actor: 'alice',
      workspace: 'w',
      payload: { body: 'do it', source: 'mem_0a0a0a0a' },
    },
    {
      id: 'op_0c0c0c0c',
      op: 'claim',
      ts: '2025-01-01T00:02:00.000Z',
      actor: 'bob',
      workspace: 'w',
      payload: { commitment: 'cmt_0b0b0b0b' },
    },
    {
      id: 'op_0d0d0d0d',
      op: 'close',
      ts: '2025-01-01T00:03:00.000Z',
      actor: 'bob',
      workspace: 'w',
      source_key: 'k',
      payload: { commitment: 'cmt_0b0b0b0b' },
    },
  ]
  const lines = envelopes.map(envelope => JSON.stringify(envelope))
  const deep = `{"id":"op_0e0e0e0e","op":"annotate","payload":${'['.repeat(2000)}${']'.repeat(2000)}}`
  const refused = why(await belay.rpc('commitments.import', { cwd: belay.project, lines: [...lines, '{"id":', deep] }))
  expect(refused).toContain('nothing was imported: line 5: not JSON')
  expect(refused).toContain('line 6: nested deeper than 64 levels')
  for (let twice = 0; twice < 2; twice++) {
    const reply = await belay.rpc('commitments.import', { cwd: belay.project, lines })
    expect(reply).toMatchObject({ result: { imported: 4, added: twice === 0 ? 4 : 0 } })
  }
  expect(await stateOf('cmt_0b0b0b0b')).toMatchObject({ state: 'closed', claimedBy: 'bob', createdAt: '2025-01-01T00:01:00.000Z' })
  // What has happened here since is not undone by importing it again, with or without a restart in between.
  expect(why(await act('reopen', 'human:ada', { target: 'cmt_0b0b0b0b', text: 'again' }))).toBe('done')
  for (const restart of [false, true]) {
    if (restart) await belay.restart()
    await belay.rpc('commitments.import', { cwd: belay.project, lines })
    expect(await stateOf('cmt_0b0b0b0b')).toMatchObject({ state: 'open' })
  }
  const exported = await belay.rpc('commitments.export', { cwd: belay.project })
  const written = ('result' in exported ? (exported.result.lines as string[]) : []).map(line => JSON.parse(line))
  expect(written.filter(envelope => envelope.workspace === 'w')).toEqual(envelopes)
  for (const envelope of written)
    expect(envelope).toMatchObject({ id: expect.stringMatching(/^(?:op|mem|cmt)_[0-9a-f]{8}$/), payload: expect.any(Object) })
})
