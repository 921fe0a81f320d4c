// Takes a bundle of a publisher. The hub cannot make one: it checks what a machine will check, so that a mistake is found before it is sent.
import { type NoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { readBundle, refuseOrder } from '@belay/core/team'
import { sql } from 'kysely'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { raisePulse } from '../database/pulse.ts'
import { readTeamMeta } from '../database/team-meta.ts'

export type Published =
  | { readonly ok: true; readonly version: number; readonly hash: string }
  | { readonly ok: false; readonly status: 400 | 403 | 409; readonly why: string }

export async function publishBundle(db: Database, signer: NoteSigner, person: string, text: string): Promise<Published> {
  const read = readBundle(text, { root: await readRoot(db), now: Date.now() })
  if (!read.ok) return { ok: false, status: read.fault === 'damaged' ? 400 : 403, why: read.why }
  const { bundle } = read
  const { publisher, manifest, hash } = bundle
  if (publisher.person !== person) return { ok: false, status: 403, why: `it is signed by ${publisher.person}, and sent by ${person}` }
  return db.transaction().execute(async tx => {
    await sql`SELECT pg_advisory_xact_lock(hashtext('belay bundle'))`.execute(tx)
    if (await isRevoked(tx, publisher.key)) return { ok: false, status: 403, why: `this key of ${person} was revoked` }
    const last = await tx.selectFrom('bundle').select(['version', 'hash']).orderBy('version', 'desc').limit(1).executeTakeFirst()
    const disorder = manifest.version === last?.version ? `there is a bundle ${last.version} already` : refuseOrder(bundle, last ?? null)
    if (disorder !== undefined) return { ok: false, status: 409, why: disorder }
    const { version } = manifest
    await tx.insertInto('bundle').values({ version, hash, person, text, halted_why: null }).execute()
    const { mode, percentage, selector, note } = manifest
    const body = { version, hash, mode, percentage, selector, note }
    await recordAct(tx, signer, { actor: `person:${person}`, kind: 'bundle_published', body })
    await raisePulse(tx, '')
    return { ok: true, version, hash }
  })
}

async function isRevoked(tx: Database, { id }: NoteKey): Promise<boolean> {
  const rows = await tx.selectFrom('publisher').select('key').where('revoked_at', 'is not', null).execute()
  return rows.some(({ key }) => parseNoteKey(key)?.id === id)
}

async function readRoot(db: Database): Promise<NoteKey> {
  const team = await readTeamMeta(db)
  const root = team && parseNoteKey(team.rootKey)
  if (!root) throw new Error('this database holds no team')
  return root
}
