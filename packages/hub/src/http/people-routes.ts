// What people call, by their role. Searching covers heads, and bodies where machines send them.
import type { NoteSigner } from '@belay/core/ledger'
import { parseNoteKey } from '@belay/core/ledger'
import { createJoinToken, parseJoinToken } from '@belay/core/team'
import { isObject } from '@belay/core/value'
import { recordAct } from '../act/record-act.ts'
import type { Database } from '../database/open-database.ts'
import { readTeamMeta } from '../database/team-meta.ts'
import { endMachine } from '../machine/login-machine.ts'
import { addToken } from '../people/token.ts'
import { listMachines } from '../witness/list-machines.ts'
import { ok, type Routes, refuse } from './route.ts'
import { searchEntries } from './search-entries.ts'

const JOIN_MS = 24 * 3_600_000

export interface PeopleRoutesOptions {
  readonly db: Database
  readonly signer: NoteSigner
  readonly silentAfterMs: number
}

export function createPeopleRoutes({ db, signer, silentAfterMs }: PeopleRoutesOptions): Routes {
  return {
    'GET /v1/machines': { for: 'viewer', run: async () => ok({ machines: await listMachines(db, silentAfterMs) }) },
    'GET /v1/entries': { for: 'viewer', run: async ({ query }) => ok(await searchEntries(db, query)) },
    'GET /v1/acts': {
      for: 'admin',
      run: async () => {
        const acts = await db.selectFrom('act').select(['seq', 'time', 'actor', 'kind', 'body']).orderBy('seq', 'desc').limit(200).execute()
        return ok({ acts: acts.map(act => ({ ...act, body: JSON.parse(act.body) })) })
      },
    },
    'POST /v1/join-tokens': {
      for: 'admin',
      run: async (_call, person) => {
        const team = await readTeamMeta(db)
        const root = team && parseNoteKey(team.rootKey)
        if (!root) throw new Error('this database holds no team')
        const token = createJoinToken(root)
        const expires = await db.transaction().execute(async tx => {
          await recordAct(tx, signer, { actor: `person:${person.name}`, kind: 'join_token_made', body: {} })
          return addToken(tx, { kind: 'join', secret: parseJoinToken(token)?.secret ?? '', livesMs: JOIN_MS, label: person.name })
        })
        return ok({ token, expiresAt: expires.toISOString() })
      },
    },
    'POST /v1/revoke': {
      for: 'admin',
      run: async ({ body }, person) => {
        const machine = isObject(body) && typeof body.machine === 'string' ? body.machine : ''
        const isEnded = await db.transaction().execute(async tx => {
          if (!(await endMachine(tx, machine, 'revoked'))) return false
          await recordAct(tx, signer, { actor: `person:${person.name}`, kind: 'machine_revoked', body: { machine } })
          return true
        })
        return isEnded ? ok({ machine }) : refuse(404, `there is no machine ${JSON.stringify(machine)} that is still of the team`)
      },
    },
  }
}
