// What one version of one agent did, as a row that can be kept, compared and checked: signed with the key of the ledger of the machine that
// tried it.
import { sign, verify } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalJson, formatNoteKey, type NoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { makeFolder } from '../disk/make-folder.ts'
import { STATES } from './case.ts'
import type { CaseResult } from './run-conform.ts'

export const ROW_FORMAT = 'belay-conform-1'

export interface Row {
  readonly format: typeof ROW_FORMAT
  readonly agent: string
  readonly name: string
  /** Of the agent, as it says itself. */
  readonly version: string
  readonly belay: string
  /** ISO time. */
  readonly date: string
  /** What it ran on. */
  readonly system: string
  /** Why the agent did not run there at all; null: it ran. */
  readonly problem: string | null
  readonly cases: readonly CaseResult[]
}

export interface SignedRow extends Row {
  readonly key: string
  readonly signature: string
}

/** The first line keeps it apart from everything else that this key signs. */
const textOf = (row: Row): Buffer => Buffer.from(`${ROW_FORMAT}\n${canonicalJson({ ...row })}\n`)

export function signRow(row: Row, signer: NoteSigner): SignedRow {
  return { ...row, key: formatNoteKey(signer), signature: sign(null, textOf(row), signer.privateKey).toString('base64') }
}

export type CheckedRow =
  | { readonly ok: true; readonly row: SignedRow; readonly key: NoteKey }
  | { readonly ok: false; readonly why: string }

/** Whether it is as the holder of its key wrote it. Whose key that is, is for the reader to know. */
export function checkRow(text: string): CheckedRow {
  const row = parseRow(text)
  if (typeof row === 'string') return { ok: false, why: row }
  const { key: keyText, signature, ...content } = row
  const key = parseNoteKey(keyText)
  if (key === undefined) return { ok: false, why: 'its key is none' }
  return verify(null, textOf(content), key.publicKey, Buffer.from(signature, 'base64'))
    ? { ok: true, row, key }
    : { ok: false, why: 'it was changed after it was signed, or signed with another key' }
}

/** Why it is none, where it is none. */
function parseRow(text: string): SignedRow | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (!isObject(value) || value.format !== ROW_FORMAT) return `it is not a row of belay conform (${ROW_FORMAT})`
  const texts = ['agent', 'name', 'version', 'belay', 'date', 'system', 'key', 'signature']
  const missing = texts.find(name => typeof value[name] !== 'string')
  if (missing !== undefined) return `it has no ${missing}`
  const { cases } = value
  const isCase = (each: unknown) =>
    isObject(each) && typeof each.id === 'string' && typeof each.title === 'string' && STATES.some(state => state === each.state)
  return Array.isArray(cases) && cases.every(isCase) ? (value as unknown as SignedRow) : 'it has no cases'
}

export function formatRow(row: SignedRow): string {
  return `${JSON.stringify(row, null, 2)}\n`
}

const folderOf = (home: string, agent: string): string => join(home, 'conform', agent)

export function keepRow(home: string, row: SignedRow): string {
  const folder = folderOf(home, row.agent)
  makeFolder(folder, 0o700)
  const file = join(folder, `${row.date.replaceAll(':', '-')}.json`)
  writeFileSync(file, formatRow(row), { mode: 0o600 })
  return file
}

/** The last row of this agent that was kept and is as it was signed; null: there is none. */
export function readLastRow(home: string, agent: string): SignedRow | null {
  const folder = folderOf(home, agent)
  if (!existsSync(folder)) return null
  const names = readdirSync(folder).filter(name => name.endsWith('.json'))
  for (const name of names.sort().reverse()) {
    const checked = checkRow(readFileSync(join(folder, name), 'utf8'))
    if (checked.ok) return checked.row
  }
  return null
}

export interface Drift {
  readonly id: string
  readonly title: string
  /** null: there was no such case. */
  readonly before: CaseResult | null
  readonly after: CaseResult | null
}

/** What the two do differently. */
export function compareRows(before: Row, after: Row): readonly Drift[] {
  const ids = new Set([...before.cases, ...after.cases].map(({ id }) => id))
  return [...ids].flatMap(id => {
    const [was, is] = [before, after].map(({ cases }) => cases.find(each => each.id === id) ?? null)
    return was?.state === is?.state ? [] : [{ id, title: is?.title ?? was?.title ?? id, before: was ?? null, after: is ?? null }]
  })
}
