// `belay genesis validate [FILE]`: is the policy good, and if not, everything that is wrong with it.
import { listGuardrails } from '@belay/core'
import { type Diagnostic, type GenesisPolicy, listPolicyHooks } from '@belay/core/policy'
import { printDiagnostics, toJson } from '../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { loadForCommand, readNamedPolicy } from './policies.ts'

export interface ValidateOptions {
  readonly file?: string
  readonly json?: boolean
}

interface Checked {
  readonly file: string
  readonly policy: GenesisPolicy | null
  readonly errors: readonly Diagnostic[]
  readonly warnings: readonly Diagnostic[]
  readonly trusted: boolean | null
}

export function runGenesisValidate(options: ValidateOptions, io: CommandIo): ExitCode {
  const checked = options.file === undefined ? checkAll(io) : checkOne(options.file, io)
  if (typeof checked === 'number') return checked
  const isGood = checked.every(each => each.errors.length === 0)
  if (options.json === true) printJson(io, describeJson(checked, isGood))
  else printResults(io, checked)
  return isGood ? 0 : 1
}

function checkOne(file: string, io: CommandIo): readonly Checked[] | ExitCode {
  const read = readNamedPolicy(io, file)
  switch (read.kind) {
    case 'unreadable':
      return fail(io, `${file}: ${read.why}`)
    case 'invalid':
      return [{ file, policy: null, errors: read.errors, warnings: read.warnings, trusted: null }]
    case 'valid':
      return [{ file, policy: read.policy, errors: [], warnings: read.warnings, trusted: null }]
  }
}

function checkAll(io: CommandIo): readonly Checked[] | ExitCode {
  const { files } = loadForCommand(io)
  if (files.length === 0) {
    printLine(io.stderr, `no policy holds in ${io.cwd}`)
    printLine(io.stderr, '  write one with `belay genesis init`')
    return 1
  }
  return files.map(({ path, policy, errors, warnings }) => ({
    file: path,
    policy: errors.length > 0 ? null : policy,
    errors,
    warnings,
    trusted: policy?.trusted ?? null,
  }))
}

function describeJson(checked: readonly Checked[], ok: boolean): unknown {
  return {
    ok,
    errors: checked.flatMap(each => each.errors.map(toJson)),
    warnings: checked.flatMap(each => each.warnings.map(toJson)),
    files: checked.map(({ file, policy, errors, trusted }) => ({
      file,
      ok: errors.length === 0,
      version: policy?.version ?? null,
      hash: policy?.hash ?? null,
      trusted,
      hooks: policy === null ? null : listPolicyHooks([policy]).length,
      rules: policy === null ? null : countRules(policy),
      guards: policy?.guards.length ?? null,
      guardrails: policy?.guardrails.length ?? null,
    })),
  }
}

function printResults(io: CommandIo, checked: readonly Checked[]): void {
  for (const { file, policy, errors, warnings, trusted } of checked) {
    printDiagnostics(io, [...errors, ...warnings])
    if (policy === null) {
      printLine(io.stderr, `${file}: invalid, ${plural(errors.length, 'error')}: nothing of it is in force`)
      continue
    }
    const parts = [
      `version ${policy.version}`,
      plural(policy.hooks.length, 'hook'),
      plural(countRules(policy), 'rule'),
      ...(policy.guards.length === 0 ? [] : [plural(policy.guards.length, 'guard')]),
      ...(policy.guardrails.length === 0 ? [] : [plural(policy.guardrails.length, 'guardrail')]),
      policy.hash.slice(0, 12),
    ]
    printLine(io.stdout, `${file}: valid (${parts.join(', ')})`)
    if (trusted === false) printLine(io.stderr, `  not trusted: ${describeUntrusted(policy)}`)
  }
}

/** What of it holds all the same: what can only tighten. */
function describeUntrusted(policy: GenesisPolicy): string {
  const rules = policy.permissions?.actors.flatMap(({ deny, ask }) => [...deny, ...ask]).length ?? 0
  const hooks = listPolicyHooks([policy]).filter(({ inert }) => inert === null).length
  const guardrails = listGuardrails([policy]).filter(({ inert }) => inert === null).length
  const holding = [
    plural(rules, 'deny or ask rule'),
    `${hooks} of ${plural(policy.hooks.length, 'hook')}`,
    ...(policy.guards.length === 0 ? [] : [plural(policy.guards.length, 'guard')]),
    ...(policy.guardrails.length === 0 ? [] : [`${guardrails} of ${plural(policy.guardrails.length, 'guardrail')}`]),
  ]
  return `${holding.join(', ')} hold; its allow rules and the rest do nothing until \`belay policy trust\``
}

function countRules({ permissions }: GenesisPolicy): number {
  return permissions?.actors.reduce((sum, block) => sum + block.allow.length + block.ask.length + block.deny.length, 0) ?? 0
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
