// The policies that a command works on: those of the directory, or one file that was named.

import { resolve } from 'node:path'
import { type Diagnostic, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { type LoadedPolicies, loadPolicies, policiesOf } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome } from '../config/home.ts'
import { acceptChange, describeChange } from '../config/policy-change.ts'
import { brokenFiles, completeGuard, type GuardPlace, type GuardSources, loadGuard } from '../guard/load-guard.ts'
import { printDiagnostics } from '../terminal/diagnostic.ts'
import { type CommandIo, hint, printLine } from '../terminal/io.ts'

export function loadForCommand(io: CommandIo): LoadedPolicies {
  return loadPolicies({ cwd: io.cwd, home: findHome(io.env), etc: io.etc, checks: genesisChecks })
}

export function guardPlace(io: CommandIo): GuardPlace {
  return { home: findHome(io.env), etc: io.etc, env: io.env }
}

/** What the daemon judges by in this directory, as it would load it; what is wrong with it is said. */
export function loadSources(io: CommandIo, { asTrusted: isDraft }: { readonly asTrusted: boolean }): GuardSources {
  const sources = loadGuard(io.cwd, guardPlace(io))
  printBroken(io, sources)
  printChanges(io, sources)
  if (!isDraft) {
    noteUntrusted(io, sources, 'use --as-trusted to see what it would say')
    return sources
  }
  const { loaded } = sources
  const drafted = loaded.files.map(file => ({ ...file, policy: file.unaccepted ?? file.policy, unaccepted: null }))
  const policies = policiesOf(drafted).map(policy => ({ ...policy, trusted: true }))
  const draft = completeGuard({ ...loaded, files: drafted, policies }, guardPlace(io))
  return {
    ...draft,
    hooks: draft.hooks.map(({ hook, inert }) => ({ hook, inert: inert?.includes('is not trusted') === true ? null : inert })),
  }
}

/** A policy that is not what a person accepted is never passed over in silence. */
export function printChanges(io: CommandIo, { changes, loaded }: GuardSources): void {
  for (const change of changes) printLine(io.stderr, hint(io, `note: ${describeChange(change)}; ${acceptChange(change)}`))
  if (loaded.trustProblem !== null) printLine(io.stderr, `note: ${loaded.trustProblem}`)
}

/** Of a file that was trusted once, what `describeChange` says is the whole truth. */
export function untrustedFiles({ loaded, changes }: GuardSources): readonly string[] {
  const changed = new Set(changes.map(({ file }) => file))
  return loaded.policies.filter(({ trusted, file }) => !trusted && !changed.has(file)).map(({ file }) => file)
}

export function noteUntrusted(io: CommandIo, sources: GuardSources, more?: string): void {
  for (const file of untrustedFiles(sources))
    printLine(
      io.stderr,
      hint(
        io,
        `note: ${file} is not trusted on this machine: only its deny and ask rules hold until \`belay policy trust\`${more === undefined ? '' : `; ${more}`}`,
      ),
    )
}

export type NamedPolicy =
  | { readonly kind: 'valid'; readonly policy: GenesisPolicy; readonly warnings: readonly Diagnostic[] }
  | { readonly kind: 'invalid'; readonly errors: readonly Diagnostic[]; readonly warnings: readonly Diagnostic[] }
  | { readonly kind: 'unreadable'; readonly why: string }

export function readNamedPolicy(io: CommandIo, file: string): NamedPolicy {
  const read = readPolicyText(resolve(io.cwd, file))
  if (read.kind === 'missing') return { kind: 'unreadable', why: 'there is no such file' }
  if (read.kind === 'unreadable') return { kind: 'unreadable', why: read.problem.message }
  const parsed = parseGenesis(read.text, file, genesisChecks)
  return parsed.ok
    ? { kind: 'valid', policy: parsed.policy, warnings: parsed.warnings }
    : { kind: 'invalid', errors: parsed.errors, warnings: parsed.warnings }
}

/** Commands that only show treat every file as trusted, and say where it is not. */
export function asTrusted(io: CommandIo, policies: readonly GenesisPolicy[]): readonly GenesisPolicy[] {
  for (const policy of policies) {
    if (policy.trusted) continue
    printLine(
      io.stderr,
      `note: ${policy.file} is not trusted on this machine: only its deny and ask rules hold until \`belay policy trust\``,
    )
  }
  return policies.map(policy => ({ ...policy, trusted: true }))
}

/** A broken file is never passed over in silence. */
export function printBroken(io: CommandIo, sources: Parameters<typeof brokenFiles>[0]): void {
  for (const { path, isHeld, errors } of brokenFiles(sources)) {
    printDiagnostics(io, errors)
    printLine(
      io.stderr,
      `note: ${path} is broken: ${isHeld ? 'its last good version is in force' : 'gating events are denied until it is fixed'}`,
    )
  }
}
