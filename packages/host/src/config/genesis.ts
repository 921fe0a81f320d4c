// The policies in force for a directory: team, system, user, project, in that order.
// Invariants: a broken file never counts as "no policy": its last good version stays in force, and where there never was one gating
// events are denied; a project's file that nobody has trusted can only tighten, and so can every file where a team has a policy; what was trusted
// holds until a person accepts something else.

import { join } from 'node:path'
import { type Diagnostic, type GenesisChecks, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { keepGood, readGood } from './genesis-good.ts'
import { type PolicyText, readPolicyText } from './genesis-text.ts'
import { homePaths } from './home.ts'
import type { PolicyChange } from './policy-change.ts'
import { findProject, findProjectPolicy, projectPolicyPlaces } from './project.ts'
import { readTeamPolicy, type TeamPolicyRead } from './team-policy.ts'
import { addTrust, hashOf, readTrust, type TrustRecord, type TrustStore, trustedVersion } from './trust.ts'

export type PolicyOwner = 'team' | 'system' | 'user' | 'project'

export interface PolicyFile {
  readonly path: string
  readonly owner: PolicyOwner
  /** In force from this file; null: it is broken and never was good. */
  readonly policy: GenesisPolicy | null
  /** What the file says now, where that is not what holds: it can only tighten. */
  readonly unaccepted: GenesisPolicy | null
  /** The file is not what a person accepted; `policy` is then the version that was. */
  readonly change: PolicyChange | null
  /** The file is broken; `policy` is then the last good version. */
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
}

/** Why everything is denied. */
export interface Lock extends Diagnostic {
  /** Nothing is broken: the hub was not heard of. */
  readonly isStale?: true
}

export interface LoadedPolicies {
  readonly root: string
  readonly files: readonly PolicyFile[]
  /** What holds, in order. */
  readonly policies: readonly GenesisPolicy[]
  /** Set where a file is broken and never was good: why gating events are denied. */
  readonly locked: Lock | null
  readonly trustProblem: string | null
  /** The bundle of the team that holds here; absent: none does. */
  readonly team?: { readonly version: number; readonly hash: string }
  /** What would hold with another bundle of the team: how its verdicts differ is recorded. */
  readonly compared?: ComparedPolicies
}

export interface ComparedPolicies {
  readonly version: number
  readonly policies: readonly GenesisPolicy[]
  /** It is newer than what holds, which it is to replace; else it held before. */
  readonly isNewer: boolean
}

export interface LoadOptions {
  readonly cwd: string
  /** The project, where it is not the one that `cwd` belongs to. */
  readonly root?: string
  readonly home: string
  /** The directory of the system's policy. */
  readonly etc: string
  readonly checks?: GenesisChecks
  /** Keep good versions for the day the file breaks, and the user's own files for the day they are gone. Only those who enforce do. */
  readonly remember?: boolean
}

export function loadPolicies(options: LoadOptions): LoadedPolicies {
  const paths = homePaths(options.home)
  const trust = readTrust(paths.trust)
  const root = options.root ?? findProject(options.cwd, options.home).root
  const here = findProjectPolicy(root)
  const places: readonly (readonly [PolicyOwner, string])[] = [
    ['system', join(options.etc, 'genesis.key')],
    ['user', paths.policy],
    ...projectPolicyPlaces(root)
      .filter(place => place === here || trustedVersion(trust, place) !== null)
      .map(place => ['project', place] as const),
  ]
  const team = readTeamPolicy(options.home, Date.now())
  const local = places.flatMap(([owner, path]) => loadFile(owner, path, options, trust) ?? [])
  const files = [...teamFiles(team), ...(team.kind === 'held' && team.inForce !== null ? local.map(underTeam) : local)]
  const neverGood = files.find(file => file.policy === null)
  const further = [...(trust.problem === null ? [] : [askAboutAll(trust.path)]), ...stalePolicies(team)]
  return {
    root,
    files,
    policies: [...policiesOf(files), ...further],
    locked: neverGood?.errors[0] ?? findTeamLock(team),
    trustProblem: trust.problem,
    ...describeTeam(team, local, further),
  }
}

function teamFiles(team: TeamPolicyRead): readonly PolicyFile[] {
  if (team.kind !== 'held' || team.inForce === null) return []
  return team.inForce.policies.map(policy => ({
    path: policy.file,
    owner: 'team',
    policy,
    unaccepted: null,
    change: null,
    errors: [],
    warnings: [],
  }))
}

/** What a team decides, a file of this machine can only tighten. */
export function underTeam(file: PolicyFile): PolicyFile {
  return file.policy === null ? file : { ...file, policy: { ...file.policy, isUnderTeam: true } }
}

function stalePolicies(team: TeamPolicyRead): readonly GenesisPolicy[] {
  return team.kind === 'held' && team.inForce?.stale === 'ask-new' ? [askAboutAll(team.inForce.policies[0]?.file ?? '')] : []
}

function findTeamLock(team: TeamPolicyRead): Lock | null {
  if (team.kind === 'broken') return team.problem
  if (team.kind !== 'held' || team.inForce?.stale !== 'deny') return null
  const message =
    "the team's hub was not heard of for longer than its policy allows, and the policy says deny; `belay policy pull` asks again"
  return { severity: 'error', message, place: { file: team.inForce.policies[0]?.file ?? '', line: 1, column: 1 }, isStale: true }
}

function describeTeam(
  team: TeamPolicyRead,
  local: readonly PolicyFile[],
  further: readonly GenesisPolicy[],
): Pick<LoadedPolicies, 'team' | 'compared'> {
  if (team.kind !== 'held') return {}
  const { inForce, compared } = team
  const beside = policiesOf(local.map(underTeam))
  return {
    ...(inForce && { team: { version: inForce.version, hash: inForce.hash } }),
    ...(compared && {
      compared: {
        version: compared.version,
        policies: [...compared.policies, ...beside, ...further],
        isNewer: compared.version > (inForce?.version ?? 0),
      },
    }),
  }
}

export function policiesOf(files: readonly PolicyFile[]): readonly GenesisPolicy[] {
  return files.flatMap(({ policy, unaccepted }) => [...(policy === null ? [] : [policy]), ...(unaccepted === null ? [] : [unaccepted])])
}

/** Nobody knows any more what was trusted, so there may be a rule about anything. */
function askAboutAll(file: string): GenesisPolicy {
  const parsed = parseGenesis('version: "2.0"\npermissions: {default: ask}\n', file)
  if (!parsed.ok) throw new Error('the policy that asks about everything does not parse')
  return { ...parsed.policy, trusted: false }
}

function loadFile(owner: PolicyOwner, path: string, options: LoadOptions, trust: TrustStore): PolicyFile | null {
  const read = readPolicyText(path)
  const known = owner === 'system' ? null : trustedVersion(trust, path)
  if (known !== null && (read.kind !== 'text' || hashOf(read.text) !== known.hash || trust.problem !== null))
    return keptFile({ owner, path, read, known, trust }, options)
  if (read.kind === 'missing') return null
  if (read.kind === 'unreadable') return brokenFile({ owner, path }, [read.problem], options)
  const parsed = parseGenesis(read.text, path, options.checks)
  if (!parsed.ok) return { ...brokenFile({ owner, path }, parsed.errors, options), warnings: parsed.warnings }
  if (options.remember === true) rememberFile(owner, path, read.text, options.home)
  const trusted = known !== null || (owner !== 'project' && (owner === 'system' || trust.problem === null))
  return { path, owner, policy: { ...parsed.policy, trusted }, unaccepted: null, change: null, errors: [], warnings: parsed.warnings }
}

interface Kept {
  readonly owner: PolicyOwner
  readonly path: string
  readonly read: PolicyText
  readonly known: TrustRecord
  readonly trust: TrustStore
}

/** The file is not what was accepted, so what was accepted holds. */
function keptFile({ owner, path, read, known, trust }: Kept, { checks }: LoadOptions): PolicyFile {
  const held = parseGenesis(known.text, path)
  const policy = held.ok ? { ...held.policy, trusted: trust.problem === null } : null
  const found = read.kind === 'text' ? parseGenesis(read.text, path, checks) : null
  const errors = found?.ok === false ? found.errors : read.kind === 'unreadable' ? [read.problem] : []
  const kind = read.kind === 'missing' ? 'removed' : errors.length > 0 ? 'broken' : 'edited'
  const foundHash = read.kind === 'text' ? hashOf(read.text) : null
  const isSame = read.kind === 'text' && read.text === known.text
  return {
    path,
    owner,
    policy,
    unaccepted: found?.ok === true && !isSame ? { ...found.policy, trusted: false } : null,
    change: isSame ? null : { file: path, kind, hash: known.hash, found: foundHash, trustedAt: known.at },
    errors: policy === null && !held.ok && errors.length === 0 ? held.errors : errors,
    warnings: found?.warnings ?? [],
  }
}

/** Nobody has accepted any version of it: the last good one holds. */
function brokenFile({ owner, path }: Pick<PolicyFile, 'owner' | 'path'>, errors: readonly Diagnostic[], { home }: LoadOptions): PolicyFile {
  const text = readGood(homePaths(home).goodPolicies, path)
  const parsed = text === null ? null : parseGenesis(text, path)
  const policy = parsed?.ok === true ? { ...parsed.policy, trusted: owner !== 'project' } : null
  return { path, owner, policy, unaccepted: null, change: null, errors, warnings: [] }
}

/** A user's own policy is accepted as it is first found; after that, a change of it needs a person like any other. */
function rememberFile(owner: PolicyOwner, path: string, text: string, home: string): void {
  const paths = homePaths(home)
  keepGood(paths.goodPolicies, path, text)
  const { problem, records } = readTrust(paths.trust)
  if (owner === 'user' && problem === null && trustedVersion({ records }, path) === null) addTrust(paths.trust, path, hashOf(text))
}
