// Goes over everything the hub holds of one chain: the hashes, the tree they give, the rows behind them, the checkpoint and both signatures.
// A chain is checked as far as it went when it was read: a hub at work adds to it meanwhile, and locks for so long would hold that up.
import {
  EMPTY_TREE,
  encodeHeadLeaf,
  findSigners,
  GENESIS_HASH,
  growTreeBy,
  HASH_BYTES,
  hashBody,
  hashLeaf,
  type NoteKey,
  parseCheckpoint,
  parseNote,
  parseNoteKey,
  readCosignature,
  type Tree,
  treeRoot,
} from '@belay/core/ledger'
import { sql } from 'kysely'
import type { Chain } from '../chain/extend-chain.ts'
import { streamLeaves } from '../chain/leaf-tile.ts'
import type { Database } from '../database/open-database.ts'

export interface Problem {
  readonly kind: string
  readonly what: string
}

export interface ChainReport {
  readonly entries: number
  /** Those of which the hub still holds more than the hash. */
  readonly held: number
  readonly problems: readonly Problem[]
}

/** A row as it is kept, of a machine or of the hub itself. */
export interface HeldRow {
  readonly seq: number
  readonly format: number
  readonly id: string
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly policy: string | null
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
  readonly body_hash: string
  readonly body: string | null
  readonly salt: string | null
}

export interface ChainCheck {
  readonly db: Database
  readonly chain: Chain
  /** Rows with `from` < seq <= `to`, in order. */
  readRows(from: number, to: number): Promise<readonly HeldRow[]>
  /** Who must have cosigned; null: the chain is the hub's own. */
  readonly witness: NoteKey | null
}

export async function checkChain({ db, chain, readRows, witness }: ChainCheck): Promise<ChainReport> {
  const problems: Problem[] = []
  let tree: Tree = EMPTY_TREE
  let treeAt: Tree | undefined = chain.checkpoint_size === 0 ? EMPTY_TREE : undefined
  let last = GENESIS_HASH
  let held = 0
  for await (const tile of streamLeaves(db, chain.id)) {
    const from = tree.size
    const hashes = tile.subarray(0, (chain.seq - from) * HASH_BYTES)
    if (hashes.length === 0) break
    const cut = Math.min(Math.max(chain.checkpoint_size - from, 0) * HASH_BYTES, hashes.length)
    const before = growTreeBy(tree, hashes.subarray(0, cut)).tree
    if (before.size === chain.checkpoint_size) treeAt = before
    tree = growTreeBy(before, hashes.subarray(cut)).tree
    const rows = await readRows(from, tree.size)
    held += rows.length
    const bad = rows.find(
      row => !isRowGood(row, hashAt(hashes, row.seq - from), row.seq - from === 1 ? last : hashAt(hashes, row.seq - from - 1)),
    )
    if (bad) problems.push({ kind: 'hub_row_changed', what: `entry ${bad.seq} is not what was sent: somebody changed the hub's database` })
    last = hashes.toString('hex', hashes.length - HASH_BYTES)
  }
  if (tree.size !== chain.seq || last !== chain.hash)
    problems.push({ kind: 'hub_hashes_changed', what: `the hub holds ${tree.size} hashes, its cursor is at ${chain.seq}` })
  const spare = await countSpareHashes(db, chain.id)
  if (spare !== 0) problems.push({ kind: 'hub_hashes_changed', what: `the hub holds ${spare} hashes more than its cursor says` })
  const gone = witness ? await countGoneRows(db, chain.id) : chain.seq - held
  if (gone !== 0) problems.push({ kind: 'hub_row_changed', what: sayGone(gone, witness ? 'entries' : 'acts') })
  problems.push(...checkSeal(chain, treeAt, witness))
  return { entries: chain.seq, held, problems }
}

/** In one statement, which sees one moment. */
async function countSpareHashes(db: Database, chain: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (coalesce(sum(length(t.hashes)), 0) / ${sql.lit(HASH_BYTES)} - c.seq)::int AS n
    FROM chain c LEFT JOIN tile t ON t.chain = c.id WHERE c.id = ${chain} GROUP BY c.seq`.execute(db)
  return rows[0]?.n ?? 0
}

/** Rows that are not there and were not pruned; acts are never pruned. In one statement too. */
async function countGoneRows(db: Database, chain: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (c.seq - c.hash_only - (SELECT count(*) FROM entry WHERE entry.chain = c.id AND entry.seq <= c.seq))::int AS n
    FROM chain c WHERE c.id = ${chain}`.execute(db)
  return rows[0]?.n ?? 0
}

function sayGone(gone: number, what: string): string {
  const how = gone > 0 ? `${gone} ${what} are gone that nobody pruned` : `there are ${-gone} ${what} more than were taken`
  return `${how}: somebody changed the hub's database`
}

function hashAt(hashes: Buffer, place: number): string {
  return hashes.toString('hex', (place - 1) * HASH_BYTES, place * HASH_BYTES)
}

/** Of the first format only what has its body could be checked; that was done when it came. */
function isRowGood(row: HeldRow, hash: string, prev: string): boolean {
  if (row.format !== 2) return true
  if (row.body !== null && row.salt !== null && hashBody(row.body, row.salt) !== row.body_hash) return false
  return hashLeaf(encodeHeadLeaf({ ...row, bodyHash: row.body_hash }, row.seq, prev)) === hash
}

function checkSeal(chain: Chain, treeAt: Tree | undefined, witness: NoteKey | null): Problem[] {
  if (chain.checkpoint === null) return []
  const note = parseNote(chain.checkpoint)
  const checkpoint = parseCheckpoint(note?.text ?? '')
  const keys = chain.keys.map(parseNoteKey).filter(key => key !== undefined)
  if (!note || !checkpoint || !treeAt || !treeRoot(treeAt).equals(checkpoint.root))
    return [{ kind: 'hub_hashes_changed', what: 'the last checkpoint is not over the hashes that the hub holds' }]
  if (findSigners(note, keys).length === 0) return [{ kind: 'signature', what: 'the last checkpoint is not signed by a key of the ledger' }]
  if (witness && readCosignature(note.text, chain.cosignature ?? '', witness) === undefined)
    return [{ kind: 'signature', what: 'the last checkpoint is not cosigned by this hub' }]
  return []
}
