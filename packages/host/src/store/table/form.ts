// Forms: what many bodies say alike, kept once. Entries that have one name it by its id; new ones are written with the first entry of theirs.
import { type BodyForm, joinBody, parseForm } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import { type ColumnType, type RawBuilder, sql } from 'kysely'
import type { Store, Write } from '../store.ts'
import { decodeText } from './raw-text.ts'

export interface FormTable {
  id: ColumnType<number, number, never>
  /** Of the entries that have this form. */
  policy: ColumnType<string | null, string | null, never>
  /** JSON of the fields that their bodies have in common. */
  text: ColumnType<string, string, never>
}

export interface NewForm {
  readonly id: number
  readonly policy: string | null
  readonly text: string
}

export function prepareFormInsert(store: Store): (form: NewForm) => Write {
  const statement = store.prepareWrite(store.db.insertInto('forms').values({ id: 0, policy: null, text: '' }))
  return ({ id, policy, text }) => ({ statement, parameters: [id, policy, text] })
}

/** A row of another hand may hold anything. */
function valuesOf(json: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

/** What a body in the database is: only a part where the row has a form. */
declare const part: unique symbol
export interface BodyPart {
  readonly [part]: true
}

/** Of a row of the ledger, beside its own part of the body. */
export function sharedText(): RawBuilder<string | null> {
  return sql<string | null>`(SELECT text FROM forms WHERE forms.id = ledger.form)`
}

export function sharedPolicy(): RawBuilder<string | null> {
  return sql<string | null>`coalesce(policy, (SELECT forms.policy FROM forms WHERE forms.id = ledger.form))`
}

/** The whole body of a row that was read with its `sharedText`. */
export function wholeBody({ body, shared }: { readonly body: BodyPart; readonly shared: string | null }): string {
  const own = body as unknown as string
  return shared === null ? own : joinBody(parseForm(shared), own)
}

/** Of a row whose body says this, or whose form does: for a condition. */
export function bodyField(path: string): { readonly own: RawBuilder<string | null>; readonly shared: RawBuilder<string | null> } {
  return { own: sql<string | null>`body ->> ${sql.lit(path)}`, shared: sql<string | null>`text ->> ${sql.lit(path)}` }
}

export interface KeptForm extends BodyForm {
  readonly policy: string | null
  /** Its fields, read. */
  readonly values: Readonly<Record<string, unknown>>
}

export type FormReader = (ids: readonly number[]) => Promise<ReadonlyMap<number, KeptForm>>

const FORMS_KEPT = 1024

/** Remembers those that it has read: they do not change, and rows that follow each other have the same. Those of a page that are missing are read at once. */
export function createFormReader(store: Store): FormReader {
  const query = sql`SELECT id, CAST(policy AS BLOB), CAST(text AS BLOB) FROM forms WHERE id IN (SELECT value FROM json_each(${''}))`
  const read = store.prepareRead({ compile: () => query.compile(store.db) })
  const kept = new BoundedMap<number, KeptForm>(FORMS_KEPT)
  return async ids => {
    const found = new Map<number, KeptForm>()
    const missing: number[] = []
    for (const id of ids) {
      const form = kept.get(id)
      if (form === undefined) missing.push(id)
      else found.set(id, form)
    }
    const rows = missing.length === 0 ? [] : await read([JSON.stringify(missing)])
    for (const [id, policy, text] of rows) if (typeof id === 'number' && text instanceof Uint8Array) found.set(id, readForm(policy, text))
    for (const id of ids) {
      const form = found.get(id)
      if (form !== undefined) kept.set(id, form)
    }
    return found
  }
}

function readForm(policy: unknown, text: Uint8Array): KeptForm {
  const json = decodeText(text)
  return { ...parseForm(json), values: valuesOf(json), policy: policy instanceof Uint8Array ? decodeText(policy) : null }
}
