// A machine joins with a token that works once. Its login key is endorsed by the key of its ledger, so it is the machine whose ledger it says
// it is, and neither key can stand for the other.
import { createHash } from 'node:crypto'
import { GENESIS_HASH, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { isStatement } from '@belay/core/team'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { readTeamMeta, type TeamMeta } from '../database/team-meta.ts'
import { useToken } from '../people/token.ts'

export interface JoinRequest {
  /** The secret part of the token. */
  readonly secret: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly loginKey: string
  readonly ledgerKey: string
  readonly origin: string
  /** The ledger's key says: this login key is of this ledger. */
  readonly endorsement: string
}

export type Joined =
  | { readonly ok: true; readonly machine: string; readonly team: TeamMeta }
  | { readonly ok: false; readonly status: 400 | 403 | 409; readonly why: string }

export async function joinMachine(db: Database, signer: NoteSigner, request: JoinRequest): Promise<Joined> {
  const { loginKey, ledgerKey, origin, endorsement, name, labels } = request
  const login = parseNoteKey(loginKey)
  const ledger = parseNoteKey(ledgerKey)
  if (!login || !ledger || ledger.name !== origin) return { ok: false, status: 400, why: 'a key of the machine cannot be read' }
  if (!isStatement(endorsement, 'machine', [origin, loginKey], ledger))
    return { ok: false, status: 403, why: "the ledger's key has not endorsed this login key" }
  const machine = createHash('sha256').update(loginKey).digest('hex').slice(0, 16)
  return db.transaction().execute(async tx => {
    const token = await useToken(tx, 'join', request.secret)
    if (!token) return { ok: false, status: 403, why: 'the token is unknown, used or over; ask an administrator for another' }
    const team = await readTeamMeta(tx)
    if (!team) throw new Error('this database holds no team')
    const added = await tx
      .insertInto('machine')
      .values({ id: machine, name, login_key: loginKey, labels: JSON.stringify(labels) })
      .onConflict(conflict => conflict.column('id').doNothing())
      .executeTakeFirst()
    if (added.numInsertedOrUpdatedRows !== 1n) return { ok: false, status: 409, why: 'this login key has joined before' }
    const epoch = await startChain(tx, { machine, origin, ledgerKey })
    await recordAct(tx, signer, { actor: `machine:${machine}`, kind: 'machine_joined', body: { machine, name, labels, origin, epoch } })
    return { ok: true, machine, team }
  })
}

/** A ledger that has joined before begins again at its first entry: what the hub holds of it stays as it is. */
async function startChain(
  tx: Database,
  { machine, origin, ledgerKey }: { machine: string; origin: string; ledgerKey: string },
): Promise<number> {
  const last = await tx
    .selectFrom('chain')
    .select('epoch')
    .where('origin', '=', origin)
    .orderBy('epoch', 'desc')
    .limit(1)
    .executeTakeFirst()
  const epoch = (last?.epoch ?? 0) + 1
  const tree = JSON.stringify({ size: 0, levels: [] })
  const row = { machine, origin, epoch, keys: [ledgerKey], hash: GENESIS_HASH, tree, checkpoint: null, cosignature: null }
  await tx.insertInto('chain').values(row).execute()
  return epoch
}
