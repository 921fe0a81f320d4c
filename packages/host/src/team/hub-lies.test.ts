// What a hub can say of this machine's ledger and of its own record that cannot be so: each is named and recorded, and nothing is dropped for
// it. A real ledger and its uploader; the hub on loopback says what a case makes it say.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import {
  cosign,
  EMPTY_TREE,
  formatCheckpoint,
  formatNoteKey,
  growTree,
  type NoteSigner,
  parseCheckpoint,
  parseNote,
  proveConsistency,
  signNote,
  treeRoot,
} from '@belay/core/ledger'
import { parseUploadEntry } from '@belay/core/team'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeSigner } from '../../../core/src/team/fixtures/make-bundle.ts'
import { readAcknowledged } from '../ledger/acknowledged.ts'
import { GAP } from '../ledger/ledger-kind.ts'
import { type LocalLedger, openLedger } from '../ledger/open-ledger.ts'
import { openSqliteStore } from '../store/open-sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { createHubDoubts } from './hub-doubts.ts'
import { createHubSession } from './hub-session.ts'
import { createLoginKey, type Membership } from './membership.ts'
import { runUploader } from './run-uploader.ts'
import type { TeamEntry } from './team-message.ts'
import { readUploadState } from './upload-state.ts'
import { findBreak, readSeenRecord, watchRecord } from './watch-record.ts'

const hubKey = makeSigner('belay.hub/1')
const ENTRIES = 12

interface Upload {
  readonly from: number
  readonly head: { readonly seq: number }
  readonly entries: readonly unknown[]
  readonly checkpoint: string | null
  readonly status: { readonly unseenTotal?: number }
}
interface Said {
  readonly status: number
  readonly body: object
}
type Answer = (upload: Upload, n: number) => Said

let home: string
let server: Server
let url: string
let ledger: LocalLedger
let store: Store
let membership: Membership
const hub: { answer: Answer; place: number; record: Said; uploads: number; uploadBytes: number; status: Upload['status'] } = {
  answer: () => ({ status: 200, body: {} }),
  place: 0,
  record: { status: 404, body: {} },
  uploads: 0,
  uploadBytes: 0,
  status: {},
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'belay-lies-'))
  Object.assign(hub, { place: 0, uploads: 0, uploadBytes: 0 })
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const said = say(request.url?.split('?')[0] ?? '', Buffer.concat(chunks))
      response.writeHead(said.status, { 'content-type': 'application/json' }).end(JSON.stringify(said.body))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  ledger = await openLedger({ home })
  for (let n = 0; n < ENTRIES; n++) await ledger.append({ actor: 'agent:x', session: null, kind: 'decision', policy: null, body: { n } })
  await ledger.checkpoint()
  store = await openSqliteStore({ file: ledger.files.database, readOnly: true })
  membership = {
    url,
    machine: 'm',
    name: 'm',
    labels: {},
    upload: 'index',
    erase: [],
    kibPerSecond: 4096,
    rootKey: '',
    hubKey: formatNoteKey(hubKey),
    keyName: createLoginKey(home).name,
    joinedAt: new Date().toISOString(),
  }
})
afterEach(async () => {
  server.closeAllConnections()
  server.close()
  await store.close()
  await ledger.close()
  rmSync(home, { recursive: true, force: true })
})

function say(path: string, bytes: Buffer): Said {
  if (path === '/v1/challenge') return { status: 200, body: { challenge: 'c' } }
  if (path === '/v1/login') return { status: 200, body: { token: 't' } }
  if (path === '/v1/chain') return { status: 200, body: { seq: hub.place } }
  if (path === '/v1/record') return hub.record
  const upload = JSON.parse(gunzipSync(bytes).toString()) as Upload
  hub.status = upload.status
  hub.uploadBytes += bytes.length
  return hub.answer(upload, hub.uploads++)
}

/** Takes all of it, and cosigns as it should. */
function takeHonestly({ from, entries, checkpoint }: Upload): Said {
  hub.place = from + entries.length
  return { status: 200, body: { seq: hub.place, cosigned: checkpoint === null ? null : cosigned(checkpoint) } }
}

function cosigned(note: string, signer: NoteSigner = hubKey): string {
  return `${note}${cosign(parseNote(note)?.text ?? '', signer, Date.now())}`
}

/** Until there is a doubt, or so many uploads went well. */
async function run(isEnough: () => boolean): Promise<readonly TeamEntry[]> {
  const recorded: TeamEntry[] = []
  const doubts = createHubDoubts(entry => recorded.push(entry))
  const ending = new AbortController()
  const running = runUploader({ home, store, membership, version: '0', signal: ending.signal, doubts, lookMs: 5, longestWaitMs: 20 })
  await expect.poll(() => recorded.length > 0 || isEnough(), { timeout: 20_000 }).toBe(true)
  ending.abort()
  await running
  return recorded
}

test.each<[string, Answer, string]>([
  ['that it holds more than was sent', ({ head }) => ({ status: 200, body: { seq: head.seq + 5 } }), 'has sent'],
  ['that it holds less than was sent', () => ({ status: 200, body: { seq: 1 } }), 'has sent'],
  ['nothing of what it holds', () => ({ status: 200, body: {} }), 'holds no entries'],
  [
    'that it holds what this ledger does not have',
    ({ from }) => (from < 1e6 ? { status: 409, body: { seq: 1e6 } } : { status: 200, body: { seq: 1e6 } }),
    'which has 12',
  ],
  [
    'that it holds them, and signs for nothing',
    ({ from, entries }) => ({ status: 200, body: { seq: from + entries.length, cosigned: null } }),
    'has not cosigned',
  ],
  ['the same place again', ({ from }) => ({ status: 409, body: { seq: from } }), 'takes nothing'],
  ['another place each time', (_upload, n) => ({ status: 409, body: { seq: n % 2 } }), 'takes nothing'],
  [
    'a cosignature of somebody else',
    upload => ({
      status: 200,
      body: { ...takeHonestly(upload).body, cosigned: cosigned(upload.checkpoint ?? '', makeSigner('belay.hub/1')) },
    }),
    'not its own',
  ],
  [
    'that it cosigned another ledger',
    upload => {
      const text = formatCheckpoint({ origin: 'belay.local/ledger/other', size: ENTRIES, root: Buffer.alloc(32) })
      return { status: 200, body: { ...takeHonestly(upload).body, cosigned: cosigned(signNote(text, [hubKey])) } }
    },
    'has not made',
  ],
  [
    'that it cosigned these entries in another order',
    upload => {
      const own = parseCheckpoint(parseNote(upload.checkpoint ?? '')?.text ?? '')
      const text = formatCheckpoint({ origin: own?.origin ?? '', size: own?.size ?? 0, root: Buffer.alloc(32, 7) })
      return { status: 200, body: { ...takeHonestly(upload).body, cosigned: cosigned(signNote(text, [hubKey])) } }
    },
    'has not made',
  ],
])('a hub that says %s', async (_name, answer, why) => {
  hub.answer = answer
  const recorded = await run(() => false)
  expect(recorded).toEqual([{ kind: 'hub_doubted', body: { why: expect.stringContaining(why) } }])
  expect(readUploadState(home)).toMatchObject({ doubt: { why: expect.stringContaining(why) }, cosigned: 0 })
  // Nothing that it says lets this machine drop an entry.
  expect(readAcknowledged(ledger.files) ?? 0).toBe(0)
})

test('a hub that says nothing odd is not doubted, and its word is kept over a restart', async () => {
  hub.answer = takeHonestly
  expect(await run(() => readUploadState(home)?.cosigned === ENTRIES)).toEqual([])
  expect(readAcknowledged(ledger.files)).toBe(ENTRIES)
  const note = readFileSync(join(home, 'team', 'cosigned.note'), 'utf8')
  hub.answer = () => ({ status: 200, body: { seq: ENTRIES, cosigned: null } })
  expect(await run(() => hub.uploads > 1)).toEqual([])
  expect(readUploadState(home)).toMatchObject({ acknowledged: ENTRIES, cosigned: ENTRIES })
  expect(readFileSync(join(home, 'team', 'cosigned.note'), 'utf8')).toBe(note)
})

test('a hub that lost what it cosigned is named, and gets it again', async () => {
  hub.answer = takeHonestly
  await run(() => readUploadState(home)?.cosigned === ENTRIES)
  hub.place = 3
  hub.answer = () => ({ status: 503, body: {} })
  expect(await run(() => false)).toEqual([
    {
      kind: 'hub_doubted',
      body: { why: `the hub holds 3 entries of this ledger, and has cosigned ${ENTRIES}: it was put back, or dropped some` },
    },
  ])
  expect(readAcknowledged(ledger.files)).toBe(3)
  hub.answer = takeHonestly
  await run(() => hub.place === ENTRIES && readAcknowledged(ledger.files) === ENTRIES)
})

test('a hub is sent as many bytes a second as the membership says, and no more', async () => {
  const [entries, kibPerSecond] = [300, 2]
  membership = { ...membership, kibPerSecond, upload: 'bodies' }
  for (let n = 0; n < entries; n++) {
    const body = { text: randomBytes(1500).toString('hex') }
    await ledger.append({ actor: 'agent:x', session: null, kind: 'decision', policy: null, body })
  }
  hub.answer = takeHonestly
  let restedMs = 0
  const ending = new AbortController()
  const rest = async (ms: number): Promise<void> => {
    restedMs += ms
    if (hub.place === ENTRIES + entries) ending.abort()
  }
  await runUploader({ home, store, membership, version: '0', signal: ending.signal, rest })
  expect(hub.uploads).toBeGreaterThan(2)
  const share = hub.uploadBytes / (restedMs / 1000) / (kibPerSecond * 1024)
  expect(share).toBeGreaterThan(0.95)
  expect(share).toBeLessThanOrEqual(1)
})

test('what could not be recorded is told as one number, also after a restart', async () => {
  for (const lost of [4, 3]) await ledger.append({ actor: 'system', session: null, kind: GAP, policy: null, body: { lost } })
  await ledger.append({ actor: 'system', session: null, kind: GAP, policy: null, body: {} })
  hub.answer = takeHonestly
  for (const uploads of [1, 2]) {
    await run(() => hub.uploads >= uploads)
    expect(hub.status).toMatchObject({ unseenTotal: 8 })
    expect(readUploadState(home)).toMatchObject({ unseenTotal: 8 })
  }
})

test('however long the names are that agents make up, no upload is held up or larger than a hub takes', async () => {
  const lengths = [9_000_000, 20_000, ...Array(80).fill(15_000)]
  for (const length of lengths)
    await ledger.append({ actor: 'agent:x', session: 's'.repeat(length), kind: 'decision', policy: null, body: { tool: 'Bash' } })
  const total = ENTRIES + lengths.length
  const sent: unknown[] = []
  hub.answer = upload => {
    expect(JSON.stringify(upload.entries).length).toBeLessThan(300_000)
    sent.push(...upload.entries)
    return takeHonestly(upload)
  }
  expect(await run(() => hub.place === total)).toEqual([])
  const parsed = sent.map(parseUploadEntry)
  expect(parsed.filter(entry => entry && 'dropped' in entry).length).toBe(2)
  expect(parsed.filter(entry => entry && !('dropped' in entry) && entry.session?.length === 15_000).length).toBe(80)
})

/** A record of so many acts, of which one may be another. */
function makeRecord(size: number, changed = -1) {
  const leaves = Array.from({ length: size }, (_, n) => Buffer.alloc(32, n === changed ? 255 : n + 1))
  let tree = EMPTY_TREE
  for (const leaf of leaves) tree = growTree(tree, leaf).tree
  const text = formatCheckpoint({ origin: hubKey.name, size, root: treeRoot(tree) })
  const reader = {
    leaves: async (from: number, to: number) => leaves.slice(from, to),
    tiles: async () => Promise.reject(new Error('so small a tree has none')),
  }
  const prove = async (from: number) => (await proveConsistency(reader, from, size)).map(hash => hash.toString('hex'))
  return { text, checkpoint: signNote(text, [hubKey]), prove }
}

test('every later state of a record is one, and no other is, at every pair of sizes', async () => {
  for (let before = 1; before <= 12; before++) {
    const seen = makeRecord(before)
    const known = parseCheckpoint(seen.text)
    for (let after = 1; after <= 20; after++) {
      const honest = makeRecord(after)
      const proof = before <= after ? await honest.prove(before) : []
      const why = findBreak(known, { checkpoint: honest.checkpoint, proof }, formatNoteKey(hubKey))
      expect([before, after, why === undefined]).toEqual([before, after, before <= after])
      if (before > after) continue
      const changed = makeRecord(after, before - 1)
      const other = findBreak(known, { checkpoint: changed.checkpoint, proof: await changed.prove(before) }, formatNoteKey(hubKey))
      expect([before, after, other]).toEqual([before, after, expect.stringContaining('changed or taken out')])
    }
  }
})

test.each<[string, () => Promise<Said>, string | null]>([
  ['has grown', async () => ({ status: 200, body: { checkpoint: makeRecord(9).checkpoint, proof: await makeRecord(9).prove(5) } }), null],
  ['was cut off', async () => ({ status: 200, body: { checkpoint: makeRecord(4).checkpoint, proof: [] } }), 'some were cut off'],
  [
    'was rewritten',
    async () => ({ status: 200, body: { checkpoint: makeRecord(9, 2).checkpoint, proof: await makeRecord(9, 2).prove(5) } }),
    'changed or taken out',
  ],
  [
    'has a proof that is no text',
    async () => ({ status: 200, body: { checkpoint: makeRecord(9).checkpoint, proof: [null, 7] } }),
    'changed or taken out',
  ],
  [
    'is signed by another key',
    async () => ({ status: 200, body: { checkpoint: signNote(makeRecord(9).text, [makeSigner(hubKey.name)]) } }),
    'not signed',
  ],
  ['is not shown any more', async () => ({ status: 404, body: {} }), 'not show'],
])('a record of the hub that %s', async (_name, next, why) => {
  const recorded: TeamEntry[] = []
  const look = async (record: Said) => {
    hub.record = record
    const ending = new AbortController()
    const asked = createHubSession(home, membership, ending.signal)
    const answered = new Promise<void>(resolve => {
      const ask = async (request: string) => asked(request).finally(() => setImmediate(resolve))
      void watchRecord({ home, membership, ask, doubts: createHubDoubts(entry => recorded.push(entry)), signal: ending.signal })
    })
    await answered
    ending.abort()
  }
  const first = makeRecord(5)
  await look({ status: 200, body: { checkpoint: first.checkpoint, proof: [] } })
  expect([recorded, readSeenRecord(home)]).toEqual([[], first.checkpoint])
  await look(await next())
  expect(recorded).toEqual(why === null ? [] : [{ kind: 'hub_doubted', body: { why: expect.stringContaining(why) } }])
  expect(readSeenRecord(home)).toBe(why === null ? makeRecord(9).checkpoint : first.checkpoint)
})
