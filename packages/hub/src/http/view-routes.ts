// What the page shows beside the lists that commands read too: who looks, entries as they come, one entry with its proof, a check on request.
import type { NoteSigner } from '@belay/core/ledger'
import { type EntryProof, proveEntry } from '../chain/prove-entry.ts'
import { VERSION } from '../config/version.ts'
import type { Database } from '../database/open-database.ts'
import type { Role } from '../database/role.ts'
import type { Person } from '../people/person.ts'
import { listMachines } from '../witness/list-machines.ts'
import { verifyMachine } from '../witness/verify-hub.ts'
import { listLive } from './live-entries.ts'
import { ok, type Routes, refuse } from './route.ts'

export interface ViewRoutesOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly silentAfterMs: number
}

export interface Me {
  readonly name: string
  readonly role: Role
  readonly hub: string
  readonly version: string
  readonly now: string
  /** Requests that wait for a person. */
  readonly waiting: number
  readonly machines: number
  /** Machines about which there is something to be said. */
  readonly named: number
}

/** An entry with all that the hub holds of it. */
export interface EntryView {
  readonly chain: number
  readonly machine: { readonly id: string; readonly name: string } | undefined
  readonly seq: number
  readonly id: string
  readonly format: number
  readonly time: string
  readonly actor: string
  readonly session: string | null
  readonly kind: string
  readonly policy: string | null
  readonly judge: string | null
  readonly rule: string | null
  readonly tool: string | null
  readonly verdict: string | null
  readonly bodyHash: string
  readonly received: Date
  readonly isProved: boolean
  readonly body: unknown
  readonly erased: readonly string[] | null
  readonly proof: EntryProof | null
}

export function createViewRoutes({ db, signer, silentAfterMs }: ViewRoutesOptions): Routes {
  return {
    'GET /v1/me': {
      for: 'viewer',
      run: async (_call, { name, role }) => {
        return ok(await describeTeam({ db, signer, silentAfterMs }, { name, role }))
      },
    },
    'GET /v1/live': {
      for: 'viewer',
      run: async ({ query }) => {
        const since = query.get('since')
        if (since !== null && Number.isNaN(Date.parse(since))) return refuse(400, 'since is a time')
        return ok(await listLive(db, since))
      },
    },
    'GET /v1/entry': {
      for: 'viewer',
      run: async ({ query }) => {
        const [chain, seq] = [Number(query.get('chain')), Number(query.get('seq'))]
        if (!Number.isSafeInteger(chain) || !Number.isSafeInteger(seq))
          return refuse(400, 'an entry is named by chain and seq, two numbers')
        const found = await findEntry(db, chain, seq)
        return found ? ok(found) : refuse(404, `the hub holds no entry ${seq} of chain ${chain}; it may have been pruned`)
      },
    },
    'GET /v1/verify': {
      for: 'viewer',
      run: async ({ query }) => {
        const row = (await listMachines(db, silentAfterMs)).find(({ id }) => id === query.get('machine'))
        return row ? ok(await verifyMachine(db, signer, row)) : refuse(404, 'there is no such machine')
      },
    },
  }
}

async function describeTeam({ db, signer, silentAfterMs }: ViewRoutesOptions, { name, role }: Person): Promise<Me> {
  const machines = (await listMachines(db, silentAfterMs)).filter(({ state }) => state !== 'left' && state !== 'revoked')
  const { count } = await db
    .selectFrom('approval')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('state', '=', 'pending')
    .where('expires_at', '>', new Date())
    .executeTakeFirstOrThrow()
  return {
    name,
    role,
    hub: signer.name,
    version: VERSION,
    now: new Date().toISOString(),
    waiting: Number(count),
    machines: machines.length,
    named: machines.filter(({ problems }) => problems.length > 0).length,
  }
}

async function findEntry(db: Database, id: number, seq: number): Promise<EntryView | undefined> {
  const chain = await db.selectFrom('chain').selectAll().where('id', '=', id).where('machine', 'is not', null).executeTakeFirst()
  const row = await db.selectFrom('entry').selectAll().where('chain', '=', id).where('seq', '=', seq).executeTakeFirst()
  if (!chain || !row) return undefined
  const { format, time, actor, session, kind, policy, judge, rule, tool, verdict, body, salt, erased } = row
  const head = { format, seq, id: row.id, time, actor, session, kind, policy, judge, rule, tool, verdict, bodyHash: row.body_hash }
  const isWhole = body !== null && salt !== null && erased === null
  const proof = await proveEntry(db, chain, isWhole ? { ...head, body: JSON.parse(body), salt } : head)
  const machine = await db.selectFrom('machine').select(['id', 'name']).where('id', '=', chain.machine).executeTakeFirst()
  return {
    chain: id,
    machine,
    ...head,
    received: row.received,
    isProved: row.is_proved,
    body: body === null ? null : JSON.parse(body),
    erased,
    // Of the first format only what has its body can be proved.
    proof: format === 2 ? (proof ?? null) : null,
  }
}
