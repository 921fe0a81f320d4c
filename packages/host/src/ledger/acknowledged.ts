// How many entries the hub of this machine's team holds, as it said last. What it does not hold yet is never dropped.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { LedgerFiles } from './ledger-files.ts'

export function acknowledgedFile(home: string): string {
  return join(home, 'team', 'acknowledged')
}

/** Undefined: entries go to no hub. */
export function readAcknowledged({ database }: Pick<LedgerFiles, 'database'>): number | undefined {
  const file = acknowledgedFile(dirname(database))
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8').trim()
  // A file that says nothing is no leave to drop.
  return /^\d{1,15}$/.test(text) ? Number(text) : 0
}
