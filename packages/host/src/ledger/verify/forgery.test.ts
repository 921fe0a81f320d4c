// Whatever is done to a copy of the ledger up to the last exported checkpoint, verify finds it. BELAY_FORGERIES sets how many are tried.
import { generateKeyPairSync } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  chainEntry,
  completeEntry,
  createNoteKey,
  EMPTY_TREE,
  type Entry,
  type EntryDraft,
  type Fault,
  formatCheckpoint,
  formatNoteKey,
  GENESIS_HASH,
  growTree,
  hashBody,
  joinBody,
  parseForm,
  signNote,
  treeRoot,
} from '@belay/core/ledger'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Connection, SqlValue } from '../../store/driver/driver.ts'
import { loadDriver } from '../../store/driver/load-driver.ts'
import { StoreError } from '../../store/store-error.ts'
import { LEDGER_COLUMNS } from '../../store/table/ledger.ts'
import { type LedgerFiles, locateLedger } from '../ledger-files.ts'
import { openLedger } from '../open-ledger.ts'
import { trimLedger } from '../trim-ledger.ts'
import { verifyLedger } from './verify-ledger.ts'
import type { VerifyReport } from './verify-report.ts'

const COUNT = Number(process.env.BELAY_FORGERIES ?? 60)
const SEED = Number(process.env.BELAY_SEED ?? Date.now() % 1e9)
const SEALED = 620
const TAIL = 9
const SALT = 'a salt of the forger'

let folder: string
let files: LedgerFiles
let copy: string
let copies = 0
let openConnection: (file: string, options?: { readOnly: boolean }) => Connection

/** Every third entry has a form of three. */
const draft = ({ n, ...rest }: { n: number } & Record<string, unknown>): EntryDraft => {
  const shared = { cwd: '/home/dev/project', reason: `allowed by the rule Bash(ls *) (/home/dev/project/.belay/genesis.key:${n % 9})` }
  const body = n % 3 === 0 ? { n, ...rest, ...shared } : { n, ...rest }
  return { actor: 'agent:x', session: 's', kind: 'decision', policy: n % 2 === 0 ? null : 'f'.repeat(64), body }
}
/** In `original.db` every one of its seqs is of an entry with a form. */
const anyFormed = (db: Forger, random: Random): { readonly seq: number; readonly form: number } => {
  const rows = db.rows('SELECT seq, form FROM ledger WHERE form IS NOT NULL AND seq <= ?', SEALED)
  const [seq, form] = pick(rows, random)
  return { seq: Number(seq), form: Number(form) }
}

beforeAll(async () => {
  const driver = await loadDriver()
  openConnection = (file, options = { readOnly: false }) => driver(file, options)
  folder = mkdtempSync(join(tmpdir(), 'belay-forgery-'))
  files = locateLedger(folder)
  copy = join(folder, 'copy.db')
  let now = Date.parse('2026-01-01')
  const clock = { now: () => now, monotonic: () => now }
  const ledger = await openLedger({ home: folder, sealEveryRecords: 70, clock })
  for (let n = 1; n <= 300; n++)
    await ledger.append(draft({ n, text: 'word '.repeat(n % 9), big: n % 40 === 0 ? 'x'.repeat(5000) : undefined, a: 1, bodyHash: 'no' }))
  now += 30 * 86_400_000
  await trimLedger(ledger, {
    retention: { bodiesDays: 10, eventsDays: null, entriesDays: null },
    actor: 'human:ana',
    nowMs: now,
    dryRun: false,
  })
  await ledger.rotateKey('human:ana')
  for (let n = 303; n <= SEALED; n++) await ledger.append(draft({ n, big: n % 40 === 0 ? 'y'.repeat(5000) : undefined }))
  await ledger.checkpoint()
  await ledger.store.backup(join(folder, 'sealed.db'))
  copyFileSync(files.checkpoint, join(folder, 'sealed.note'))
  for (let n = 1; n <= TAIL; n++) await ledger.append(draft({ n }))
  await ledger.store.backup(join(folder, 'original.db'))
  await ledger.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

function check(file = copy): Promise<VerifyReport> {
  return verifyLedger({ file, keysDirectory: files.keys, checkpointFiles: [join(folder, 'sealed.note')] })
}

/** Each has a name of its own: a file must not change under a connection that is not quite gone. */
function nextCopy(): void {
  for (const end of ['', '-wal', '-shm']) rmSync(copy + end, { force: true })
  copies++
  copy = join(folder, `copy-${copies}.db`)
}

/** A copy whose triggers and indexes are away while it is changed, and back afterwards: a forger leaves no trace there. */
function forge(change: (db: Forger) => void): void {
  nextCopy()
  copyFileSync(join(folder, 'original.db'), copy)
  const connection = openConnection(copy)
  connection.exec('PRAGMA synchronous = OFF')
  connection.exec('PRAGMA foreign_keys = OFF')
  const refusing =
    "SELECT type, name, sql FROM sqlite_schema WHERE type = 'trigger' OR (type = 'index' AND tbl_name = 'ledger' AND sql IS NOT NULL)"
  const away = connection.prepare(refusing).rows([])
  for (const [type, name] of away) connection.exec(`DROP ${type} ${name}`)
  connection.exec('BEGIN')
  change({
    run: (sql, ...parameters) => connection.prepare(sql).run(parameters).changes,
    rows: (sql, ...parameters) => connection.prepare(sql).rows(parameters),
  })
  connection.exec('COMMIT')
  // Where the forger took a column away, what was built on it cannot come back.
  for (const [, , sql] of away) quietly(() => connection.exec(String(sql)))
  connection.close()
}

function quietly(work: () => void): void {
  try {
    work()
  } catch (error) {
    void error
  }
}

interface Forger {
  run(sql: string, ...parameters: SqlValue[]): number
  rows(sql: string, ...parameters: SqlValue[]): readonly (readonly SqlValue[])[]
}

/** Small and repeatable (mulberry32). */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296) * below)
  }
}

type Random = (below: number) => number
type Forgery = (db: Forger, random: Random) => void

const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)] as T
const anySeq = (random: Random) => 1 + random(SEALED)

function flipText(value: SqlValue | undefined, random: Random): string {
  const bytes = Buffer.from(value === null || value === undefined || value === '' ? 'null' : String(value))
  const at = random(bytes.length)
  // Bits 0 to 4 keep ASCII ASCII, so that the database takes it as text.
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(5))
  return bytes.toString('latin1')
}

function flipBlob(value: SqlValue | undefined, random: Random): Buffer {
  const bytes = Buffer.from(value as Uint8Array)
  const at = random(bytes.length)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
  return bytes
}

const TEXT_COLUMNS = LEDGER_COLUMNS.slice(1).filter(column => column !== 'form')

const FORGERIES: Readonly<Record<string, Forgery>> = {
  'a bit of a row': (db, random) => {
    const seq = anySeq(random)
    const column = pick(TEXT_COLUMNS, random)
    const [row] = db.rows(`SELECT ${column} FROM ledger WHERE seq = ?`, seq)
    // The database itself refuses a body that is not JSON.
    const flipped = column === 'body' ? `{"n":${random(1e9)}}` : flipText(row?.[0], random)
    db.run(`UPDATE ledger SET ${column} = ? WHERE seq = ?`, flipped, seq)
  },
  'an end that a C string does not show': (db, random) => {
    for (const column of ['tool', 'verdict', 'refusal', 'commitment']) db.run(`ALTER TABLE ledger DROP COLUMN ${column}`)
    const column = pick(TEXT_COLUMNS, random)
    db.run(`UPDATE ledger SET ${column} = coalesce(${column}, '') || char(0) || 'x' WHERE seq = ?`, anySeq(random))
  },
  'a body whose end became part of its hash': (db, random) => {
    const seq = 1 + random(300)
    // They are computed from the body, and would not have one that is not JSON.
    for (const column of ['tool', 'verdict', 'refusal', 'commitment']) db.run(`ALTER TABLE ledger DROP COLUMN ${column}`)
    const [row] = db.rows('SELECT body, body_hash FROM ledger WHERE seq = ?', seq)
    const [body = '', ...rest] = `${row?.[0]},"bodyHash":"${row?.[1]}`.split(',"bodyHash":"')
    db.run('UPDATE ledger SET body = ?, body_hash = ? WHERE seq = ?', body, rest.join(',"bodyHash":"'), seq)
  },
  'a body that its salted hash was made to fit': (db, random) => {
    const seq = anySeq(random)
    const body = `{"n":${random(1e9)}}`
    const [row] = db.rows('SELECT salt FROM ledger WHERE seq = ?', seq)
    db.run('UPDATE ledger SET body = ?, body_hash = ? WHERE seq = ?', body, hashBody(body, String(row?.[0])), seq)
    if (random(2) === 0) rechain(db, seq)
  },
  'salt that became body, and body that became salt': (db, random) => {
    for (const column of ['tool', 'verdict', 'refusal', 'commitment']) db.run(`ALTER TABLE ledger DROP COLUMN ${column}`)
    const cut = random(2) === 0 ? 'substr(salt, 1, 21)' : 'salt || substr(body, 1, 1)'
    const rest = cut.startsWith('substr') ? 'substr(salt, 22) || body' : 'substr(body, 2)'
    db.run(`UPDATE ledger SET salt = ${cut}, body = ${rest} WHERE seq = ?`, anySeq(random))
  },
  'a row taken back to the first format': (db, random) => {
    const seq = anySeq(random)
    const { body = '' } = readRows(db).find(row => row.seq === seq) ?? {}
    db.run('UPDATE ledger SET salt = NULL, body_hash = ? WHERE seq = ?', random(2) === 0 ? '' : hashBody(body, null), seq)
    if (random(2) === 0) rechain(db, seq)
  },
  'a form edited': (db, random) => {
    const { form } = anyFormed(db, random)
    const change = pick(
      ["text = replace(text, 'allowed', 'denied')", "text = '{}'", "policy = 'other'", "text = replace(text, '}', ',\"n\":1}')"],
      random,
    )
    db.run(`UPDATE forms SET ${change} WHERE id = ?`, form)
  },
  'a form removed': (db, random) => db.run('DELETE FROM forms WHERE id = ?', anyFormed(db, random).form),
  'a row with the form of another': (db, random) => {
    const { seq, form } = anyFormed(db, random)
    const [other] = db.rows('SELECT id FROM forms WHERE id <> ? LIMIT 1 OFFSET ?', form, random(2))
    db.run('UPDATE ledger SET form = ? WHERE seq = ?', pick([other?.[0] ?? null, null, 0, 9999], random), seq)
  },
  'a form for a row that has none': (db, random) => {
    const [row] = db.rows('SELECT seq FROM ledger WHERE form IS NULL AND seq <= ? LIMIT 1 OFFSET ?', SEALED, random(300))
    db.run('UPDATE ledger SET form = ? WHERE seq = ?', anyFormed(db, random).form, row?.[0] ?? 0)
  },
  'a number of a row': (db, random) => db.run('UPDATE ledger SET seq = ? WHERE seq = ?', SEALED + TAIL + 1 + random(99), anySeq(random)),
  'two rows swapped': (db, random) => {
    const a = anySeq(random)
    const b = (a % SEALED) + 1
    const columns = LEDGER_COLUMNS.slice(1).filter(column => random(2) === 0 || column === 'body')
    const read = (seq: number) => db.rows(`SELECT ${columns} FROM ledger WHERE seq = ?`, seq)[0] ?? []
    const [rowA, rowB] = [read(a), read(b)]
    const write = (seq: number, row: readonly SqlValue[]) =>
      db.run(`UPDATE ledger SET ${columns.map(column => `${column} = ?`)} WHERE seq = ?`, ...row, seq)
    if (columns.includes('id')) write(a, rowB.with(columns.indexOf('id'), 'elsewhere'))
    write(b, rowA)
    write(a, rowB)
  },
  'rows removed': (db, random) => {
    const seq = anySeq(random)
    db.run('DELETE FROM ledger WHERE seq BETWEEN ? AND ?', seq, seq + random(5))
  },
  'a row removed and the rest moved up': (db, random) => {
    const seq = anySeq(random)
    db.run('DELETE FROM ledger WHERE seq = ?', seq)
    for (let n = seq; n < SEALED + TAIL; n++) db.run('UPDATE ledger SET seq = ? WHERE seq = ?', n, n + 1)
    if (random(2) === 0) rechain(db, seq)
  },
  'a row inserted': (db, random) => {
    const seq = anySeq(random)
    for (let n = SEALED + TAIL; n >= seq; n--) db.run('UPDATE ledger SET seq = ? WHERE seq = ?', n + 1, n)
    insertForged(db, seq)
    if (random(2) === 0) rechain(db, seq)
  },
  'a row before the first': (db, random) => insertForged(db, -random(3)),
  'history rewritten without the key': (db, random) => {
    const seq = anySeq(random)
    db.run('UPDATE ledger SET actor = ? WHERE seq = ?', 'human:nobody', seq)
    rechain(db, seq)
  },
  'history rewritten with a key of one’s own': (db, random) => {
    const seq = anySeq(random)
    db.run('UPDATE ledger SET actor = ? WHERE seq = ?', 'human:nobody', seq)
    rechain(db, seq)
    resign(db, random(2) === 0)
  },
  'a checkpoint edited': (db, random) => {
    const n = 1 + random(Number(db.rows('SELECT max(n) FROM checkpoints')[0]?.[0]))
    const [row] = db.rows('SELECT note, size FROM checkpoints WHERE n = ?', n)
    if (random(3) > 0) db.run('UPDATE checkpoints SET note = ? WHERE n = ?', flipNote(String(row?.[0]), random), n)
    else db.run('UPDATE checkpoints SET size = ? WHERE n = ?', Number(row?.[1]) + pick([-1, 1, 10_000], random), n)
  },
  'a checkpoint removed': (db, random) => {
    const n = 1 + random(Number(db.rows('SELECT max(n) FROM checkpoints')[0]?.[0]))
    db.run('DELETE FROM checkpoints WHERE n = ?', n)
  },
  'checkpoints exchanged': (db, random) => {
    const last = Number(db.rows('SELECT max(n) FROM checkpoints')[0]?.[0])
    const a = 1 + random(last)
    const b = (a % last) + 1
    db.run('UPDATE checkpoints SET n = -1 WHERE n = ?', a)
    db.run('UPDATE checkpoints SET n = ? WHERE n = ?', a, b)
    db.run('UPDATE checkpoints SET n = ? WHERE n = -1', b)
  },
  'the tail cut before the exported checkpoint': (db, random) => {
    const last = random(SEALED)
    db.run('DELETE FROM ledger WHERE seq > ?', last)
    db.run('DELETE FROM blobs WHERE seq > ?', last)
    db.run('DELETE FROM tiles WHERE (idx + 1) * 256 > ?', last)
    db.run('DELETE FROM checkpoints WHERE size > ?', last)
  },
  'a blob edited': (db, random) => {
    const [row] = db.rows('SELECT hash, content, salt FROM blobs WHERE content IS NOT NULL ORDER BY hash LIMIT 1 OFFSET ?', random(7))
    const column = pick(['content', 'salt'], random)
    db.run(`UPDATE blobs SET ${column} = ? WHERE hash = ?`, flipBlob(row?.[column === 'content' ? 1 : 2], random), row?.[0] ?? '')
  },
  'a blob removed': (db, random) => {
    const [row] = db.rows('SELECT hash FROM blobs WHERE content IS NOT NULL ORDER BY hash LIMIT 1 OFFSET ?', random(7))
    const sql = pick(
      [
        'DELETE FROM blobs WHERE hash = ?',
        'UPDATE blobs SET salt = NULL, content = NULL WHERE hash = ?',
        'UPDATE blobs SET content = NULL WHERE hash = ?',
        'UPDATE blobs SET seq = seq + 1 WHERE hash = ?',
      ],
      random,
    )
    db.run(sql, row?.[0] ?? '')
  },
  'a blob added': (db, random) => db.run("INSERT INTO blobs VALUES ('feed', ?, x'00', x'00')", pick([anySeq(random), 0, 99_999], random)),
  'a tile edited': (db, random) => {
    const idx = random(2)
    const [row] = db.rows('SELECT root FROM tiles WHERE level = 0 AND idx = ?', idx)
    if (random(2) === 0) db.run('UPDATE tiles SET root = ? WHERE level = 0 AND idx = ?', flipBlob(row?.[0], random), idx)
    else
      db.run(
        pick(
          ['DELETE FROM tiles WHERE idx = 0', 'INSERT INTO tiles VALUES (1, 0, zeroblob(32))', 'UPDATE tiles SET idx = idx + 9'],
          random,
        ),
      )
  },
  'a key edited': (db, random) => {
    const n = 1 + random(2)
    const [row] = db.rows('SELECT key FROM keys WHERE n = ?', n)
    db.run('UPDATE keys SET key = ? WHERE n = ?', flipText(row?.[0], random), n)
  },
  'the origin edited': (db, random) => {
    const [row] = db.rows('SELECT value FROM meta')
    db.run('UPDATE meta SET value = ?', flipText(row?.[0], random))
  },
}

/** Notes hold more than ASCII: flipped byte by byte. */
function flipNote(note: string, random: Random): string {
  return Buffer.from(flipText(Buffer.from(note).toString('latin1'), random), 'latin1').toString()
}

function insertForged(db: Forger, seq: number): void {
  const entry = chainEntry(
    {
      id: `forged${seq}`,
      time: '2026-01-01T00:00:00.000Z',
      actor: 'a',
      session: null,
      kind: 'decision',
      policy: null,
      body: '{}',
      bodyHash: hashBody('{}', SALT),
      salt: SALT,
    },
    seq,
    GENESIS_HASH,
  )
  const { id, time, actor, kind, body, bodyHash, prev, hash } = entry
  const values = [seq, id, time, actor, null, kind, null, body, bodyHash, prev, hash, SALT, null]
  db.run(`INSERT INTO ledger (${LEDGER_COLUMNS}) VALUES (${values.map(() => '?')})`, ...values)
}

/** With their bodies whole. */
function readRows(db: Forger): readonly Entry[] {
  const forms = new Map(db.rows('SELECT id, policy, text FROM forms').map(([id, policy, text]) => [id, { policy, text: String(text) }]))
  return db.rows(`SELECT ${LEDGER_COLUMNS} FROM ledger WHERE seq > 0 ORDER BY seq`).map(row => {
    const of = Object.fromEntries(LEDGER_COLUMNS.map((column, i) => [column, row[i]])) as Record<string, string>
    const form = forms.get(row.at(-1) ?? null)
    const body = form === undefined ? of.body : joinBody(parseForm(form.text), String(of.body))
    const entry = { ...of, policy: of.policy ?? form?.policy ?? null, body, bodyHash: of.body_hash } as unknown as Entry
    return completeEntry(entry, '')
  })
}

/** Makes chain and tiles right again from `seq` on, as a forger who knows the format would. */
function rechain(db: Forger, seq: number): void {
  const rows = readRows(db)
  let prev = GENESIS_HASH
  let tree = EMPTY_TREE
  db.run('DELETE FROM tiles')
  for (const row of rows) {
    const entry = row.seq < seq ? row : chainEntry(row, row.seq, prev)
    if (row.seq >= seq) db.run('UPDATE ledger SET prev = ?, hash = ? WHERE seq = ?', entry.prev, entry.hash, entry.seq)
    prev = entry.hash
    const grown = growTree(tree, Buffer.from(entry.hash, 'hex'))
    tree = grown.tree
    for (const tile of grown.tiles) db.run('INSERT INTO tiles VALUES (?, ?, ?)', tile.level, tile.index, tile.root)
  }
}

/** New checkpoints over what is there, signed with a key of the forger's. */
function resign(db: Forger, replaceKeys: boolean): void {
  const origin = String(db.rows('SELECT value FROM meta')[0]?.[0])
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const signer = { ...createNoteKey(origin, publicKey), privateKey }
  const hashes = db.rows('SELECT hash FROM ledger ORDER BY seq').map(([hash]) => Buffer.from(String(hash), 'hex'))
  for (const [n, size] of db.rows('SELECT n, size FROM checkpoints')) {
    let tree = EMPTY_TREE
    for (const hash of hashes.slice(0, Number(size))) tree = growTree(tree, hash).tree
    const note = signNote(formatCheckpoint({ origin, size: Number(size), root: treeRoot(tree) }), [signer])
    db.run('UPDATE checkpoints SET note = ? WHERE n = ?', note, n ?? 0)
  }
  if (replaceKeys) {
    db.run('DELETE FROM keys')
    db.run('INSERT INTO keys VALUES (1, ?)', formatNoteKey(signer))
  }
}

async function isFound(): Promise<boolean> {
  try {
    return !(await check()).ok
  } catch (error) {
    if (error instanceof StoreError) return true
    throw error
  }
}

test('untouched, every row is good and the tail is counted as unsealed', async () => {
  const report = await check(join(folder, 'original.db'))
  expect(report).toMatchObject({
    ok: true,
    faults: [],
    records: SEALED + TAIL,
    sealed: SEALED,
    unsealed: TAIL,
    blobs: { kept: 8, pruned: 7 },
  })
  expect(report.keys.pinned).toBe(true)
})

describe('what another program did to the database itself is found', () => {
  test.each([
    [
      'a view in the place of a table',
      'ALTER TABLE keys RENAME TO other; CREATE VIEW keys AS SELECT * FROM other',
      'table keys is missing',
    ],
    ['a dropped trigger', 'DROP TRIGGER ledger_stays', 'trigger ledger_stays is missing'],
    ['an added trigger', 'CREATE TRIGGER quiet AFTER INSERT ON ledger BEGIN SELECT 1; END', 'trigger quiet was added'],
    [
      'a changed trigger',
      'DROP TRIGGER ledger_stays; CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT 1; END',
      'trigger ledger_stays was changed',
    ],
    ['a dropped index', 'DROP INDEX ledger_refusal', 'index ledger_refusal is missing'],
    [
      'a changed computed column',
      "DROP INDEX ledger_refusal; ALTER TABLE ledger DROP COLUMN refusal; ALTER TABLE ledger ADD COLUMN refusal TEXT GENERATED ALWAYS AS ('no') VIRTUAL; CREATE INDEX ledger_refusal ON ledger (refusal) WHERE refusal IS NOT NULL",
      'table ledger was changed',
    ],
  ])('%s', async (_name, sql, what) => {
    nextCopy()
    copyFileSync(join(folder, 'original.db'), copy)
    const connection = openConnection(copy)
    connection.exec(sql)
    connection.close()
    expect(await check()).toMatchObject({ ok: false, firstBad: 1, faults: [{ kind: 'schema', what: expect.stringContaining(what) }] })
    await expect(openLedger({ file: copy })).rejects.toThrow(/another program changed its schema/)
  })
})

describe('what no checkpoint covers yet', () => {
  const lastOf = (db: Forger): { seq: number; hash: string } => {
    const [row] = db.rows('SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1')
    return { seq: Number(row?.[0]), hash: String(row?.[1]) }
  }
  /** As a forger who knows the format would add it. */
  const addRow = (db: Forger, kind: string, body: string): void => {
    const last = lastOf(db)
    const bodyHash = hashBody(body, SALT)
    const names = { id: `forged-${last.seq}`, time: '2026-03-01T00:00:00.000Z', actor: 'human:ana', session: null, kind, policy: null }
    const entry = chainEntry({ ...names, body, bodyHash, salt: SALT }, last.seq + 1, last.hash)
    const values = [entry.seq, entry.id, entry.time, entry.actor, null, kind, null, body, bodyHash, entry.prev, entry.hash, SALT, null]
    db.run(`INSERT INTO ledger (${LEDGER_COLUMNS}) VALUES (${values.map(() => '?')})`, ...values)
  }

  test('is still known to be written by the writer', async () => {
    forge(db => addRow(db, 'approval', '{"state":"allowed"}'))
    expect(await check()).toMatchObject({ ok: false, firstBad: SEALED + TAIL + 1, faults: [{ kind: 'writer' }] })
  })

  test('is not sealed at the next start where another program wrote it, and is kept for a person', async () => {
    forge(db => {
      addRow(db, 'approval', '{"state":"allowed"}')
      addRow(db, 'decision', '{"verdict":"allow"}')
    })
    const warnings: string[] = []
    const ledger = await openLedger({ file: copy, onWarning: message => warnings.push(message) })
    await ledger.close()
    expect(warnings.join()).toMatch(/^2 rows from 630 on were taken out of the ledger: the writer of this ledger did not write it/)
    const connection = openConnection(copy, { readOnly: true })
    const rows = connection.prepare('SELECT kind FROM ledger WHERE seq > ? ORDER BY seq').rows([SEALED + TAIL])
    expect(rows.map(([kind]) => kind)).toEqual(['ledger_refused'])
    expect(connection.prepare('SELECT count(*) FROM refused').rows([])).toEqual([[2]])
    connection.close()
    expect(await check()).toMatchObject({ ok: true, unsealed: 0 })
  })

  test('cannot explain why a value is gone', async () => {
    forge(db => {
      db.run('UPDATE blobs SET salt = NULL, content = NULL WHERE seq = 320')
      addRow(db, 'ledger_trimmed', '{"beforeSeq":620}')
    })
    expect(await check()).toMatchObject({ ok: false, faults: [{ kind: 'blob', seq: 320 }] })
  })

  test('cannot explain why an entry is gone', async () => {
    forge(db => {
      db.run('INSERT INTO leaves (seq, hash) SELECT seq, unhex(hash) FROM ledger WHERE seq = 100')
      db.run('DELETE FROM ledger WHERE seq = 100')
      addRow(db, 'ledger_trimmed', '{"beforeSeq":null,"entriesBefore":620}')
    })
    expect(await check()).toMatchObject({ ok: false, faults: [{ kind: 'gap', seq: 100, what: 'it was dropped, but not by ledger gc' }] })
  })
})

test('a database that was replaced or emptied is named', async () => {
  nextCopy()
  await (await openLedger({ file: copy })).close()
  expect(await check()).toMatchObject({ ok: false, faults: [{ kind: 'replaced', what: expect.stringContaining('replaced or emptied') }] })
})

test('a tail cut after the exported checkpoint cannot be seen, but was announced as unsealed', async () => {
  forge(db => db.run('DELETE FROM ledger WHERE seq > ?', SEALED + 3))
  expect(await check()).toMatchObject({ ok: true, records: SEALED + 3, sealed: SEALED, unsealed: 3 })
})

/** Checkpoints lie over 70 rows each. */
test.each<[string, (db: Forger) => void, Pick<Fault, 'kind' | 'seq'>]>([
  ['a body', db => db.run("UPDATE ledger SET body = '{}' WHERE seq = 100"), { kind: 'row_hash', seq: 100 }],
  ['a form', db => db.run("UPDATE forms SET text = replace(text, 'allowed', 'denied') WHERE id = 1"), { kind: 'row_hash', seq: 3 }],
  ['an actor', db => db.run("UPDATE ledger SET actor = 'human:nobody' WHERE seq = 100"), { kind: 'row_hash', seq: 100 }],
  ['what a row follows', db => db.run('UPDATE ledger SET prev = hash WHERE seq = 100'), { kind: 'chain', seq: 100 }],
  ['a missing row', db => db.run('DELETE FROM ledger WHERE seq = 100'), { kind: 'gap', seq: 100 }],
  ['a blob', db => db.run("UPDATE blobs SET content = x'00' WHERE seq = 320"), { kind: 'blob', seq: 320 }],
  ['a tile', db => db.run('UPDATE tiles SET root = zeroblob(32) WHERE level = 0 AND idx = 1'), { kind: 'tree', seq: 257 }],
  [
    'rows written anew',
    db => {
      db.run("UPDATE ledger SET actor = 'human:nobody' WHERE seq = 100")
      rechain(db, 100)
    },
    { kind: 'root', seq: 71 },
  ],
  [
    'a signature of another checkpoint',
    db => {
      const [first, second] = db.rows('SELECT note FROM checkpoints WHERE n <= 2 ORDER BY n').map(([note]) => String(note).split('\n\n'))
      db.run('UPDATE checkpoints SET note = ? WHERE n = 2', `${second?.[0]}\n\n${first?.[1]}`)
    },
    { kind: 'signature', seq: 71 },
  ],
  ['a signature by somebody else', db => resign(db, false), { kind: 'signature', seq: 1 }],
  ['a checkpoint taken out', db => db.run('DELETE FROM checkpoints WHERE n = 2'), { kind: 'checkpoint', seq: 71 }],
])('%s is called by its name', async (_name, change, { kind, seq }) => {
  forge(change)
  const { ok, firstBad, faults } = await check()
  expect({ ok, firstBad, first: faults[0] }).toEqual({ ok: false, firstBad: seq, first: { seq, kind, what: expect.any(String) } })
})

describe.each(Object.entries(FORGERIES))('%s', (name, forgery) => {
  const kinds = Object.keys(FORGERIES)
  const tries = Math.ceil(COUNT / (kinds.length + 1))

  test(`is found (${tries} times, BELAY_SEED=${SEED})`, async () => {
    const random = createRandom(SEED + kinds.indexOf(name))
    for (let i = 0; i < tries; i++) {
      forge(db => forgery(db, random))
      expect(await isFound(), `${name}, try ${i}`).toBe(true)
    }
  }, 3_600_000)
})

describe('a bit of the file', () => {
  const tries = Math.ceil(COUNT / (Object.keys(FORGERIES).length + 1))

  function dump(file: string): string {
    // As `verify` does: for writing, a flaw in a table beside the ledger would keep it from being opened at all.
    const connection = openConnection(file, { readOnly: true })
    try {
      const tables = ['ledger', 'forms', 'blobs', 'tiles', 'checkpoints', 'keys', 'meta'].map(table => {
        const columns = connection
          .prepare(`PRAGMA table_info(${table})`)
          .rows([])
          // Beside the record: it counts only until a checkpoint covers its row.
          .filter(([, name]) => name !== 'mac')
          .map(([, name]) => `hex(${name})`)
        return connection.prepare(`SELECT ${columns} FROM ${table}`).rows([])
      })
      return JSON.stringify(tables)
    } finally {
      connection.close()
    }
  }

  test(`is found, or changes nothing that the ledger says (${tries} times, BELAY_SEED=${SEED})`, async () => {
    const random = createRandom(SEED)
    const original = readFileSync(join(folder, 'original.db'))
    const content = dump(join(folder, 'original.db'))
    let harmless = 0
    for (let i = 0; i < tries; i++) {
      const bytes = Buffer.from(original)
      const at = random(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8))
      nextCopy()
      writeFileSync(copy, bytes)
      if (await isFound()) continue
      harmless++
      expect(dump(copy) === content, `byte ${at}, try ${i}`).toBe(true)
    }
    // Unused space and indexes: most of a page is used. A handful of tries may all fall beside it.
    if (tries >= 50) expect(harmless).toBeLessThan(tries)
  }, 3_600_000)
})
