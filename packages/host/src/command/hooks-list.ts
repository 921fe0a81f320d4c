// `belay hooks list`: every hook that the policies of this directory bring, in the order they run, and those that are inert.
import { listPolicyHooks } from '@belay/core/policy'
import { describeHook, hookRow } from './hook-row.ts'
import { type CommandIo, type ExitCode, printJson, printLine } from './io.ts'
import { loadForCommand } from './policies.ts'
import { columns } from './style.ts'

export interface ListOptions {
  readonly event?: string
  readonly json?: boolean
}

export function runHooksList(options: ListOptions, io: CommandIo): ExitCode {
  const loaded = loadForCommand(io)
  const rows = listPolicyHooks(loaded.policies)
    .map(hookRow)
    .filter(row => options.event === undefined || row.event === options.event)
  if (options.json === true) printJson(io, rows)
  else if (rows.length === 0) printLine(io.stdout, `No hooks in ${loaded.root}. Write some under \`hooks:\` in genesis.key.`)
  else printLine(io.stdout, columns([['EVENT', 'TYPE', 'MATCHER', 'WHERE'], ...rows.map(describeHook)]))
  return 0
}
