// `belay-hub token`: makes, lists and revokes tokens. A token is shown once; the database holds its hash.
import { parseNoteKey } from '@belay/core/ledger'
import { createJoinToken, parseJoinToken } from '@belay/core/team'
import { recordAct } from '../act/record-act.ts'
import { HubProblem } from '../database/hub-problem.ts'
import { readTeamMeta } from '../database/team-meta.ts'
import { addToken, createSecret, revokeTokens } from '../people/token.ts'
import { formatTable } from './format-table.ts'
import { type HubIo, type OpenHub, withHub } from './open-hub.ts'

interface Options {
  readonly config?: string
  readonly json?: boolean
}

const DAY_MS = 86_400_000

export async function runTokenJoin(options: Options & { readonly hours: number }, io: HubIo): Promise<number> {
  return withHub(options.config, io, async hub => {
    const team = await readTeamMeta(hub.db)
    const root = team && parseNoteKey(team.rootKey)
    if (!root) throw new HubProblem('this database holds no team; run `belay-hub init`')
    const token = createJoinToken(root)
    const secret = parseJoinToken(token)?.secret ?? ''
    const expires = await hub.db.transaction().execute(async tx => {
      await recordAct(tx, hub.signer, { actor: hub.actor, kind: 'join_token_made', body: { hours: options.hours } })
      return addToken(tx, { kind: 'join', secret, livesMs: options.hours * 3_600_000, label: hub.actor })
    })
    say({ token, expires, json: options.json, text: `belay join URL ${token}` }, io)
    return 0
  })
}

export async function runTokenPerson(name: string, options: Options & { readonly days: number }, io: HubIo): Promise<number> {
  return withHub(options.config, io, async hub => {
    const secret = createSecret()
    const expires = await addPersonToken(hub, { name, secret, days: options.days })
    say({ token: secret, expires, json: options.json, text: secret }, io)
    return 0
  })
}

async function addPersonToken(
  { db, signer, actor }: OpenHub,
  { name, secret, days }: { name: string; secret: string; days: number },
): Promise<Date> {
  return db.transaction().execute(async tx => {
    const person = await tx.selectFrom('person').select('name').where('name', '=', name).where('removed_at', 'is', null).executeTakeFirst()
    if (!person) throw new HubProblem(`there is nobody called ${name}; \`belay-hub people add ${name} --role viewer\` adds them`)
    await recordAct(tx, signer, { actor, kind: 'person_token_made', body: { person: name, days } })
    return addToken(tx, { kind: 'person', secret, livesMs: days * DAY_MS, person: name })
  })
}

export async function runTokenList(options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db }) => {
    const rows = await db.selectFrom('token').selectAll().where('kind', 'in', ['join', 'person']).orderBy('created_at').execute()
    const tokens = rows.map(({ hash, kind, person, expires_at, used_at, revoked_at }) => ({
      id: hash.toString('hex').slice(0, 12),
      kind,
      person,
      expiresAt: expires_at.toISOString(),
      state: revoked_at ? 'revoked' : used_at ? 'used' : expires_at < new Date() ? 'over' : 'open',
    }))
    if (options.json) io.out(`${JSON.stringify({ tokens })}\n`)
    else
      io.out(
        formatTable(
          ['id', 'kind', 'of', 'until', 'state'],
          tokens.map(token => [token.id, token.kind, token.person ?? '', token.expiresAt, token.state]),
        ),
      )
    return 0
  })
}

export async function runTokenRevoke(id: string, options: Options, io: HubIo): Promise<number> {
  return withHub(options.config, io, async ({ db, signer, actor }) => {
    if (!/^[0-9a-f]{6,64}$/.test(id)) throw new HubProblem(`${JSON.stringify(id)} is no id of a token; \`belay-hub token list\` shows them`)
    const count = await db.transaction().execute(async tx => {
      const found = await revokeTokens(tx, id)
      if (found === 1) await recordAct(tx, signer, { actor, kind: 'token_revoked', body: { id } })
      return found
    })
    if (count !== 1)
      throw new HubProblem(count === 0 ? `no open token begins with ${id}` : `${count} tokens begin with ${id}; give more of it`)
    io.out(options.json ? `${JSON.stringify({ id })}\n` : `token ${id} is revoked\n`)
    return 0
  })
}

function say({ token, expires, json, text }: { token: string; expires: Date; json: boolean | undefined; text: string }, io: HubIo): void {
  const until = expires.toISOString()
  io.out(json ? `${JSON.stringify({ token, expiresAt: until })}\n` : `${text}\n(shown once, good until ${until})\n`)
}
