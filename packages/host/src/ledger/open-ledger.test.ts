import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EntryDraft, findSigners, parseCheckpoint, parseNote, parseNoteKey } from '@belay/core/ledger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../store/driver/driver.ts'
import { loadDriver } from '../store/driver/load-driver.ts'
import { type Ledger, type LedgerOptions, openLedger } from './open-ledger.ts'
import { restoreBody } from './restore-body.ts'
import { verifyLedger } from './verify/verify-ledger.ts'

let home: string
let open: Ledger[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'belay-ledger-'))
})
afterEach(async () => {
  for (const ledger of open) await ledger.close()
  open = []
  rmSync(home, { recursive: true })
})

async function start(options: LedgerOptions = {}): Promise<Ledger> {
  const ledger = await openLedger({ home, ...options })
  open.push(ledger)
  return ledger
}

async function stop(ledger: Ledger): Promise<void> {
  open = open.filter(other => other !== ledger)
  await ledger.close()
}

function draft(body: Record<string, unknown> = {}, kind = 'decision'): EntryDraft {
  return { actor: 'agent:executor', session: 's1', kind, policy: null, body }
}

const kinds = async (ledger: Ledger) =>
  (await ledger.store.db.selectFrom('ledger').select('kind').orderBy('seq').execute()).map(row => row.kind)

describe('append', () => {
  test('gives the entry its place in the chain', async () => {
    const ledger = await start()
    const [first, second] = await Promise.all([ledger.append(draft({ n: 1 })), ledger.append(draft({ n: 2 }))])
    expect([first.seq, second.seq, second.prev]).toEqual([1, 2, first.hash])
    expect(JSON.parse(second.body)).toEqual({ n: 2 })
  })

  test('goes on where the last process stopped', async () => {
    const first = await start()
    for (let n = 0; n < 300; n++) void first.append(draft({ n }))
    const last = await first.append(draft())
    await stop(first)
    const second = await start()
    expect((await second.append(draft())).prev).toBe(last.hash)
  })

  test('one event id is one entry: at once, later, and in another process', async () => {
    const first = await start()
    const [a, b] = await Promise.all([first.append(draft({ n: 1 }), { eventId: 'e1' }), first.append(draft({ n: 2 }), { eventId: 'e1' })])
    expect(b).toEqual(a)
    expect(await first.append(draft({ n: 3 }), { eventId: 'e1' })).toEqual(a)
    await stop(first)
    const second = await start()
    expect(await second.append(draft({ n: 4 }), { eventId: 'e1' })).toEqual(a)
    expect(await kinds(second)).toEqual(['decision'])
  })

  test('many deliveries at once, some of them again, are one entry each', async () => {
    const ledger = await start()
    const deliver = (ids: readonly number[]) =>
      Promise.all(ids.map(async n => (await ledger.append(draft({ n }), { eventId: `e${n}` })).seq))
    const ids = Array.from({ length: 21 }, (_, n) => n)
    const first = await deliver(ids.slice(0, 11))
    const second = await deliver(ids.toReversed())
    expect(second.toReversed().slice(0, 11)).toEqual(first)
    expect(new Set(second).size).toBe(21)
    expect(await kinds(ledger)).toHaveLength(21)
  })

  test('a delivery that comes again and again takes no connection of its own', async () => {
    const driver = await loadDriver()
    let opened = 0
    const counting: Driver = (file, options) => {
      opened++
      return driver(file, options)
    }
    const ledger = await start({ driver: counting })
    const first = await ledger.append(draft({ n: 1 }), { eventId: 'e1' })
    const before = opened
    for (let n = 2; n <= 50; n++) expect(await ledger.append(draft({ n }), { eventId: 'e1' })).toEqual(first)
    expect((await ledger.append(draft({ n: 51 }), { eventId: 'e2' })).prev).toBe(first.hash)
    expect(opened).toBe(before)
  })

  test('ids that the database cannot tell apart refuse nothing that is written with them', async () => {
    const ledger = await start()
    const ids = ['e1', 'e\ud800', 'e\udc00', 'e\ufffd', 'e2']
    const seqs = async () => Promise.all(ids.map(async (eventId, n) => (await ledger.append(draft({ n }), { eventId })).seq))
    expect(await seqs()).toEqual([1, 2, 2, 2, 3])
    expect(await seqs()).toEqual([1, 2, 2, 2, 3])
  })

  test.each([790, 900, 1500])('keeps a value nested %i levels deep, and what is written with it', async levels => {
    const ledger = await start()
    const deep = JSON.parse(`${'[{"]":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`)
    const bodies = [{ n: 1 }, { n: 2, deep }, { n: 3 }]
    const entries = await Promise.all(bodies.map(body => ledger.append(draft(body))))
    expect(await Promise.all(entries.map(entry => restoreBody(ledger.store, entry)))).toEqual(bodies)
    expect(await verifyLedger({ file: ledger.files.database })).toMatchObject({ ok: true, records: 3 })
  })

  test('redacts before it hashes, and keeps large values apart', async () => {
    const hide = (text: string) => text.replaceAll('hunter2', '[redacted]')
    const ledger = await start({ redactor: { redactJson: hide, redactText: hide, isClean: text => !text.includes('hunter2') } })
    const named = { ...draft({ secret: 'hunter2', content: 'x'.repeat(5000) }), actor: 'agent:hunter2', session: 'hunter2' }
    const entry = await ledger.append(named, { eventId: 'hunter2' })
    const body = JSON.parse(entry.body)
    expect([body.secret, entry.actor, entry.session]).toEqual(['[redacted]', 'agent:[redacted]', '[redacted]'])
    expect((await ledger.append(named, { eventId: 'hunter2' })).seq).toBe(entry.seq)
    const blob = await ledger.store.db.selectFrom('blobs').selectAll().executeTakeFirstOrThrow()
    expect([blob.hash, blob.seq, Buffer.from(blob.content ?? []).toString()]).toEqual([body.content.$blob, 1, 'x'.repeat(5000)])
    expect(readFileSync(join(home, 'belay.db-wal')).includes('hunter2')).toBe(false)
  })

  test('a body that cannot be written fails alone', async () => {
    const ledger = await start()
    const loop: Record<string, unknown> = {}
    loop.self = loop
    const results = await Promise.allSettled([ledger.append(draft(loop)), ledger.append(draft())])
    expect(results.map(result => result.status)).toEqual(['rejected', 'fulfilled'])
  })

  test('the database refuses to rewrite history', async () => {
    const ledger = await start()
    await ledger.append(draft({ content: 'x'.repeat(5000) }), { seal: true })
    const { store } = ledger
    const attempts = [
      'UPDATE ledger SET actor = 1',
      'DELETE FROM ledger',
      'INSERT INTO ledger (seq, id, time, actor, kind, body, body_hash, prev, hash) VALUES (3, 3, 3, 3, 3, 3, 3, 3, 3)',
      "INSERT OR REPLACE INTO ledger (seq, id, time, actor, kind, body, body_hash, prev, hash) VALUES (1, 1, 1, 1, 1, '{}', 1, 1, 1)",
      'DELETE FROM blobs',
      "UPDATE blobs SET content = x'00'",
      'UPDATE checkpoints SET size = 0',
      'DELETE FROM checkpoints',
      'DELETE FROM keys',
      'DELETE FROM meta',
    ]
    for (const sql of attempts) await expect(store.commit([{ statement: { sql }, parameters: [] }]), sql).rejects.toThrow()
    expect((await ledger.append(draft())).seq).toBe(2)
  })
})

test('16 writers at once and more than 10,001 entries make one good ledger', async () => {
  const ledger = await start()
  let left = 10_050
  const write = async (): Promise<void> => {
    while (left > 0) {
      left--
      await ledger.append(draft({ left }))
    }
  }
  await Promise.all(Array.from({ length: 16 }, write))
  await stop(ledger)
  const report = await verifyLedger({
    file: ledger.files.database,
    keysDirectory: ledger.files.keys,
    checkpointFiles: [ledger.files.checkpoint],
  })
  expect(report).toMatchObject({ ok: true, records: 10_050, unsealed: 0, keys: { pinned: true } })
})

test('after close nothing is written any more', async () => {
  const ledger = await start()
  await stop(ledger)
  await expect(ledger.append(draft())).rejects.toThrow('was closed')
})

describe('checkpoints', () => {
  async function sizes(ledger: Ledger): Promise<number[]> {
    return (await ledger.store.db.selectFrom('checkpoints').select('size').orderBy('n').execute()).map(row => row.size)
  }

  test('are made every so many records, on demand, with an entry that asks for it, and at the end', async () => {
    const ledger = await start({ sealEveryRecords: 10 })
    for (let n = 0; n < 10; n++) await ledger.append(draft())
    expect(await sizes(ledger)).toEqual([10])
    await ledger.append(draft(), { seal: true })
    await ledger.checkpoint()
    expect(await sizes(ledger)).toEqual([10, 11])
    await ledger.append(draft())
    await stop(ledger)
    expect(await sizes(await start())).toEqual([10, 11, 12])
  })

  test('are made after a while', async () => {
    const ledger = await start({ sealEveryMs: 20 })
    await ledger.append(draft())
    await expect.poll(() => sizes(ledger)).toEqual([1])
  })

  test('are signed by the key in the home folder and lie there as a note', async () => {
    const ledger = await start()
    await ledger.append(draft())
    const made = await ledger.checkpoint()
    const note = parseNote(readFileSync(ledger.files.checkpoint, 'utf8'))
    expect(made?.note).toBe(readFileSync(ledger.files.checkpoint, 'utf8'))
    const key = parseNoteKey((await ledger.store.db.selectFrom('keys').select('key').executeTakeFirstOrThrow()).key)
    expect(note && key && findSigners(note, [key])).toEqual([key])
    expect(parseCheckpoint(note?.text ?? '')?.size).toBe(1)
    expect(statSync(join(ledger.files.keys, `ledger-${key?.id}.pem`)).mode & 0o777).toBe(0o600)
    expect(statSync(ledger.files.database).mode & 0o777).toBe(0o600)
  })

  test('after a rotation the old key vouches for the new one, and the new one signs', async () => {
    const ledger = await start()
    await ledger.append(draft())
    const rotated = await ledger.rotateKey('human:ana')
    await ledger.append(draft(), { seal: true })
    const keys = (await ledger.store.db.selectFrom('keys').select('key').orderBy('n').execute()).map(row => parseNoteKey(row.key))
    const notes = (await ledger.store.db.selectFrom('checkpoints').select('note').orderBy('n').execute()).map(row => parseNote(row.note))
    const signers = notes.map(note => keys.map(key => (note && key ? findSigners(note, [key]).length : 0)))
    expect(signers).toEqual([
      [1, 1],
      [0, 1],
    ])
    expect([rotated.kind, rotated.actor, JSON.parse(rotated.body).reason]).toEqual(['key_rotated', 'human:ana', 'asked for'])
  })

  test('a lost private key is replaced, and that is recorded', async () => {
    const first = await start()
    await first.append(draft())
    await stop(first)
    rmSync(first.files.keys, { recursive: true })
    const second = await start()
    expect(await kinds(second)).toEqual(['decision', 'key_rotated'])
  })

  test('a second place that holds more is a warning', async () => {
    const ledger = await start()
    await stop(ledger)
    const early = join(home, 'early.db')
    copyFileSync(ledger.files.database, early)
    const more = await start()
    await more.append(draft())
    await more.append(draft())
    await stop(more)
    const note = readFileSync(ledger.files.checkpoint)
    copyFileSync(early, ledger.files.database)
    const warnings: string[] = []
    const cut = await start({ onWarning: message => warnings.push(message) })
    await cut.append(draft())
    await cut.checkpoint()
    expect(warnings).toEqual([expect.stringContaining('holds a checkpoint of 2 records, this one has 1')])
    expect(readFileSync(ledger.files.checkpoint)).toEqual(note)
  })
})

describe('the clock', () => {
  test('its jumps are recorded, its drift is not', async () => {
    let wall = 1_000_000_000_000
    let steady = 0
    const clock = { now: () => wall, monotonic: () => steady }
    const ledger = await start({ clock })
    const pass = (wallMs: number, steadyMs: number) => {
      wall += wallMs
      steady += steadyMs
    }
    await ledger.append(draft())
    pass(1500, 1000)
    await ledger.append(draft())
    pass(-3_600_000, 10)
    await ledger.append(draft())
    pass(60_000, 60_000)
    await ledger.append(draft())
    expect(await kinds(ledger)).toEqual(['decision', 'decision', 'clock_step', 'decision', 'decision'])
    const step = await ledger.store.db.selectFrom('ledger').select('body').where('kind', '=', 'clock_step').executeTakeFirstOrThrow()
    expect(JSON.parse(String(step.body))).toEqual({ stepMs: -3_600_010 })
    await stop(ledger)
    wall -= 86_400_000
    expect((await kinds(await start({ clock }))).at(-1)).toBe('clock_step')
  })
})

describe('one writer', () => {
  test('a second one waits, then says who holds the store', async () => {
    const first = await start()
    await expect(openLedger({ home, lockWaitMs: 50 })).rejects.toThrow(`is being written by process ${process.pid} since`)
    const waiting = openLedger({ home, lockWaitMs: 5000 })
    await stop(first)
    open.push(await waiting)
  })
})
