// The hub's tables as queries see them.
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { Role } from './role.ts'

type Made = ColumnType<Date, never, never>
type Moment = ColumnType<Date | null, Date | null | undefined, Date | null>

export interface Tables {
  readonly meta: { key: string; value: string }
  readonly person: { name: string; role: Role; created_at: Made; removed_at: Moment }
  readonly machine: MachineTable
  readonly token: TokenTable
  readonly chain: ChainTable
  readonly tile: { chain: number; idx: number; hashes: Buffer }
  readonly entry: EntryTable
  readonly act: ActTable
  readonly publisher: { key: string; person: string; endorsement: string; until: Date; revoked_at: Moment }
  readonly bundle: BundleTable
  readonly roll_out: { version: number; machine: string; calls: number; new_denies: number }
  readonly approval: ApprovalTable
  readonly fleet: {
    machine: string
    agents: JSONColumnType<Record<string, unknown>[]>
    efforts: JSONColumnType<Record<string, unknown>[]>
    at: Generated<Date>
  }
  /** An effort that another machine has taken up. */
  readonly effort_owner: {
    machine: string
    id: number
    owner: string
    agent: string | null
    /** As it was when it was taken: whoever took it may have to begin once more. */
    effort: JSONColumnType<Record<string, unknown>>
    taken_at: Generated<Date>
  }
  /** Grows when there is something new for a machine; '': for all. */
  readonly pulse: { machine: string; n: Generated<number>; at: Generated<Date> }
  readonly finding: {
    id: Generated<number>
    chain: number
    kind: string
    what: string
    first_seen: Made
    last_seen: ColumnType<Date, never, Date>
  }
}

export interface MachineTable {
  id: string
  name: string
  login_key: string
  labels: JSONColumnType<Record<string, string>>
  joined_at: Made
  left_at: Moment
  revoked_at: Moment
  last_seen: Moment
  status: JSONColumnType<Record<string, unknown>, string | undefined>
  /** How the policy of the team stands there, as it says. */
  policy: JSONColumnType<Record<string, unknown>, string | undefined>
  behind_since: Moment
}

export interface ApprovalTable {
  machine: string
  id: string
  state: Generated<'pending' | 'allowed' | 'denied' | 'expired'>
  facts: JSONColumnType<Record<string, unknown>>
  /** The person of the machine that asks. */
  requester: string
  approvers: string[]
  asked_at: Made
  expires_at: ColumnType<Date, Date, Date>
  decided_at: Moment
  decided_by: string | null
  note: string | null
  /** hub, or machine: where it was decided. */
  via: string | null
  /** What the machine made of it in the end. */
  outcome: string | null
  outcome_by: string | null
  noticed_at: Moment
  notice_at: Generated<Date>
  notice_tries: Generated<number>
}

export interface BundleTable {
  version: number
  hash: string
  person: string
  text: string
  published_at: Made
  halted_at: Moment
  halted_why: string | null
}

export interface TokenTable {
  hash: Buffer
  kind: 'join' | 'person' | 'machine' | 'challenge' | 'session'
  person: string | null
  machine: string | null
  label: Generated<string>
  created_at: Made
  expires_at: ColumnType<Date, Date, Date>
  used_at: Moment
  revoked_at: Moment
}

export interface ChainTable {
  id: Generated<number>
  machine: string | null
  origin: string
  epoch: Generated<number>
  keys: string[]
  seq: Generated<number>
  hash: string
  tree: JSONColumnType<StoredTree>
  checkpoint_size: Generated<number>
  checkpoint: string | null
  cosignature: string | null
  /** Entries without a row. */
  hash_only: Generated<number>
}

/** Hashes in hex. */
export interface StoredTree {
  readonly size: number
  readonly levels: readonly { readonly size: number; readonly subtrees: readonly string[] }[]
}

export interface EntryTable {
  chain: number
  seq: number
  day: string
  format: number
  is_proved: boolean
  id: string
  time: string
  actor: string
  session: string | null
  kind: string
  policy: string | null
  judge: string | null
  rule: string | null
  tool: string | null
  verdict: string | null
  body_hash: string
  body: string | null
  salt: string | null
  erased: JSONColumnType<string[] | null>
  /** By the hub's clock. */
  received: Made
}

export interface ActTable {
  seq: number
  id: string
  time: string
  actor: string
  kind: string
  body: string
  salt: string
  body_hash: string
}
