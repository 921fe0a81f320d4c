// The policies in force for a directory: system, user, project, in that order.
// Invariants: a broken file never counts as "no policy": its last good version stays in force, and where there never was one gating
// events are denied; a project's file that nobody has trusted can only tighten.

import { join } from 'node:path'
import { type Diagnostic, type GenesisChecks, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { keepGood, readGood } from './genesis-good.ts'
import { readPolicyText } from './genesis-text.ts'
import { homePaths } from './home.ts'
import { findProject, findProjectPolicy } from './project.ts'
import { isTrusted, readTrust, type TrustStore } from './trust.ts'

export type PolicyOwner = 'system' | 'user' | 'project'

export interface PolicyFile {
  readonly path: string
  readonly owner: PolicyOwner
  /** In force from this file; null: it is broken and never was good. */
  readonly policy: GenesisPolicy | null
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
  readonly home: string
  /** The directory of the system's policy. */
  readonly etc: string
  readonly checks?: GenesisChecks
  /** Keep good versions for the day the file breaks. Only those who enforce do. */
  readonly remember?: boolean
}

export function loadPolicies(options: LoadOptions): LoadedPolicies {
  const paths = homePaths(options.home)
  const trust = readTrust(paths.trust)
  const { root } = findProject(options.cwd, options.home)
  const project = findProjectPolicy(root)
  const places: readonly (readonly [PolicyOwner, string])[] = [
    ['system', join(options.etc, 'genesis.key')],
    ['user', paths.policy],
    ...(project === null ? [] : [['project', project] as const]),
  ]
  const files = places.flatMap(([owner, path]) => loadFile(owner, path, options, trust) ?? [])
  const neverGood = files.find(file => file.policy === null)
  return {
    root,
    files,
    policies: files.flatMap(file => file.policy ?? []),
    locked: neverGood?.errors[0] ?? null,
    trustProblem: trust.problem,
  }
}

function loadFile(owner: PolicyOwner, path: string, options: LoadOptions, trust: TrustStore): PolicyFile | null {
  const read = readPolicyText(path)
  if (read.kind === 'missing') return null
  const { goodPolicies } = homePaths(options.home)
  const withTrust = (policy: GenesisPolicy): GenesisPolicy => ({
    ...policy,
    trusted: owner !== 'project' || isTrusted(trust, path, policy.hash),
  })
  if (read.kind === 'text') {
    const parsed = parseGenesis(read.text, path, options.checks)
    if (parsed.ok) {
      if (options.remember === true) keepGood(goodPolicies, path, read.text)
      return { path, owner, policy: withTrust(parsed.policy), errors: [], warnings: parsed.warnings }
    }
    return { path, owner, policy: lastGood(goodPolicies, path, withTrust), errors: parsed.errors, warnings: parsed.warnings }
  }
  return { path, owner, policy: lastGood(goodPolicies, path, withTrust), errors: [read.problem], warnings: [] }
}

function lastGood(folder: string, path: string, withTrust: (policy: GenesisPolicy) => GenesisPolicy): GenesisPolicy | null {
  const text = readGood(folder, path)
  const parsed = text === null ? null : parseGenesis(text, path)
  return parsed?.ok === true ? withTrust(parsed.policy) : null
}
