// `belay-hub init`: the schema, the keys, the first administrator and a token for the first machine, once.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { formatNoteKey, type NoteSigner } from '@belay/core/ledger'
import { createJoinToken, parseJoinToken, signStatement } from '@belay/core/team'
import { createOwnChain, recordAct } from '../act/record-act.ts'
import { createKeyFile } from '../chain/hub-key.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { migrate } from '../database/migrate.ts'
import { type Database, openDatabase } from '../database/open-database.ts'
import { readTeamMeta, writeTeamMeta } from '../database/team-meta.ts'
import { addPerson } from '../people/person.ts'
import { addToken, createSecret } from '../people/token.ts'
import { type HubIo, nameActor, needConfig } from './open-hub.ts'

export interface InitOptions {
  readonly config?: string
  readonly admin: string
  readonly json?: boolean
}

const PERSON_MS = 90 * 86_400_000
const JOIN_MS = 24 * 3_600_000

export async function runInit(options: InitOptions, io: HubIo): Promise<number> {
  const config = needConfig(options.config, io)
  const rootFile = join(dirname(config.keyFile), 'belay-root.key')
  const { db, close } = openDatabase(config.directUrl)
  try {
    await migrate(db)
    if (await readTeamMeta(db)) throw new HubProblem('this database holds a team already; `belay-hub status` shows it')
    for (const file of [config.keyFile, rootFile])
      if (existsSync(file)) throw new HubProblem(`${file} is there already, and a key is never written over; move it away first`)
    const root = createKeyFile(rootFile, 'team')
    const hub = createKeyFile(config.keyFile, 'hub')
    const made = await db.transaction().execute(tx => createTeam(tx, { root, hub, admin: options.admin }))
    const said = { admin: options.admin, adminToken: made.adminToken, joinToken: made.joinToken, keyFile: config.keyFile, rootFile }
    io.out(options.json ? `${JSON.stringify(said)}\n` : describe(said))
    return 0
  } finally {
    await close()
  }
}

async function createTeam(tx: Database, { root, hub, admin }: { root: NoteSigner; hub: NoteSigner; admin: string }) {
  const hubKey = formatNoteKey(hub)
  await writeTeamMeta(tx, { rootKey: formatNoteKey(root), hubKey, endorsement: signStatement('hub', [hubKey], root) })
  await createOwnChain(tx, hub)
  await addPerson(tx, { name: admin, role: 'admin' })
  const adminToken = createSecret()
  await addToken(tx, { kind: 'person', secret: adminToken, livesMs: PERSON_MS, person: admin })
  const joinToken = createJoinToken(root)
  await addToken(tx, { kind: 'join', secret: parseJoinToken(joinToken)?.secret ?? '', livesMs: JOIN_MS, label: admin })
  await recordAct(tx, hub, { actor: nameActor(), kind: 'team_made', body: { admin, root: formatNoteKey(root), hub: hubKey } })
  return { adminToken, joinToken }
}

function describe(said: { admin: string; adminToken: string; joinToken: string; keyFile: string; rootFile: string }): string {
  return [
    `the team is made. ${said.admin} is its administrator.`,
    '',
    `  token of ${said.admin}   ${said.adminToken}   (shown once, 90 days)`,
    `  to join a machine   belay join URL ${said.joinToken}   (once, within a day)`,
    '',
    `  ${said.keyFile}: the hub's key; every process of this hub needs it`,
    `  ${said.rootFile}: the team's root; the hub does not need it, keep it elsewhere`,
    '',
    'next: belay-hub up',
    '',
  ].join('\n')
}
