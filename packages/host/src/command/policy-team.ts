// belay policy key | publish | rollback | pull | pin | status: the policy of the team, as publishers make it and as it holds on this machine.
import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { formatNoteKey } from '@belay/core/ledger'
import { BUNDLE_FILE_NAME, type BundleManifest, parseBundle, STALE_MODES, type StaleMode } from '@belay/core/team'
import { findHome } from '../config/home.ts'
import { findProject, findProjectPolicy } from '../config/project.ts'
import { readFetchedAt, readTeamPolicy, writeTeamPolicy } from '../config/team-policy.ts'
import { replaceFile } from '../disk/write-file.ts'
import { createHubSession } from '../team/hub-session.ts'
import { type Membership, readMembership } from '../team/membership.ts'
import { createPolicyKeeper } from '../team/policy-keeper.ts'
import { fetchBundle, makeNext, type NewPolicy, type Publishing, sendBundle } from '../team/publish-policy.ts'
import { findPublisherKey, makePublisherKey, publisherKeyFile } from '../team/publisher-key.ts'
import { readPolicies } from '../team/run-listener.ts'
import { chooseAgain, parseHeld } from '../team/take-bundles.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { NO_TEAM, NO_TOKEN, readHubToken, type TokenOption } from './hub-token.ts'
import { readNamedPolicy } from './policies.ts'
import { readLabels } from './team-label.ts'

interface Json {
  readonly json?: boolean
}

export interface PublishOptions extends Json, TokenOption {
  readonly observe?: boolean
  readonly percentage: number
  readonly label?: readonly string[]
  readonly notBefore?: string
  readonly expires?: string
  readonly halt?: number
  readonly haltCalls: number
  readonly maxStale?: string
  readonly note?: string
  /** Write the bundle there, and publish nothing. */
  readonly out?: string
  /** Publish what was written there. */
  readonly from?: string
}

export function runPolicyKey(options: Json, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const key = formatNoteKey(makePublisherKey(home))
  if (options.json) printJson(io, { key, file: publisherKeyFile(home) })
  else {
    printLine(io.stdout, key)
    printLine(io.stderr, `an administrator lets you publish with: belay-hub publisher add YOUR-NAME ${key}`)
  }
  return 0
}

export async function runPolicyPublish(given: readonly string[], options: PublishOptions, io: CommandIo): Promise<ExitCode> {
  if (options.from !== undefined) return publishFile(resolve(io.cwd, options.from), options, io)
  const publishing = findPublishing(options, io)
  if (typeof publishing === 'string') return fail(io, publishing)
  const policy = readOptions(options)
  if (typeof policy === 'string') return fail(io, policy)
  const files = readFiles(given, io)
  if (files === null) return 2
  return publish(publishing, { policy, files, options }, io)
}

/** Whoever took it from the file has the same as everybody else then. */
async function publishFile(file: string, options: Json & TokenOption, io: CommandIo): Promise<ExitCode> {
  const membership = readMembership(findHome(io.env))
  if (!membership) return fail(io, NO_TEAM)
  const token = readHubToken(options, io)
  if (token === undefined) return fail(io, NO_TOKEN)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const bundle = parseBundle(text)
  if (typeof bundle === 'string') return fail(io, `${file} holds no bundle: ${text === '' ? 'it does not exist, or is empty' : bundle}`)
  const refused = await sendBundle({ membership, token }, text)
  if (refused !== undefined) return fail(io, refused)
  const { version, mode, percentage, selector } = bundle.manifest
  if (options.json) printJson(io, { version, mode, percentage, selector, from: file })
  else printLine(io.stdout, `policy ${version} is published: ${mode} on ${describeReach({ percentage, selector })}`)
  return 0
}

export async function runPolicyRollback(version: number, options: Json & TokenOption, io: CommandIo): Promise<ExitCode> {
  const publishing = findPublishing(options, io)
  if (typeof publishing === 'string') return fail(io, publishing)
  const found = await fetchBundle(publishing.membership, publishing.token, version)
  if (found === null || typeof found === 'string') return fail(io, found ?? `there is no bundle ${version}`)
  const { selector, maxStale } = found.bundle.manifest
  const policy: NewPolicy = {
    selector,
    maxStale,
    mode: 'enforce',
    notBefore: null,
    expires: null,
    percentage: 100,
    halt: null,
    note: `back to ${version}`,
  }
  return publish(publishing, { policy, files: Object.fromEntries(found.bundle.files), options }, io)
}

interface ToPublish {
  readonly policy: NewPolicy
  readonly files: Readonly<Record<string, string>>
  readonly options: Json & { readonly out?: string }
}

async function publish(publishing: Publishing, { policy, files, options }: ToPublish, io: CommandIo): Promise<ExitCode> {
  const made = await makeNext(publishing, policy, files)
  if (typeof made === 'string') return fail(io, made)
  if (options.out !== undefined) replaceFile(resolve(io.cwd, options.out), made.text)
  const refused = options.out === undefined ? await sendBundle(publishing, made.text) : undefined
  if (refused !== undefined) return fail(io, refused)
  const where = options.out === undefined ? 'published' : `written to ${options.out}`
  const { mode, percentage, selector } = policy
  if (options.json) printJson(io, { version: made.version, files: Object.keys(files), ...policy, ...(options.out && { out: options.out }) })
  else printLine(io.stdout, `policy ${made.version} is ${where}: ${mode} on ${describeReach({ percentage, selector })}`)
  return 0
}

function findPublishing(options: TokenOption, io: CommandIo): Publishing | string {
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) return NO_TEAM
  const signer = findPublisherKey(home)
  if (!signer) return 'there is no key to publish with; `belay policy key` makes one'
  const token = readHubToken(options, io)
  return token === undefined ? NO_TOKEN : { membership, signer, token }
}

/** null: said what is wrong. */
function readFiles(given: readonly string[], io: CommandIo): Readonly<Record<string, string>> | null {
  const own = findProjectPolicy(findProject(io.cwd, findHome(io.env)).root)
  const paths = given.length > 0 ? given : own === null ? [] : [own]
  if (paths.length === 0) {
    fail(io, 'there is no policy in this project; name the files to publish')
    return null
  }
  const files: Record<string, string> = {}
  for (const path of paths) {
    const name = basename(path)
    const read = readNamedPolicy(io, path)
    if (read.kind === 'invalid') printDiagnostics(io, read.errors)
    const why = read.kind === 'unreadable' ? read.why : read.kind === 'invalid' ? 'is not a valid policy, and is not published' : undefined
    const bad = why ?? (BUNDLE_FILE_NAME.test(name) ? undefined : 'a name is letters, digits and . _ -')
    if (bad !== undefined || Object.hasOwn(files, name)) {
      fail(io, `${path}: ${bad ?? 'another file has the same name'}`)
      return null
    }
    files[name] = readFileSync(resolve(io.cwd, path), 'utf8')
  }
  return files
}

function readOptions(options: PublishOptions): NewPolicy | string {
  const selector = readLabels(options.label ?? [])
  if (typeof selector === 'string') return selector
  if (options.percentage > 100) return '--percentage is from 0 to 100'
  const [notBefore, expires] = [readTime(options.notBefore), readTime(options.expires)]
  if (notBefore === undefined) return '--not-before is a time as 2026-01-31 or 2026-01-31T18:00Z, or an age from now as 2h or 7d'
  if (expires === undefined) return '--expires is a time as 2026-01-31 or 2026-01-31T18:00Z, or an age from now as 2h or 7d'
  if (expires !== null && Date.parse(expires) <= Date.now()) return '--expires is in the past'
  const maxStale = readStale(options.maxStale)
  if (typeof maxStale === 'string') return maxStale
  const halt = options.halt === undefined ? null : { newDeniesPer1000: options.halt, minCalls: options.haltCalls }
  if (halt !== null && options.percentage === 100 && options.observe !== true)
    return '--halt goes with --percentage below 100: what is everywhere cannot be halted'
  const { percentage, note = '' } = options
  return { selector, percentage, notBefore, expires, halt, maxStale, mode: options.observe === true ? 'observe' : 'enforce', note }
}

/** undefined: it is none. */
function readTime(text: string | undefined): string | null | undefined {
  if (text === undefined) return null
  const [, number, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
  if (number !== undefined) {
    const ms = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd']
    return new Date(Date.now() + Number(number) * ms).toISOString()
  }
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

function readStale(text: string | undefined): BundleManifest['maxStale'] | string {
  if (text === undefined) return null
  const [, hours, mode] = /^(\d{1,5})h=(\S+)$/.exec(text) ?? []
  if (hours === undefined || Number(hours) === 0 || !(STALE_MODES as readonly (string | undefined)[]).includes(mode))
    return `--max-stale is HOURS and what then, as 24h=ask-new; there are ${STALE_MODES.join(', ')}`
  return { hours: Number(hours), mode: mode as StaleMode }
}

export async function runPolicyPull(options: Json & { readonly from?: string }, io: CommandIo): Promise<ExitCode> {
  const home = findHome(io.env)
  const membership = readMembership(home)
  if (!membership) return fail(io, NO_TEAM)
  const keeper = createPolicyKeeper({ home, membership, now: Date.now, record: () => undefined })
  const found = options.from === undefined ? await askHub(home, membership, keeper.state()) : readFrom(resolve(io.cwd, options.from))
  if (typeof found === 'string') return fail(io, found)
  keeper.take(found)
  const status = runPolicyStatus(options, io)
  return keeper.state().refused === null ? status : 1
}

async function askHub(home: string, membership: Membership, state: ReturnType<ReturnType<typeof createPolicyKeeper>['state']>) {
  const ask = createHubSession(home, membership, AbortSignal.timeout(30_000))
  const question = { seen: state.seen?.version ?? 0, halted: state.halted.map(({ version }) => version), waitMs: 0 }
  const answer = await ask('POST /v1/wait', question).catch(error => `the hub at ${membership.url} does not answer: ${String(error)}`)
  if (typeof answer === 'string') return answer
  return answer.status === 200 ? readPolicies(answer.body) : `the hub answered ${answer.status}`
}

function readFrom(file: string) {
  return existsSync(file) ? { bundles: [readFileSync(file, 'utf8')], halted: [], isFile: true } : `${file} does not exist`
}

export function runPolicyPin(version: number | undefined, options: Json & { readonly off?: boolean }, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const held = readTeamPolicy(home, Date.now())
  if (held.kind !== 'held') return fail(io, held.kind === 'none' ? NO_TEAM : held.problem.message)
  const current = held.inForce?.version
  const pinned = options.off === true ? null : (version ?? current)
  if (pinned === undefined) return fail(io, 'no policy of the team is in force here, so there is nothing to pin')
  if (pinned !== null && current !== undefined && pinned < current)
    return fail(
      io,
      `policy ${current} is in force, and a lower version is not gone back to; a publisher can: belay policy rollback ${pinned}`,
    )
  if (pinned !== null && !parseHeld(held.state).some(({ manifest }) => manifest.version === pinned))
    return fail(io, `policy ${pinned} is not on this machine; \`belay policy status\` shows what is`)
  writeTeamPolicy(home, chooseAgain({ ...held.state, pinned }, { home, now: Date.now() }))
  if (options.json) printJson(io, { pinned })
  else
    printLine(
      io.stdout,
      pinned === null ? 'what the team publishes holds again' : `policy ${pinned} holds here until: belay policy pin --off`,
    )
  return 0
}

export function runPolicyStatus(options: Json, io: CommandIo): ExitCode {
  const home = findHome(io.env)
  const held = readTeamPolicy(home, Date.now())
  if (held.kind === 'none') {
    if (options.json) printJson(io, { team: null })
    else printLine(io.stdout, NO_TEAM)
    return 0
  }
  if (held.kind === 'broken') return fail(io, `${held.problem.message}; until then calls are denied`)
  const { state, inForce, compared } = held
  const fetchedAt = readFetchedAt(home)
  const said = {
    inForce: inForce?.version ?? null,
    hash: inForce?.hash ?? null,
    since: state.since,
    isExpired: inForce?.isExpired ?? false,
    stale: inForce?.stale ?? null,
    compared: compared?.version ?? null,
    seen: state.seen?.version ?? 0,
    fetchedAt: fetchedAt === null ? null : new Date(fetchedAt).toISOString(),
    pinned: state.pinned,
    refused: state.refused,
    halted: state.halted,
    held: parseHeld(state).map(({ manifest }) => ({ version: manifest.version, mode: manifest.mode, percentage: manifest.percentage })),
    files: inForce?.policies.map(({ file }) => file) ?? [],
  }
  if (options.json) printJson(io, said)
  else printStatus(said, io)
  return said.isExpired || said.stale !== null || state.refused !== null ? 1 : 0
}

interface Said {
  readonly inForce: number | null
  readonly since: string | null
  readonly isExpired: boolean
  readonly stale: StaleMode | null
  readonly compared: number | null
  readonly seen: number
  readonly fetchedAt: string | null
  readonly pinned: number | null
  readonly refused: { readonly at: string; readonly why: string } | null
  readonly halted: readonly { readonly version: number; readonly why: string }[]
  readonly files: readonly string[]
}

function printStatus(said: Said, { stdout }: CommandIo): void {
  const { inForce, since, seen, compared, pinned, refused, halted, files, fetchedAt } = said
  printLine(
    stdout,
    inForce === null
      ? 'no policy of the team is in force here: only the files of this machine are'
      : `policy ${inForce} of the team is in force${since === null ? '' : ` since ${since}`}; files of this machine can only tighten it`,
  )
  for (const file of files) printLine(stdout, `  ${file}`)
  printLine(stdout, `the last that was seen is ${seen === 0 ? 'none' : seen}; the hub last answered ${fetchedAt ?? 'never'}`)
  if (compared !== null)
    printLine(stdout, `compared with policy ${compared}: how they differ is recorded (belay ledger query --kind policy_difference)`)
  if (pinned !== null) printLine(stdout, `PINNED to ${pinned} by a person (belay policy pin --off)`)
  if (said.isExpired) printLine(stdout, 'EXPIRED: its time is over, and there is no other; it stays in force until one is published')
  if (said.stale !== null) printLine(stdout, `STALE: the hub was not heard of for too long, so the policy says: ${said.stale}`)
  if (refused !== null) printLine(stdout, `REFUSED ${refused.at}: ${refused.why}`)
  for (const { version, why } of halted) printLine(stdout, `HALTED policy ${version}: ${why}`)
}

function describeReach({ percentage, selector }: { percentage: number; selector: Readonly<Record<string, string>> }): string {
  const labels = Object.entries(selector).map(([name, value]) => `${name}=${value}`)
  const which = labels.length === 0 ? 'machines' : `machines with ${labels.join(', ')}`
  return percentage === 100 ? `all ${which}` : `${percentage} % of the ${which}`
}
