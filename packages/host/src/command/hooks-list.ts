// `belay hooks list`: every hook that holds in this directory, from the policies, their guardrails and hooks.toml, and those that are inert.
import { canonicalEventName } from '@belay/core'
import { listPolicyHooks } from '@belay/core/policy'
import { findHome } from '../config/home.ts'
import { loadHookFiles } from '../config/project-hooks.ts'
import { listGuardrails } from '../guardrail/policy-guardrails.ts'
import { printDiagnostics } from './diagnostic.ts'
import { describeHook, guardrailRows, hookRow } from './hook-row.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from './io.ts'
import { loadForCommand } from './policies.ts'
import { columns } from './style.ts'

export interface ListOptions {
  readonly event?: string
  readonly json?: boolean
}

export function runHooksList(options: ListOptions, io: CommandIo): ExitCode {
  const loaded = loadForCommand(io)
  const files = loadHookFiles({ root: loaded.root, home: findHome(io.env), policies: loaded.policies })
  printDiagnostics(
    io,
    files.diagnostics.filter(diagnostic => diagnostic.severity === 'error'),
  )
  const rows = [
    ...listPolicyHooks(loaded.policies).map(hookRow),
    ...listGuardrails(loaded.policies).flatMap(guardrailRows),
    ...files.hooks.map(hookRow),
  ].filter(row => options.event === undefined || row.event === canonicalEventName(options.event))
  if (options.json === true) printJson(io, rows)
  else if (rows.length === 0)
    printLine(io.stdout, `No hooks in ${loaded.root}. Write some under \`hooks:\` in genesis.key, or in hooks.toml.`)
  else printLine(io.stdout, columns([['EVENT', 'TYPE', 'MATCHER', 'WHERE'], ...rows.map(describeHook)]))
  return 0
}
