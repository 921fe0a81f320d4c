// `ledger verify [FILE]`: what was checked, what was found, and the first bad row. 0 good, 1 not.
import { existsSync, readFileSync } from 'node:fs'
import { type FaultKind, type NoteKey, parseNoteKey } from '@belay/core/ledger'
import { verifyLedger } from '../../ledger/verify/verify-ledger.ts'
import { describeFault, type Progress, type VerifyReport } from '../../ledger/verify/verify-report.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../../terminal/io.ts'
import { paint } from '../../terminal/style.ts'
import { own } from '../../terminal/visible.ts'
import { explained, findFiles, resolvePath } from './ledger-command.ts'

export interface VerifyCommandOptions {
  readonly file?: string
  /** Checkpoints that were kept elsewhere. */
  readonly checkpoint?: readonly string[]
  /** Public keys to trust: a file or the key itself. */
  readonly key?: readonly string[]
  readonly json?: boolean
}

const BAR_WIDTH = 30

export async function runLedgerVerify(options: VerifyCommandOptions, io: CommandIo): Promise<ExitCode> {
  const files = findFiles(io)
  const keys = readKeys(io, options.key ?? [])
  if (typeof keys === 'string') return fail(io, keys)
  const checkpointFiles = (options.checkpoint ?? []).map(path => resolvePath(io, path))
  const missing = checkpointFiles.find(path => !existsSync(path))
  if (missing !== undefined) return fail(io, `${missing} does not exist`)
  return explained(io, async () => {
    const report = await verifyLedger({
      file: options.file === undefined ? files.database : resolvePath(io, options.file),
      isDatabase: options.file === undefined,
      keysDirectory: files.keys,
      keys,
      // What lies in the home belongs to the live store only.
      checkpointFiles: options.file === undefined ? [files.checkpoint, ...checkpointFiles] : checkpointFiles,
      ...(io.isTty && !options.json && { onProgress: (progress: Progress) => showProgress(io, progress) }),
    })
    if (options.json) printJson(io, report)
    else printReport(io, report)
    return report.ok ? 0 : 1
  })
}

function readKeys(io: CommandIo, texts: readonly string[]): readonly NoteKey[] | string {
  const keys: NoteKey[] = []
  for (const text of texts) {
    const path = resolvePath(io, text)
    const key = parseNoteKey(existsSync(path) ? readFileSync(path, 'utf8') : text)
    if (!key) return `--key ${text}: neither a file with a key nor a key (name+id+base64)`
    keys.push(key)
  }
  return keys
}

function showProgress(io: CommandIo, { done, total }: Progress): void {
  const part = total === 0 ? 1 : done / total
  const filled = Math.round(part * BAR_WIDTH)
  const end = done === total ? own('\r') + own('\u001b[K') : ''
  io.stderr.write(`${own('\r')}${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)} ${done} of ${total}${end}`)
}

function describeRoots({ checkpoints, sealed }: VerifyReport): string {
  if (checkpoints === 0) return 'no checkpoint'
  return checkpoints === 1 ? `1 checkpoint, over ${sealed} rows` : `${checkpoints} checkpoints, the last over ${sealed} rows`
}

const CHAIN_FAULTS: readonly FaultKind[] = ['chain', 'gap', 'row_hash', 'body_hash', 'writer']
const ROOT_FAULTS: readonly FaultKind[] = ['root', 'checkpoint', 'tree']
const SIGNATURE_FAULTS: readonly FaultKind[] = ['signature', 'key']

/** The check ends at the first fault: what comes after it was not looked at. */
function describeChain({ ok, faults }: VerifyReport): string {
  const fault = faults.find(({ kind }) => CHAIN_FAULTS.includes(kind))
  if (fault !== undefined) return `broken at row ${fault.seq} (${fault.kind.replace('_', ' ')})`
  return ok ? 'whole' : 'no break found up to the fault below'
}

function badFrom({ faults }: VerifyReport, kinds: readonly FaultKind[]): string {
  const fault = faults.find(({ kind }) => kinds.includes(kind))
  return fault === undefined ? '' : `; bad from row ${fault.seq} on (${fault.kind})`
}

function printReport(io: CommandIo, report: VerifyReport): void {
  const { range, keys } = report
  const lines: [string, string][] = [
    ['records', range ? `${report.records} (${range.first} to ${range.last})` : '0'],
    ['chain', describeChain(report)],
    ['roots', `${describeRoots(report)}${badFrom(report, ROOT_FAULTS)}`],
    [
      'signatures',
      `by ${keys.ids.join(', ') || 'no known key'}${keys.pinned ? '' : ' (as the ledger itself says; compare, or give --key)'}${badFrom(report, SIGNATURE_FAULTS)}`,
    ],
    ['unsealed', `${report.unsealed}${report.unsealed > 0 ? ' (could be cut off unseen until the next checkpoint)' : ''}`],
    ['gaps', String(report.gaps)],
    ['clock steps', String(report.clockSteps)],
    ['blobs', `${report.blobs.kept} kept, ${report.blobs.pruned} trimmed`],
    ['dropped', `${report.dropped} entries, of which the hashes are kept`],
  ]
  for (const [name, value] of lines) printLine(io.stdout, `${paint(io, 'dim', name.padEnd(12))} ${value}`)
  for (const fault of report.faults) printLine(io.stdout, `${paint(io, 'red', 'bad')} ${describeFault(fault)}`)
  printLine(
    io.stdout,
    report.ok ? paint(io, 'green', `${report.source} is good`) : paint(io, 'red', `${report.source} is not what was written`),
  )
}
