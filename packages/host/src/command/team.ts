// belay join | leave | team status: this machine and the hub of its team.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorText } from '@belay/core/value'
import { findHome } from '../config/home.ts'
import { findMachineSigner } from '../ledger/machine-signer.ts'
import { eraseProblem } from '../team/erase-fields.ts'
import { callHub, logIn, sayRefused } from '../team/hub-client.ts'
import { joinTeam } from '../team/join-team.ts'
import { forgetMembership, isUpload, type Membership, readLoginKey, readMembership, UPLOADS } from '../team/membership.ts'
import { readUploadState, type UploadState } from '../team/upload-state.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { readLabels } from './team-label.ts'

export interface JoinCommandOptions {
  readonly name?: string
  readonly label?: readonly string[]
  readonly upload: string
  readonly erase?: readonly string[]
  readonly rate: number
  readonly approvals: boolean
  readonly handOvers: boolean
  readonly ca?: string
  readonly json?: boolean
}

export async function runJoin(url: string, token: string, options: JoinCommandOptions, io: CommandIo): Promise<ExitCode> {
  const { upload, label = [], erase = [] } = options
  if (!isUpload(upload)) return fail(io, `--upload is one of ${UPLOADS.join(', ')}, this one is ${JSON.stringify(upload)}`)
  if (options.name !== undefined && !/^[\w.-]{1,64}$/.test(options.name))
    return fail(io, '--name is at most 64 letters, digits, dots, dashes and underscores')
  const labels = readLabels(label)
  if (typeof labels === 'string') return fail(io, labels)
  const bad = eraseProblem(erase, upload)
  if (bad !== undefined) return fail(io, bad)
  const ca = options.ca === undefined ? undefined : readCertificates(options.ca)
  if (ca instanceof Error) return fail(io, ca.message)
  const home = findHome(io.env)
  const ledger = await findMachineSigner(home)
  if (typeof ledger === 'string') return fail(io, ledger, 'start the daemon once: belay up --detach')
  const joined = await joinTeam({
    home,
    url,
    token,
    ...(options.name !== undefined && { name: options.name }),
    labels,
    upload,
    erase,
    kibPerSecond: options.rate,
    approvals: options.approvals,
    handOvers: options.handOvers,
    ...(ca !== undefined && { ca }),
    ledger,
  })
  if (!joined.ok) return fail(io, joined.why)
  const { machine, name } = joined.membership
  if (options.json) printJson(io, { machine, name, url, upload, labels })
  else printLine(io.stdout, `${name} has joined as ${machine}; the daemon sends ${describeUpload(joined.membership)} to ${url}`)
  return 0
}

/** Text in PEM, one or more. */
function readCertificates(file: string): string | Error {
  try {
    const text = readFileSync(file, 'utf8')
    // Throws where the first is none.
    return new X509Certificate(text) && text
  } catch (error) {
    return new Error(`--ca is a file with certificates in PEM; ${file}: ${errorText(error)}`)
  }
}

export async function runLeave(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) {
    if (options.json) printJson(io, { left: null })
    else printLine(io.stdout, 'this machine has joined no team')
    return 0
  }
  const untold = await tellHub(home, membership)
  forgetMembership(home)
  if (options.json) printJson(io, { left: membership.url, untold: untold ?? null })
  else printLine(io.stdout, `this machine has left ${membership.url}; its ledger stays as it is`)
  if (untold !== undefined)
    printLine(
      io.stderr,
      `belay: the hub was not told (${untold}); an administrator ends it there: belay-hub machines revoke ${membership.machine}`,
    )
  return 0
}

/** Text: why the hub does not know. */
async function tellHub(home: string, membership: Membership): Promise<string | undefined> {
  try {
    const login = await logIn(membership, membership.machine, readLoginKey(home, membership))
    if (typeof login === 'string') return login
    const answer = await callHub({ hub: membership, request: 'POST /v1/leave', body: {}, token: login.token })
    return answer.status === 200 ? undefined : sayRefused(answer)
  } catch (error) {
    return errorText(error)
  }
}

export async function runTeamStatus(options: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) {
    if (options.json) printJson(io, { team: null })
    else printLine(io.stdout, 'this machine has joined no team; `belay join URL TOKEN` changes that')
    return 0
  }
  const { url, machine, name, labels, upload, erase, joinedAt } = membership
  const state = readUploadState(home) ?? null
  if (options.json) {
    printJson(io, {
      team: { url, machine, name, labels, upload, erase, joinedAt, cosignedNote: join(home, 'team', 'cosigned.note') },
      state,
    })
    return exitOf(state)
  }
  printLine(io.stdout, `${name} is ${machine} at ${url}, and sends ${describeUpload(membership)}`)
  if (state === null) printLine(io.stdout, 'nothing was sent yet; the daemon does that while it is up')
  else {
    printLine(
      io.stdout,
      `${state.acknowledged} of ${state.head} entries are with the hub, ${state.cosigned} cosigned; ${state.unseenTotal} unseen`,
    )
    printLine(
      io.stdout,
      state.error === null ? `last heard ${state.lastOkAt}` : `last heard ${state.lastOkAt ?? 'never'}; now: ${state.error}`,
    )
    if (state.isFork)
      printLine(io.stdout, 'the hub says that this ledger is not the one it was; nothing more is taken until you leave and join again')
    if (state.doubt) printLine(io.stdout, `about the hub, at ${state.doubt.at}: ${state.doubt.why}`)
  }
  return exitOf(state)
}

/** Something is to be looked at by a person. */
function exitOf(state: UploadState | null): ExitCode {
  return state !== null && (state.isFork || state.doubt !== null) ? 1 : 0
}

function describeUpload({ upload, erase }: Membership): string {
  if (upload === 'none') return 'no entries'
  if (upload === 'index') return 'the heads of entries'
  return erase.length === 0 ? 'whole entries' : `entries without ${erase.join(', ')}`
}
