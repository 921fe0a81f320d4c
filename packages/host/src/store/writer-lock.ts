// One writer. The lock is SQLite's own exclusive lock on a file beside the database: the kernel drops it with the process, however that ended,
// so there is nothing stale to recover. A second file says, for people, who holds it.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, Driver } from './driver/driver.ts'
import { explainDatabaseError, StoreError } from './store-error.ts'

export interface LockOptions {
  readonly driver: Driver
  /** How long to wait for another writer to finish. */
  readonly waitMs: number
}

const RETRY_MS = 20

/** Resolves to the function that gives the lock back. */
export async function acquireWriterLock(file: string, { driver, waitMs }: LockOptions): Promise<() => void> {
  const ownerFile = `${file}.writer`
  const connection = driver(`${file}.lock`, { readOnly: false })
  const deadline = performance.now() + waitMs
  while (!tryLock(connection, file)) {
    if (performance.now() >= deadline) {
      connection.close()
      throw new StoreError(
        'BELAY_STORE_LOCKED',
        `${file} is being written by ${describeOwner(ownerFile)}; stop it first (belay down) or try again`,
      )
    }
    await sleep(RETRY_MS)
  }
  writeFileSync(ownerFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 })
  return () => {
    rmSync(ownerFile, { force: true })
    connection.exec('ROLLBACK')
    connection.close()
  }
}

function tryLock(connection: Connection, file: string): boolean {
  try {
    connection.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    const explained = explainDatabaseError(error, file)
    if (explained.code === 'BELAY_STORE_BUSY') return false
    throw explained
  }
}

function describeOwner(ownerFile: string): string {
  try {
    const owner: unknown = JSON.parse(readFileSync(ownerFile, 'utf8'))
    if (typeof owner === 'object' && owner !== null && 'pid' in owner && 'since' in owner)
      return `process ${owner.pid} since ${owner.since}`
  } catch {
    return 'another process'
  }
  return 'another process'
}
