// `belay-hub publisher`: whose policies machines take. Only the team's root can say so, and it need not be on the machine of the hub.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseNoteKey } from '@belay/core/ledger'
import { endorsePublisher } from '@belay/core/team'
import { recordAct } from '../act/record-act.ts'
import { addPublisher, listPublishers, revokePublisher } from '../bundle/publisher.ts'
import { readKeyFile } from '../chain/hub-key.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { readTeamMeta } from '../database/team-meta.ts'
import { formatTable } from './format-table.ts'
import { type HubIo, needConfig, withHub } from './open-hub.ts'

interface Options {
  readonly config?: string
  readonly json?: boolean
}

const DAY_MS = 86_400_000

interface EndorseOptions extends Options {
  readonly root?: string
  readonly days: number
}

/** Needs the root's key and no database. */
export async function runPublisherEndorse(person: string, key: string, options: EndorseOptions, io: HubIo): Promise<number> {
  if (options.root === undefined) throw new HubProblem("give the file of the team's root key: --root belay-root.key")
  io.out(endorse(person, key, { root: options.root, days: options.days }))
  return 0
}

export async function runPublisherAdd(
  person: string,
  key: string | undefined,
  options: EndorseOptions & { readonly endorsement?: string },
  io: HubIo,
): Promise<number> {
  const given = readEndorsement(person, key, options, io)
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    const team = await readTeamMeta(db)
    const root = team && parseNoteKey(team.rootKey)
    if (!root) throw new HubProblem('this database holds no team; run `belay-hub init`')
    const added = await db.transaction().execute(async tx => {
      const publisher = await addPublisher(tx, root, given)
      if (typeof publisher === 'string') throw new HubProblem(publisher)
      if (publisher.person !== person) throw new HubProblem(`this endorsement is of ${publisher.person}`)
      await recordAct(tx, signer, { actor, kind: 'publisher_added', body: publisher })
      return publisher
    })
    io.out(options.json ? `${JSON.stringify(added)}\n` : `${person} may publish with ${added.key}\n`)
    return 0
  })
}

function readEndorsement(
  person: string,
  key: string | undefined,
  options: EndorseOptions & { readonly endorsement?: string },
  io: HubIo,
): string {
  if (options.endorsement !== undefined) {
    if (!existsSync(options.endorsement)) throw new HubProblem(`${options.endorsement} does not exist`)
    return readFileSync(options.endorsement, 'utf8')
  }
  if (key === undefined) throw new HubProblem('give the public key that `belay policy key` printed, or --endorsement FILE')
  const root = options.root ?? join(dirname(needConfig(options.config, io).keyFile), 'belay-root.key')
  return endorse(person, key, { root, days: options.days })
}

function endorse(person: string, text: string, { root, days }: { root: string; days: number }): string {
  const key = parseNoteKey(text)
  if (!key) throw new HubProblem(`${JSON.stringify(text)} is no public key; \`belay policy key\` prints one`)
  if (!existsSync(root))
    throw new HubProblem(
      `the team's root key ${root} is not there; where it is, run \`belay-hub publisher endorse\`, and give its output here`,
    )
  return endorsePublisher({ person, key, until: new Date(Date.now() + days * DAY_MS).toISOString() }, readKeyFile(root))
}

export async function runPublisherList(options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db }) => {
    const publishers = await listPublishers(db)
    const rows = publishers.map(({ person, key, until, revokedAt }) => [
      person,
      key,
      until.toISOString(),
      revokedAt ? 'revoked' : until < new Date() ? 'over' : 'open',
    ])
    io.out(options.json ? `${JSON.stringify({ publishers })}\n` : formatTable(['person', 'key', 'until', 'state'], rows))
    return 0
  })
}

export async function runPublisherRevoke(key: string, options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    const revoked = await db.transaction().execute(async tx => {
      const found = await revokePublisher(tx, key)
      if (found.length > 0) await recordAct(tx, signer, { actor, kind: 'publisher_revoked', body: { keys: found } })
      return found
    })
    if (revoked.length === 0) throw new HubProblem(`no open key is called ${key}; \`belay-hub publisher list\` shows them`)
    io.out(
      options.json ? `${JSON.stringify({ revoked })}\n` : `${revoked.length} key is revoked: the hub takes nothing more that it signed\n`,
    )
    return 0
  })
}
