// The commands that change something about the ledger: checkpoint, gc, key rotate, backup, restore. For people.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseCheckpoint, parseNote } from '@belay/core/ledger'
import { readConfig } from '../../config/config-file.ts'
import { findHome } from '../../config/home.ts'
import { backupLedger, restoreLedger } from '../../ledger/backup-ledger.ts'
import { exportCheckpoint, parseCheckpointTarget } from '../../ledger/export-checkpoint.ts'
import type { TrimReport } from '../../ledger/trim-ledger.ts'
import { describeFault } from '../../ledger/verify/verify-report.ts'
import { printDiagnostics } from '../../terminal/diagnostic.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../../terminal/io.ts'
import { askWriter, explained, findFiles, findPerson, refuseMissingFolder, resolvePath } from './ledger-command.ts'

export interface CheckpointCommandOptions {
  /** Second places: a file, git:REPOSITORY, a URL. */
  readonly to?: readonly string[]
  readonly json?: boolean
}

export async function runLedgerCheckpoint({ to = [], json }: CheckpointCommandOptions, io: CommandIo): Promise<ExitCode> {
  const asked = await askWriter<{ note: string | null }>(io, 'ledger.checkpoint')
  if (asked.kind === 'failed') return asked.code
  const { note } = asked.value
  if (note === null) {
    printLine(io.stderr, 'belay: no records yet, nothing to seal')
    return 1
  }
  const failures: string[] = []
  for (const text of to) {
    const failure = await exportCheckpoint(parseCheckpointTarget(text, io.cwd), note)
    if (failure !== undefined) failures.push(`${text}: ${failure}`)
  }
  if (json) printJson(io, { ...describeNote(note), note, failures })
  else printLine(io.stdout, note.trimEnd())
  for (const failure of failures) fail(io, failure)
  return failures.length > 0 ? 2 : 0
}

export interface GcCommandOptions {
  readonly dryRun?: boolean
  readonly json?: boolean
}

export async function runLedgerGc({ dryRun = false, json }: GcCommandOptions, io: CommandIo): Promise<ExitCode> {
  const read = readConfig(join(findHome(io.env), 'config.toml'))
  // Guessing at what may be forgotten would be worse than not forgetting it.
  if (!read.ok) {
    printDiagnostics(io, read.errors)
    return fail(io, 'nothing was trimmed: config.toml cannot be used')
  }
  const { bodiesDays = null, eventsDays = null, entriesDays = null } = read.config.retention ?? {}
  if (bodiesDays === null && eventsDays === null && entriesDays === null) {
    printLine(
      io.stderr,
      'belay: nothing is ever trimmed\n  retention = { bodies_days = 90, events_days = 30, entries_days = 365 } in config.toml changes that',
    )
  }
  const asked = await askWriter<TrimReport>(io, 'ledger.gc', { bodiesDays, eventsDays, entriesDays, dryRun })
  if (asked.kind === 'failed') return asked.code
  if (json) printJson(io, asked.value)
  else printLine(io.stdout, `${dryRun ? 'would trim' : 'trimmed'} ${describeTrim(asked.value)}`)
  return 0
}

function describeTrim({ blobs, bytes, deliveries, messages, approvals, toolCalls, entries }: TrimReport): string {
  const rows = [`${deliveries} delivery ids`, `${messages} messages`, `${approvals} approvals`, `${toolCalls} tool calls`]
  return `${entries} entries, ${blobs} blobs (${bytes} bytes), ${rows.join(', ')}`
}

export async function runKeyRotate({ json }: { readonly json?: boolean }, io: CommandIo): Promise<ExitCode> {
  const asked = await askWriter<{ seq: number; from: string | null; to: string }>(io, 'ledger.rotateKey')
  if (asked.kind === 'failed') return asked.code
  if (json) printJson(io, asked.value)
  else printLine(io.stdout, `new key, recorded as entry ${asked.value.seq}:\n${asked.value.to}`)
  return 0
}

export interface FileCommandOptions {
  readonly file: string
  readonly json?: boolean
}

export async function runBackup({ file, json }: FileCommandOptions, io: CommandIo): Promise<ExitCode> {
  const target = resolvePath(io, file)
  if (existsSync(target)) return fail(io, `${file} exists`, 'choose another name; a backup never overwrites')
  const refused = refuseMissingFolder(io, file)
  if (refused !== undefined) return refused
  return explained(io, async () => {
    await backupLedger(findFiles(io), target)
    if (json) printJson(io, { file: target })
    else printLine(io.stdout, `backup in ${file}; keys are not in it`)
    return 0
  })
}

export async function runRestore({ file, json }: FileCommandOptions, io: CommandIo): Promise<ExitCode> {
  return explained(io, async () => {
    const restored = await restoreLedger(findFiles(io), resolvePath(io, file), findPerson(io))
    if (json) printJson(io, restored)
    if (restored.kind === 'refused') {
      fail(io, `${file} is not a good backup: ${restored.report.faults.slice(0, 1).map(describeFault).join()}`)
      return 1
    }
    if (!json) {
      const { report, aside } = restored
      printLine(io.stdout, `restored ${report.records} records${aside ? `; what was there is in ${aside}` : ''}`)
      if (!report.keys.pinned && report.checkpoints > 0)
        printLine(io.stdout, `its key ${report.keys.ids.join(', ')} is trusted here from now on, as the backup itself names it: compare it`)
    }
    return 0
  })
}

function describeNote(note: string): { size: number; root: string } | undefined {
  const checkpoint = parseCheckpoint(parseNote(note)?.text ?? '')
  return checkpoint && { size: checkpoint.size, root: checkpoint.root.toString('base64') }
}
