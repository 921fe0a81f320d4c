// Every administrative act is an entry of the hub's own chain, in the transaction that does it, under a checkpoint of the hub's key.
import { randomBytes, randomUUID } from 'node:crypto'
import {
  canonicalJson,
  chainEntry,
  formatCheckpoint,
  formatNoteKey,
  GENESIS_HASH,
  growTreeBy,
  type NoteSigner,
  prepareEntry,
  signNote,
  treeRoot,
} from '@belay/core/ledger'
import { type Insertable, sql } from 'kysely'
import { type Chain, extendChain } from '../chain/extend-chain.ts'
import { readStoredTree } from '../chain/stored-tree.ts'
import { HubProblem } from '../database/hub-problem.ts'
import type { Database } from '../database/open-database.ts'
import type { ActTable } from '../database/tables.ts'

export interface Act {
  /** `person:ana`, or `host:` and the user of the machine on which a command of the hub was run. */
  readonly actor: string
  readonly kind: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Between two statements of ours there is a moment of reckoning, no more. */
const LONGEST_PAUSE_MS = 10_000

export async function createOwnChain(tx: Database, signer: NoteSigner): Promise<void> {
  const tree = JSON.stringify({ size: 0, levels: [] })
  await tx
    .insertInto('chain')
    .values({
      machine: null,
      origin: signer.name,
      keys: [formatNoteKey(signer)],
      hash: GENESIS_HASH,
      tree,
      checkpoint: null,
      cosignature: null,
    })
    .execute()
}

/** Within a transaction: what is done and its record are one. */
export async function recordAct(tx: Database, signer: NoteSigner, act: Act): Promise<void> {
  await recordActs(tx, signer, await lockActs(tx, signer.name), [act])
}

/**
 * The record as it is. One transaction at a time, at whichever hub process, adds to it: until it ends. One whose process was cut off in the middle
 * of it, and whose connection nobody closes, is ended by the database: else nobody could decide anything until the network gave that connection up.
 */
export async function lockActs(tx: Database, origin: string): Promise<Chain> {
  const timeout = sql`set_config('idle_in_transaction_session_timeout', ${String(LONGEST_PAUSE_MS)}, true)`.as('timeout')
  const locked = await selectOwnChain(tx, origin).select(timeout).forUpdate().executeTakeFirst()
  return locked ?? refuseOrigin(origin)
}

/** Several at once, behind what is locked. */
export async function recordActs(tx: Database, signer: NoteSigner, chain: Chain, acts: readonly Act[]): Promise<void> {
  if (acts.length === 0) return
  const rows: Insertable<ActTable>[] = []
  const hashes: string[] = []
  for (const { actor, kind, body } of acts) {
    const draft = { actor, session: null, kind, policy: null, body: canonicalJson(body) }
    const salt = randomBytes(16).toString('base64url')
    const before = hashes.at(-1) ?? chain.hash
    const entry = chainEntry(prepareEntry(draft, randomUUID(), Date.now(), salt), chain.seq + hashes.length + 1, before)
    const { seq, id, time, body: text, bodyHash: body_hash, hash } = entry
    rows.push({ seq, id, time, actor, kind, body: text, salt, body_hash })
    hashes.push(hash)
  }
  const { tree } = growTreeBy(readStoredTree(chain.tree), Buffer.from(hashes.join(''), 'hex'))
  const note = signNote(formatCheckpoint({ origin: signer.name, size: tree.size, root: treeRoot(tree) }), [signer])
  const checkpoint = { size: tree.size, note, cosignature: null, keys: chain.keys }
  if (!(await extendChain(tx, chain, { hashes, tree, checkpoint }))) throw new Error('the record of the hub was written past its lock')
  await tx.insertInto('act').values(rows).execute()
}

export async function findOwnChain(db: Database, origin: string): Promise<Chain> {
  return (await selectOwnChain(db, origin).executeTakeFirst()) ?? refuseOrigin(origin)
}

function selectOwnChain(db: Database, origin: string) {
  return db.selectFrom('chain').selectAll().where('origin', '=', origin).where('machine', 'is', null)
}

function refuseOrigin(origin: string): never {
  throw new HubProblem(`this database is of another hub than the key ${origin}, or of none; key_file and database_url belong together`)
}
