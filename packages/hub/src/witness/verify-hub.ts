// Everything at once: every machine's chain, the hub's own, and which machines are not what they should be.
import { type NoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { readEndorsedKey } from '@belay/core/team'
import { findRecordBreak } from '../act/prove-record.ts'
import { findOwnChain } from '../act/record-act.ts'
import type { Chain } from '../chain/extend-chain.ts'
import type { Database } from '../database/open-database.ts'
import { readTeamMeta } from '../database/team-meta.ts'
import { type ChainReport, checkChain, type HeldRow, type Problem } from './check-chain.ts'
import { listMachines, type MachineRow } from './list-machines.ts'

export interface MachineReport {
  readonly machine: string
  readonly name: string
  readonly chains: readonly (ChainReport & { readonly origin: string; readonly epoch: number })[]
  readonly problems: readonly Problem[]
}

export interface HubReport {
  readonly ok: boolean
  readonly hub: ChainReport
  readonly machines: readonly MachineReport[]
}

export interface VerifyOptions {
  readonly silentAfterMs: number
  onProgress?(done: number, total: number): void
}

export async function verifyHub(db: Database, signer: NoteSigner, { silentAfterMs, onProgress }: VerifyOptions): Promise<HubReport> {
  const rows = await listMachines(db, silentAfterMs)
  // After them: it may have grown since machines saw it.
  const chain = await findOwnChain(db, signer.name)
  const own = await checkChain({ db, chain, readRows: (from, to) => readActs(db, from, to), witness: null })
  const problems = [...own.problems, ...(await checkTeam(db, signer)), ...(await checkSeen(db, signer, chain, rows))]
  const hub = { ...own, problems }
  const machines: MachineReport[] = []
  for (const [at, row] of rows.entries()) {
    machines.push(await verifyMachine(db, signer, row))
    onProgress?.(at + 1, rows.length)
  }
  return { ok: hub.problems.length === 0 && machines.every(machine => machine.problems.length === 0), hub, machines }
}

export async function verifyMachine(db: Database, witness: NoteKey, row: MachineRow): Promise<MachineReport> {
  const chains = await db.selectFrom('chain').selectAll().where('machine', '=', row.id).orderBy('id').execute()
  const reports = []
  for (const chain of chains) {
    const report = await checkChain({ db, chain, readRows: (from, to) => readEntries(db, chain, from, to), witness })
    reports.push({ ...report, origin: chain.origin, epoch: chain.epoch })
  }
  return { machine: row.id, name: row.name, chains: reports, problems: [...row.problems, ...reports.flatMap(report => report.problems)] }
}

async function checkTeam(db: Database, signer: NoteSigner): Promise<Problem[]> {
  const team = await readTeamMeta(db)
  const root = team && parseNoteKey(team.rootKey)
  const endorsed = root && readEndorsedKey(team.endorsement, 'hub', root)
  return endorsed?.id === signer.id ? [] : [{ kind: 'endorsement', what: "the team's root has not endorsed the key of this hub" }]
}

/** What machines were shown of the hub's own record must be an earlier state of it. */
async function checkSeen(db: Database, signer: NoteSigner, chain: Chain, rows: readonly MachineRow[]): Promise<Problem[]> {
  const problems: Problem[] = []
  const checked = new Set<unknown>()
  for (const { name, status } of rows) {
    const { hubRecord } = status
    if (typeof hubRecord !== 'string' || checked.has(hubRecord)) continue
    checked.add(hubRecord)
    const what = await findRecordBreak(db, signer, chain, hubRecord)
    if (what !== undefined) problems.push({ kind: 'hub_record_changed', what: `${what} (seen by ${name})` })
  }
  return problems
}

async function readEntries(db: Database, chain: Chain, from: number, to: number): Promise<readonly HeldRow[]> {
  return db
    .selectFrom('entry')
    .select([
      'seq',
      'format',
      'id',
      'time',
      'actor',
      'session',
      'kind',
      'policy',
      'judge',
      'rule',
      'tool',
      'verdict',
      'body_hash',
      'body',
      'salt',
    ])
    .where('chain', '=', chain.id)
    .where('seq', '>', from)
    .where('seq', '<=', to)
    .orderBy('seq')
    .execute()
}

async function readActs(db: Database, from: number, to: number): Promise<readonly HeldRow[]> {
  const rows = await db.selectFrom('act').selectAll().where('seq', '>', from).where('seq', '<=', to).orderBy('seq').execute()
  const none = { session: null, policy: null, judge: null, rule: null, tool: null, verdict: null }
  return rows.map(row => ({ ...none, ...row, format: 2 }))
}
