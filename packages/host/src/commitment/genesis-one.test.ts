import { afterAll, beforeAll, expect, test } from 'vitest'
import { runDaemon, type TestDaemon } from '../daemon/fixtures/run-daemon.ts'

const POLICY = `genesis:
  version: "1.0"
identity: { workspace: test, owner: alice }
permissions:
  actors:
    "alice": { operations: [capture, commit, claim, release, close, annotate] }
    "bob": { operations: [capture, annotate] }
constraints:
  require_human:
    - operation: close
      match: { tags: [financial] }
  require_claim: true
`

let belay: TestDaemon
beforeAll(async () => {
  belay = await runDaemon({ policy: POLICY })
})
afterAll(() => belay.stop())

const cases: readonly [actor: string, operation: string, allowed: boolean][] = [
  ['alice', 'commit', true],
  ['alice', 'capture', true],
  ['bob', 'capture', true],
  ['bob', 'commit', false],
  ['carol', 'capture', false],
  ['carol', 'commit', false],
]

test.each(cases)('%s %s: %s', async (actor, operation, allowed) => {
  const reply = await belay.rpc(`commitments.${operation}`, { secret: await belay.bind(actor, actor), cwd: belay.project, text: 'x' })
  expect('result' in reply).toBe(allowed)
})

test('closing needs a claim; financial things need a person', async () => {
  const secret = await belay.bind('alice', 'alice')
  const act = (operation: string, params: object) => belay.rpc(`commitments.${operation}`, { secret, cwd: belay.project, ...params })
  const made = async (tags: string[]) => {
    const reply = await act('commit', { text: 'x', tags })
    return 'result' in reply ? (reply.result.commitment as { id: string }).id : ''
  }
  const plain = await made([])
  expect(await act('close', { target: plain })).toMatchObject({ error: { message: expect.stringContaining('require_claim') } })
  await act('claim', { target: plain })
  expect(await act('close', { target: plain })).toMatchObject({ result: { commitment: { state: 'closed' } } })
  const paid = await made(['financial'])
  await act('claim', { target: paid })
  expect(await act('close', { target: paid })).toMatchObject({ error: { message: expect.stringContaining('require_human') } })
})
