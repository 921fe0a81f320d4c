import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { startSession } from './session.ts'
import { openWorkRows, type WorkRows } from './work-rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'belay-rows-'))
let store: Store

beforeAll(async () => {
  store = await openSqliteStore({ file: join(folder, 'belay.db') })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

const open = (): Promise<WorkRows> =>
  openWorkRows({ store, now: () => 1_000_000_000_000, onFailure: error => expect(error).toBeUndefined() })

const window = { agentKind: 'codex', hostSession: 'h1', subagent: null }

test('a known agent and window are there at once, without a read', async () => {
  const rows = await open()
  await rows.agent('a')
  await rows.session(window)
  expect(rows.agent('a')).toMatchObject({ id: 'a', status: 'done' })
  expect(rows.session(window)).toBeNull()
  expect(rows.latestEffort('/nowhere')).toBeNull()
})

test('what changed is written behind, and read back by the next daemon', async () => {
  const rows = await open()
  const agent = await rows.agent('b')
  agent.status = 'attention'
  agent.statusReason = 'asks'
  agent.manages = ['c', 'd']
  rows.changed(agent)
  await rows.flush()
  const id = await store.transact(tx =>
    startSession(tx, {
      agentId: 'b',
      ...window,
      projectRoot: '/p',
      effortId: null,
      transcriptPath: null,
      heartbeatInterval: 7,
      contextWindow: null,
      now: '2026-01-01T00:00:00.000Z',
    }),
  )
  const session = await (await open()).session(window)
  if (session === null) throw new Error('no session')
  const later = await open()
  Object.assign(session, {
    heartbeat: 4,
    contextUsage: 0.5,
    cost: 1.25,
    injections: [{ kind: 'note', text: 'hi', path: null }],
    lastEdited: '/x',
  })
  session.loadedFiles.add('/y')
  later.changed(session)
  await later.flush()
  const fresh = await open()
  expect(await fresh.session(window)).toEqual({ ...session, id, agentId: 'b', interval: 7, heartbeat: 4 })
  expect(await fresh.agent('b')).toEqual({ ...agent, manages: ['c', 'd'], status: 'attention' })
  expect(fresh.coordinatorsOf('d').map(each => each.id)).toEqual(['b'])
})

test('a write that fails is kept and tried again', async () => {
  let isBroken = true
  const failing: Store = { ...store, commit: writes => (isBroken ? Promise.reject(new Error('disk full')) : store.commit(writes)) }
  const rows = await openWorkRows({ store: failing, now: Date.now, onFailure: () => undefined })
  const agent = await rows.agent('e')
  agent.status = 'working'
  rows.changed(agent)
  await expect(rows.flush()).rejects.toThrow('disk full')
  isBroken = false
  await rows.flush()
  const row = await store.db.selectFrom('agents').select('status').where('id', '=', 'e').executeTakeFirst()
  expect(row).toEqual({ status: 'working' })
})
