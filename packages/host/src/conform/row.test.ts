import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createNoteKey } from '@belay/core/ledger'
import { afterAll, expect, test } from 'vitest'
import { checkRow, compareRows, formatRow, keepRow, ROW_FORMAT, type Row, readLastRow, signRow } from './row.ts'

const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const signer = { ...createNoteKey('belay.local/ledger/1', publicKey), privateKey }
const home = mkdtempSync(join(tmpdir(), 'belay-row-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const row: Row = {
  format: ROW_FORMAT,
  agent: 'codex',
  name: 'Codex',
  version: '1.0.0',
  belay: '0.1.0',
  date: '2026-11-18T01:00:00.000Z',
  system: 'linux x64, Node 20.20.2',
  problem: null,
  cases: [
    { id: 'deny', title: 'a denied call does not run', state: 'obeyed', note: null },
    { id: 'old', title: 'what is tried no longer', state: 'obeyed', note: null },
  ],
}

test('a signed row is what its signer wrote, whatever the order of its keys', () => {
  const signed = signRow(row, signer)
  expect(checkRow(formatRow(signed))).toMatchObject({ ok: true, row: signed, key: { id: signer.id } })
  expect(checkRow(JSON.stringify(Object.fromEntries(Object.entries(signed).reverse()))).ok).toBe(true)
})

test.each([
  ['a state', (text: string) => text.replace('"obeyed"', '"ignored"'), 'changed after it was signed'],
  ['the version', (text: string) => text.replace('1.0.0', '1.0.1'), 'changed after it was signed'],
  [
    'a case that is gone',
    (text: string) => JSON.stringify({ ...JSON.parse(text), cases: row.cases.slice(1) }),
    'changed after it was signed',
  ],
  ['a field more', (text: string) => JSON.stringify({ ...JSON.parse(text), more: 1 }), 'changed after it was signed'],
  ['the key', (text: string) => JSON.stringify({ ...JSON.parse(text), key: 'x' }), 'its key is none'],
  ['an unknown state', (text: string) => text.replace('"obeyed"', '"fine"'), 'it has no cases'],
  ['no version', (text: string) => JSON.stringify({ ...JSON.parse(text), version: 1 }), 'it has no version'],
  ['another format', (text: string) => text.replace(ROW_FORMAT, 'other'), 'it is not a row of belay conform'],
  ['no JSON', () => '{', 'it is not JSON'],
])('changed: %s', (_what, change, why) => {
  expect(checkRow(change(formatRow(signRow(row, signer))))).toMatchObject({ ok: false, why: expect.stringContaining(why) })
})

test('the last row that is as it was signed is the one to compare with', () => {
  expect(readLastRow(home, 'codex')).toBeNull()
  keepRow(home, signRow(row, signer))
  const later = signRow({ ...row, version: '2.0.0', date: '2026-11-19T01:00:00.000Z' }, signer)
  const file = keepRow(home, later)
  expect(readLastRow(home, 'codex')).toEqual(later)
  writeFileSync(file, formatRow(later).replace('2.0.0', '3.0.0'))
  expect(readLastRow(home, 'codex')?.version).toBe('1.0.0')
})

test('two rows differ where a case is another, new or gone', () => {
  const [deny] = row.cases
  const now = { id: 'deny', title: 'a denied call does not run', state: 'ignored', note: 'it ran' } as const
  const fresh = { id: 'new', title: 'new', state: 'obeyed', note: null } as const
  expect(compareRows(row, { ...row, cases: [now, fresh] })).toEqual([
    { id: 'deny', title: now.title, before: deny, after: now },
    { id: 'old', title: 'what is tried no longer', before: row.cases[1], after: null },
    { id: 'new', title: 'new', before: null, after: fresh },
  ])
  expect(compareRows(row, row)).toEqual([])
})
