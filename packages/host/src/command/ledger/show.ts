// `ledger show ID` and `ledger prove ID`.
import { writeFileSync } from 'node:fs'
import type { Entry } from '@belay/core/ledger'
import { encodeExportLine } from '../../ledger/export-line.ts'
import { proveEntry } from '../../ledger/prove-entry.ts'
import { findEntry } from '../../ledger/read-entry.ts'
import { restoreBody } from '../../ledger/restore-body.ts'
import type { Store } from '../../store/store.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../../terminal/io.ts'
import { askWriter, refuseMissingFolder, resolvePath, withStore } from './ledger-command.ts'
import { printEntry } from './print-entry.ts'

export interface ShowCommandOptions {
  readonly id: string
  readonly json?: boolean
}

export interface ProveCommandOptions {
  readonly id: string
  readonly out?: string
}

export async function runLedgerShow({ id, json }: ShowCommandOptions, io: CommandIo): Promise<ExitCode> {
  return withStore(io, async store => {
    const entry = await requireEntry(store, id, io)
    if (!entry) return 1
    if (json) printJson(io, JSON.parse(await encodeExportLine(store, entry)))
    else printEntry(io, entry, await restoreBody(store, entry))
    return 0
  })
}

export async function runLedgerProve(options: ProveCommandOptions, io: CommandIo): Promise<ExitCode> {
  const refused = options.out === undefined ? undefined : refuseMissingFolder(io, options.out)
  if (refused !== undefined) return refused
  const prove = async (store: Store): Promise<ExitCode | 'unsealed'> => {
    const entry = await requireEntry(store, options.id, io)
    if (!entry) return 1
    return (await printProof(store, entry, options, io)) ? 0 : 'unsealed'
  }
  let isUnsealed = false
  const code = await withStore(io, async store => {
    const proved = await prove(store)
    isUnsealed = proved === 'unsealed'
    return isUnsealed ? 1 : (proved as ExitCode)
  })
  if (!isUnsealed) return code
  const sealed = await askWriter(io, 'ledger.checkpoint')
  return sealed.kind === 'failed' ? sealed.code : withStore(io, async store => ((await prove(store)) === 0 ? 0 : 1))
}

async function printProof(store: Store, entry: Entry, { out }: ProveCommandOptions, io: CommandIo): Promise<boolean> {
  const proof = await proveEntry(store, entry)
  if (!proof) return false
  if (out === undefined) {
    printJson(io, proof)
    return true
  }
  writeFileSync(resolvePath(io, out), `${JSON.stringify(proof, null, 2)}\n`)
  printLine(io.stdout, `proof of entry ${entry.seq} in ${out}`)
  return true
}

async function requireEntry(store: Store, id: string, io: CommandIo): Promise<Entry | undefined> {
  const found = await findEntry(store, id)
  if (found.kind === 'found') return found.entry
  if (found.kind === 'none') fail(io, `no entry ${id}`, '`belay ledger tail` lists the last ones')
  else if (found.kind === 'dropped')
    fail(io, `entry ${id} was dropped by ledger gc`, 'its hash is kept, so that proofs of others stay valid')
  else fail(io, `several entries begin with ${id}`, found.ids.join(' '))
  return undefined
}
