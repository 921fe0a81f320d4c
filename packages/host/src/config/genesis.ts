// The policies in force for a directory: system, user, project, in that order.
// Invariants: a broken file never counts as "no policy": its last good version stays in force, and where there never was one gating
// events are denied; a project's file that nobody has trusted can only tighten; what was trusted holds until a person accepts something else.

import { join } from 'node:path'
import { type Diagnostic, type GenesisChecks, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { keepGood, readGood } from './genesis-good.ts'
import { type PolicyText, readPolicyText } from './genesis-text.ts'
import { homePaths } from './home.ts'
import type { PolicyChange } from './policy-change.ts'
import { findProject, findProjectPolicy, projectPolicyPlaces } from './project.ts'
import { addTrust, hashOf, readTrust, type TrustRecord, type TrustStore, trustedVersion } from './trust.ts'

export type PolicyOwner = 'system' | 'user' | 'project'

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

export interface LoadedPolicies {
  readonly root: string
  readonly files: readonly PolicyFile[]
  /** What holds, in order. */
  readonly policies: readonly GenesisPolicy[]
  /** Set where a file is broken and never was good: why gating events are denied. */
  readonly locked: Diagnostic | null
  readonly trustProblem: string | null
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
  const files = places.flatMap(([owner, path]) => loadFile(owner, path, options, trust) ?? [])
  const neverGood = files.find(file => file.policy === null)
  return {
    root,
    files,
    policies: [...policiesOf(files), ...(trust.problem === null ? [] : [askAboutAll(trust.path)])],
    locked: neverGood?.errors[0] ?? null,
    trustProblem: trust.problem,
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
