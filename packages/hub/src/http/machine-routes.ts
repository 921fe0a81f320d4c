// What machines call: join, log in, send, leave.
import type { NoteSigner } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import { proveRecord } from '../act/prove-record.ts'
import { recordAct } from '../act/record-act.ts'
import type { Refusals } from '../act/refusals.ts'
import type { Database } from '../database/open-database.ts'
import { readTeamMeta } from '../database/team-meta.ts'
import { type JoinRequest, joinMachine } from '../machine/join-machine.ts'
import { createChallenge, endMachine, loginMachine } from '../machine/login-machine.ts'
import { createTakeUpload, findChain, type Taken } from '../upload/take-upload.ts'
import { parseUpload } from '../upload/upload-request.ts'
import type { HubMetrics } from './hub-metrics.ts'
import { type Answer, ok, type Routes, refuse } from './route.ts'

export interface MachineRoutesOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly metrics: HubMetrics
  readonly refusals: Refusals
}

export function createMachineRoutes({ db, signer, metrics, refusals }: MachineRoutesOptions): Routes {
  const takeUpload = createTakeUpload(db, signer)
  return {
    'GET /v1/team': { for: 'anyone', run: async () => ok(await readTeamMeta(db)) },
    'POST /v1/join': {
      for: 'anyone',
      run: async ({ body }) => {
        const request = parseJoin(body)
        if (!request) return refuse(400, 'a request to join names secret, name, labels, loginKey, ledgerKey, origin and endorsement')
        const joined = await joinMachine(db, signer, request)
        if (joined.ok) return ok({ machine: joined.machine, team: joined.team })
        await refusals.note({ actor: 'nobody', kind: 'login_refused', body: { request: 'join', why: joined.why } })
        return refuse(joined.status, joined.why)
      },
    },
    'POST /v1/challenge': {
      for: 'anyone',
      run: async ({ body }) => {
        const challenge = isObject(body) && typeof body.machine === 'string' ? await createChallenge(db, body.machine) : undefined
        return challenge === undefined ? refuse(403, 'this machine is not of the team') : ok({ challenge })
      },
    },
    'POST /v1/login': {
      for: 'anyone',
      run: async ({ body }) => {
        if (!isObject(body)) return refuse(400, 'the body is not an object')
        const { machine, challenge, signature } = body
        if (typeof machine !== 'string' || typeof challenge !== 'string' || typeof signature !== 'string')
          return refuse(400, 'a login names machine, challenge and signature')
        const login = await loginMachine(db, { machine, challenge, signature })
        if (login) return ok({ token: login.token, expiresAt: login.expiresAt.toISOString() })
        const why = 'the challenge is over, or not signed by this machine'
        const known = await db.selectFrom('machine').select('id').where('id', '=', machine).executeTakeFirst()
        await refusals.note({ actor: known ? `machine:${machine}` : 'nobody', kind: 'login_refused', body: { request: 'login', why } })
        return refuse(403, why)
      },
    },
    'GET /v1/chain': {
      for: 'machine',
      run: async (_call, machine) => {
        const { seq, origin } = await findChain(db, machine.id)
        return ok({ seq, origin })
      },
    },
    'GET /v1/record': {
      for: 'machine',
      run: async ({ query }) => {
        const size = query.get('size') ?? '0'
        return /^\d{1,15}$/.test(size) ? ok(await proveRecord(db, signer, Number(size))) : refuse(400, 'size is a number of acts')
      },
    },
    'POST /v1/upload': {
      for: 'machine',
      run: async ({ body }, machine) => {
        const request = parseUpload(body)
        if (typeof request === 'string') return refuse(400, request)
        const taken = await takeUpload(machine, request)
        if (taken.kind === 'taken') metrics.count('belay_hub_entries_total', request.entries.length)
        if (taken.kind === 'fork') metrics.count('belay_hub_forks_total')
        if (taken.kind === 'fork' || taken.kind === 'refused')
          await refusals.note({ actor: `machine:${machine.id}`, kind: 'upload_refused', body: { why: taken.why } })
        return answerUpload(taken)
      },
    },
    'POST /v1/leave': {
      for: 'machine',
      run: async (_call, machine) => {
        await db.transaction().execute(async tx => {
          await endMachine(tx, machine.id, 'left')
          await recordAct(tx, signer, { actor: `machine:${machine.id}`, kind: 'machine_left', body: { machine: machine.id } })
        })
        return ok({})
      },
    },
  }
}

function answerUpload(taken: Taken): Answer {
  if (taken.kind === 'taken') return ok({ seq: taken.seq, cosigned: taken.cosigned })
  if (taken.kind === 'elsewhere') return refuse(409, 'another entry is next', { seq: taken.seq })
  return taken.kind === 'fork' ? refuse(422, taken.why, { seq: taken.seq }) : refuse(400, taken.why)
}

function parseJoin(value: unknown): JoinRequest | undefined {
  if (!isObject(value) || !isObject(value.labels)) return undefined
  const texts = ['secret', 'name', 'loginKey', 'ledgerKey', 'origin', 'endorsement']
  const isWhole =
    texts.every(name => typeof value[name] === 'string') && Object.values(value.labels).every(label => typeof label === 'string')
  return isWhole ? (value as unknown as JoinRequest) : undefined
}
