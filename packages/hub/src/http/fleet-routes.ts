// Agents and efforts of all machines, and taking an effort up on another one.
import type { NoteSigner } from '@belay/core/ledger'
import { isObject } from '@belay/core/value'
import type { Database } from '../database/open-database.ts'
import { listFleet, takeEffort } from '../fleet/fleet.ts'
import { ok, type Routes, refuse } from './route.ts'

export function createFleetRoutes(db: Database, signer: NoteSigner): Routes {
  return {
    'GET /v1/fleet': { for: 'viewer', run: async () => ok({ machines: await listFleet(db) }) },
    'GET /v1/team/fleet': { for: 'machine', run: async () => ok({ machines: await listFleet(db) }) },
    'GET /v1/efforts': {
      for: 'machine',
      run: async () =>
        ok({ efforts: (await listFleet(db)).flatMap(({ name, efforts }) => efforts.map(each => ({ ...each, machine: name }))) }),
    },
    'POST /v1/efforts/take': {
      for: 'machine',
      run: async ({ body }, machine) => {
        const { effort, agent = null, force } = isObject(body) ? body : {}
        const [, from = '', id = ''] = /^([0-9a-f]{16})\/(\d{1,12})$/.exec(String(effort)) ?? []
        if (id === '' || !(agent === null || typeof agent === 'string'))
          return refuse(400, 'an effort is MACHINE/ID, as the fleet lists it')
        const taken = await takeEffort(db, signer, { by: machine.id, agent, machine: from, id: Number(id), isForced: force === true })
        return taken.ok ? ok({ effort: taken.effort }) : refuse(taken.status, taken.why)
      },
    },
  }
}
