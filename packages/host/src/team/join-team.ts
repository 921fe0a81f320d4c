// Joins a team: the token says by whose key the team is known, the ledger's key endorses the login key, and the team's keys are pinned.
import { hostname } from 'node:os'
import { formatNoteKey, type NoteSigner, parseNoteKey } from '@belay/core/ledger'
import { fingerprintKey, parseJoinToken, readEndorsedKey, signStatement } from '@belay/core/team'
import { errorText, isObject } from '@belay/core/value'
import { FIRST_TEAM_STATE, writeTeamPolicy } from '../config/team-policy.ts'
import { setCosignedAside } from './cosigned-note.ts'
import { callHub, type HubPlace, refuseUrl, sayRefused } from './hub-client.ts'
import { createLoginKey, type Membership, readMembership, type Upload, writeMembership } from './membership.ts'

export interface JoinOptions {
  readonly home: string
  readonly url: string
  readonly token: string
  /** As the team sees it; absent: as the host is called. */
  readonly name?: string
  readonly labels: Readonly<Record<string, string>>
  readonly upload: Upload
  readonly erase: readonly string[]
  readonly kibPerSecond: number
  readonly approvals?: boolean
  readonly handOvers?: boolean
  readonly ca?: string
  /** Of this machine's ledger. */
  readonly ledger: { readonly origin: string; readonly signer: NoteSigner }
}

export type JoinedTeam = { readonly ok: true; readonly membership: Membership } | { readonly ok: false; readonly why: string }

export async function joinTeam(options: JoinOptions): Promise<JoinedTeam> {
  const { home, url, labels, upload, erase, kibPerSecond, ledger } = options
  const token = parseJoinToken(options.token)
  if (!token) return refused('this is not a token to join with; `belay-hub token join` makes one')
  const unsafe = refuseUrl(url)
  if (unsafe !== undefined) return refused(unsafe)
  const known = readMembership(home)
  if (known) return refused(`this machine is of a team already (${known.url}); \`belay leave\` ends that`)
  const hub = { url, ...(options.ca !== undefined && { ca: options.ca }) }
  const team = await askTeam(hub, token.rootFingerprint)
  if (typeof team === 'string') return refused(team)
  const key = createLoginKey(home)
  const loginKey = formatNoteKey(key)
  const endorsement = signStatement('machine', [ledger.origin, loginKey], ledger.signer)
  const name = options.name ?? hostname()
  const names = {
    secret: token.secret,
    name,
    labels,
    loginKey,
    ledgerKey: formatNoteKey(ledger.signer),
    origin: ledger.origin,
    endorsement,
  }
  const answer = await callHub({ hub, request: 'POST /v1/join', body: names }).catch(error => errorText(error))
  if (typeof answer === 'string') return refused(`the hub at ${url} does not answer: ${answer}`)
  const { machine } = answer.body
  if (answer.status !== 200 || typeof machine !== 'string') return refused(sayRefused(answer))
  const joinedAt = new Date().toISOString()
  const membership = {
    ...hub,
    machine,
    name,
    labels,
    upload,
    erase,
    kibPerSecond,
    approvals: options.approvals ?? true,
    handOvers: options.handOvers ?? true,
    ...team,
    keyName: key.name,
    joinedAt,
  }
  writeTeamPolicy(home, { ...FIRST_TEAM_STATE, machine, labels })
  setCosignedAside(home)
  writeMembership(home, membership)
  return { ok: true, membership }
}

/** Before anything is told: is this the team that the token speaks of. Text: no. */
async function askTeam(place: HubPlace, fingerprint: string): Promise<{ readonly rootKey: string; readonly hubKey: string } | string> {
  const answer = await callHub({ hub: place, request: 'GET /v1/team' }).catch(error => errorText(error))
  if (typeof answer === 'string') return `the hub at ${place.url} does not answer: ${answer}`
  const { rootKey, hubKey, endorsement } = isObject(answer.body) ? answer.body : {}
  const root = typeof rootKey === 'string' ? parseNoteKey(rootKey) : undefined
  if (!root || fingerprintKey(root) !== fingerprint) return `the hub at ${place.url} is of another team than this token`
  const hub = typeof endorsement === 'string' ? readEndorsedKey(endorsement, 'hub', root) : undefined
  if (!hub || formatNoteKey(hub) !== hubKey) return `the hub at ${place.url} has a key that its team has not endorsed`
  return { rootKey: formatNoteKey(root), hubKey: formatNoteKey(hub) }
}

function refused(why: string): JoinedTeam {
  return { ok: false, why }
}
