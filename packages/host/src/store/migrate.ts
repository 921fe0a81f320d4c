// Brings a database forward, one transaction for each step, and never backward: a newer one is refused.
import type { Connection } from './driver/driver.ts'
import { ledgerMigration } from './migration/0001-ledger.ts'
import { stateMigration } from './migration/0002-state.ts'
import { appendMigration } from './migration/0003-append.ts'
import { deliveryMigration } from './migration/0004-delivery.ts'
import { tailMigration } from './migration/0005-tail.ts'
import { agentSecretMigration } from './migration/0006-agent-secret.ts'
import { windowMigration } from './migration/0007-window.ts'
import { agentSessionsMigration } from './migration/0008-agent-sessions.ts'
import { saltMigration } from './migration/0009-salt.ts'
import { formMigration } from './migration/0010-form.ts'
import { StoreError } from './store-error.ts'

/** Step n brings a database from version n to n + 1. Steps are never edited once released. */
const STEPS: readonly string[] = [
  ledgerMigration,
  stateMigration,
  appendMigration,
  deliveryMigration,
  tailMigration,
  agentSecretMigration,
  windowMigration,
  agentSessionsMigration,
  saltMigration,
  formMigration,
]

export const CURRENT_VERSION: number = STEPS.length

/** "Bely": says that a file is a Belay store. */
const APPLICATION_ID = 0x42656c79

/** Says which version it was before; 0: it is new. `to`: an earlier version, to try what becomes of one. */
export function migrate(connection: Connection, file: string, to: number = CURRENT_VERSION): number {
  const version = checkVersion(connection, file)
  for (const [index, step] of STEPS.slice(0, to).entries()) {
    if (index >= version) applyStep(connection, step, index + 1)
  }
  return version
}

/** For readers, who cannot bring it forward. */
export function requireCurrent(connection: Connection, file: string): void {
  const version = checkVersion(connection, file)
  if (version === STEPS.length) return
  if (version === 0) throw new StoreError('BELAY_STORE_FOREIGN', `${file} is not a Belay store`)
  throw new StoreError(
    'BELAY_STORE_OLDER',
    `${file} was written by an older Belay (version ${version} of ${STEPS.length}); any command that writes brings it forward`,
  )
}

function checkVersion(connection: Connection, file: string): number {
  const version = readPragma(connection, 'user_version')
  const application = readPragma(connection, 'application_id')
  const isEmpty = version === 0 && application === 0 && connection.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').all([]).length === 0
  if (!isEmpty && application !== APPLICATION_ID)
    throw new StoreError('BELAY_STORE_FOREIGN', `${file} is a database, but not a Belay store`)
  if (version > STEPS.length) {
    throw new StoreError(
      'BELAY_STORE_NEWER',
      `${file} was written by a newer Belay (version ${version}, this one knows ${STEPS.length}); update Belay, or restore a backup made before`,
    )
  }
  return version
}

function applyStep(connection: Connection, step: string, version: number): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    connection.exec(step)
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}`)
    connection.exec(`PRAGMA user_version = ${version}`)
    connection.exec('COMMIT')
  } catch (error) {
    connection.exec('ROLLBACK')
    throw error
  }
}

function readPragma(connection: Connection, name: string): number {
  return Number(connection.prepare(`PRAGMA ${name}`).rows([])[0]?.[0] ?? 0)
}
