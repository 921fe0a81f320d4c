// The policies that a command works on: those of the directory, or one file that was named.

import { resolve } from 'node:path'
import { type Diagnostic, type GenesisPolicy, parseGenesis } from '@belay/core/policy'
import { type LoadedPolicies, loadPolicies } from '../config/genesis.ts'
import { genesisChecks } from '../config/genesis-checks.ts'
import { readPolicyText } from '../config/genesis-text.ts'
import { findHome } from '../config/home.ts'
import { printDiagnostics } from './diagnostic.ts'
import { type CommandIo, printLine } from './io.ts'

export function loadForCommand(io: CommandIo): LoadedPolicies {
  return loadPolicies({ cwd: io.cwd, home: findHome(io.env), etc: io.etc, checks: genesisChecks })
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
export function printBroken(io: CommandIo, { files }: LoadedPolicies): void {
  for (const { path, policy, errors } of files) {
    if (errors.length === 0) continue
    printDiagnostics(io, errors)
    const held = policy === null ? 'gating events are denied until it is mended' : 'its last good version is in force'
    printLine(io.stderr, `note: ${path} is broken: ${held}`)
  }
}
