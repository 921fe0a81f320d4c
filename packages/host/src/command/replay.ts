// `belay replay --policy FILE`: what this policy would have decided on what really happened.
import { accessSync, constants, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseNoteKey } from '@belay/core/ledger'
import { type Diagnostic, JUDGE_VERSION, parseGenesis } from '@belay/core/policy'
import { parseBundle, readBundle } from '@belay/core/team'
import type { PolicyOwner } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome, homePaths } from '../config/home.ts'
import { findProject } from '../config/project.ts'

import { findRange } from '../ledger/find-time.ts'
import { replayLedger } from '../policy/replay/replay-ledger.ts'
import type { ReplayRequest } from '../policy/replay/replay-range.ts'
import { countChanged, type ReplayHead, replayHtml, replayLines, WHY_UNJUDGED } from '../policy/replay/replay-report.ts'
import type { ReplayTally } from '../policy/replay/replay-tally.ts'
import { readMembership } from '../team/membership.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { parseFilter } from './ledger/filter-options.ts'
import { withStore } from './ledger/ledger-command.ts'
import { guardPlace } from './policies.ts'

export interface ReplayCommandOptions {
  /** One of these two. */
  readonly policy?: string
  readonly bundle?: string
  readonly since?: string
  readonly until?: string
  readonly session?: string
  readonly actor?: string
  readonly allProjects?: boolean
  readonly failOn?: readonly string[]
  readonly html?: string
  readonly json?: boolean
}

const CHANGE = /^(allow|ask|deny|none|\*)->(allow|ask|deny|none|\*)$/

export async function runReplay(options: ReplayCommandOptions, io: CommandIo): Promise<ExitCode> {
  const failOn = options.failOn?.flatMap(each => each.split(',')) ?? ['*->*']
  const odd = failOn.find(each => !CHANGE.test(each))
  if (odd !== undefined) return fail(io, `--fail-on ${odd}: write a change such as allow->deny; * stands for any verdict`)
  const times = parseFilter({ ...pick(options, 'since'), ...pick(options, 'until') }, Date.now())
  if (times.kind === 'bad') return fail(io, times.message)
  const draft = readGiven(options, io)
  if (draft === null) return 2
  const unwritable = options.html === undefined ? null : whyUnwritable(resolve(io.cwd, options.html))
  if (unwritable !== null) return fail(io, `--html ${options.html}: ${unwritable}`)
  const { root } = findProject(io.cwd, findHome(io.env))
  const project = options.allProjects === true || draft.owner !== 'project' ? null : root
  const filter = { project, actor: options.actor ?? null, session: options.session ?? null }
  const request: ReplayRequest = { place: { ...guardPlace(io), env: textEnv(io) }, draft, filter }
  return withStore(io, async store => {
    const range = await findRange(store, times.filter)
    const tally = await replayLedger({ store, request, range, onProgress: progress(io) })
    if (io.isTty) io.stderr.write('\r\u001b[K')
    const { since = null, until = null } = times.filter
    const head = { policy: options.policy ?? options.bundle ?? '', ...filter, since, until }
    report(io, options, { tally, head })
    return Object.keys(tally.changed).some(change => failOn.some(each => isMeant(each, change))) ? 1 : 0
  })
}

/** Before the work is done, not after it. null: the file can be written. */
function whyUnwritable(file: string): string | null {
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch {
    return `${dirname(file)} is not a directory in which a file can be written`
  }
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true ? 'is a directory, expected a file' : null
}

function pick<K extends 'since' | 'until'>(options: ReplayCommandOptions, name: K): { readonly [N in K]?: string } {
  const text = options[name]
  return text === undefined ? {} : ({ [name]: text } as { readonly [N in K]?: string })
}

function readGiven({ policy, bundle }: ReplayCommandOptions, io: CommandIo): ReplayRequest['draft'] | null {
  if ((policy === undefined) === (bundle === undefined)) {
    const what = policy === undefined ? 'what is to be tried?' : '--policy and --bundle: only one of them can be tried at a time'
    fail(io, what, 'name a policy (--policy FILE) or a bundle of the team (--bundle FILE)')
    return null
  }
  return policy === undefined ? readDraftBundle(bundle ?? '', io) : readDraft(policy, io)
}

/** The policies of a team, in the place of those that it has now. On a machine of the team the signatures must be its own. */
function readDraftBundle(file: string, io: CommandIo): ReplayRequest['draft'] | null {
  const refuse = (why: string): null => {
    fail(io, `${file}: ${why}`)
    return null
  }
  const read = readPolicyText(resolve(io.cwd, file))
  if (read.kind !== 'text') return refuse(read.kind === 'missing' ? 'there is no such file' : read.problem.message)
  const parsed = parseBundle(read.text)
  if (typeof parsed === 'string') return refuse(parsed)
  const membership = readMembership(findHome(io.env))
  if (membership === undefined) printLine(io.stderr, `note: this machine has joined no team, so nobody can say who signed ${file}`)
  else {
    const why = refuseSigner(read.text, membership.rootKey)
    if (why !== null) return refuse(why)
  }
  const files = [...parsed.files].map(([name, text]) => ({ file: name, text }))
  const broken = files.flatMap(each => errorsOf(each.text, each.file))
  if (broken.length === 0) return { owner: 'team', files }
  printDiagnostics(io, broken)
  return refuse('a policy in it is not valid, so there is nothing to try')
}

/** null: a publisher of this team signed it. */
function refuseSigner(bundle: string, rootKey: string): string | null {
  const root = parseNoteKey(rootKey)
  if (root === undefined)
    return "this machine's key of the team cannot be read, so nobody can say who signed it; run `belay join URL TOKEN` again"
  const checked = readBundle(bundle, { root, now: null })
  return checked.ok ? null : checked.why
}

function errorsOf(text: string, file: string): readonly Diagnostic[] {
  const parsed = parseGenesis(text, file, genesisChecks)
  return parsed.ok ? [] : parsed.errors
}

/** It stands in for the file of the user or the system where it is that one, else for the policy of the project. */
function readDraft(file: string, io: CommandIo): ReplayRequest['draft'] | null {
  const path = resolve(io.cwd, file)
  const read = readPolicyText(path)
  if (read.kind !== 'text') {
    fail(io, `${file}: ${read.kind === 'missing' ? 'there is no such file' : read.problem.message}`)
    return null
  }
  const parsed = parseGenesis(read.text, file, genesisChecks)
  if (!parsed.ok) {
    printDiagnostics(io, parsed.errors)
    fail(io, `${file} is not a valid policy, so there is nothing to try`)
    return null
  }
  // A slip in a name looks like a rule that changes nothing.
  printDiagnostics(io, parsed.warnings)
  const isUser = path === homePaths(findHome(io.env)).policy
  const owner: PolicyOwner = isUser ? 'user' : path === join(io.etc, 'genesis.key') ? 'system' : 'project'
  return { owner, files: [{ file, text: read.text }] }
}

/** What can be sent to a thread. */
function textEnv(io: CommandIo): Readonly<Record<string, string | undefined>> {
  return { ...io.env }
}

function progress(io: CommandIo): (done: number, all: number) => void {
  return (done, all) => {
    if (io.isTty) io.stderr.write(`\r${Math.floor((done / all) * 100)} % of ${all} entries `)
  }
}

/** `*->deny` means every change into deny. */
function isMeant(wanted: string, change: string): boolean {
  const [from, to] = wanted.split('->')
  const [before, after] = change.split('->')
  return (from === '*' || from === before) && (to === '*' || to === after)
}

function report(
  io: CommandIo,
  options: ReplayCommandOptions,
  { tally, head }: { readonly tally: ReplayTally; readonly head: ReplayHead },
): void {
  if (options.html !== undefined) writeFileSync(resolve(io.cwd, options.html), replayHtml(tally, head))
  if (options.json === true) {
    const unjudged = Object.entries(tally.unjudged).map(([why, count]) => ({
      why,
      count,
      text: WHY_UNJUDGED[why as keyof typeof WHY_UNJUDGED],
    }))
    printJson(io, { ...head, judge: JUDGE_VERSION, ...tally, changedCalls: countChanged(tally), unjudged })
    return
  }
  for (const line of replayLines(tally, head)) printLine(io.stdout, line)
  if (tally.judged === 0 && head.project !== null) {
    const isNarrowed = [options.since, options.until, options.session, options.actor].some(each => each !== undefined)
    const none = isNarrowed
      ? `no recorded call of ${head.project} is of that time, session and actor`
      : `no call of ${head.project} is recorded`
    printLine(io.stderr, `note: ${none}; --all-projects takes those of every project`)
  }
}
