// What can go wrong with the store, as codes that callers and the documentation share.
import { errorText } from '@belay/core/value'

export type StoreErrorCode =
  | 'BELAY_STORE_FULL'
  | 'BELAY_STORE_IO'
  | 'BELAY_STORE_BUSY'
  | 'BELAY_STORE_CORRUPT'
  | 'BELAY_STORE_LOCKED'
  | 'BELAY_STORE_MISSING'
  | 'BELAY_STORE_NEWER'
  | 'BELAY_STORE_OLDER'
  | 'BELAY_STORE_FOREIGN'

export class StoreError extends Error {
  readonly code: StoreErrorCode

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
    this.code = code
  }
}

/** What the database reported, in our words. `file` says where. */
export function explainDatabaseError(error: unknown, file: string): StoreError {
  if (error instanceof StoreError) return error
  const text = errorText(error)
  const code = codeOf(error)
  const options = { cause: error }
  if (code.startsWith('SQLITE_FULL') || /disk is full|ENOSPC/i.test(text)) {
    return new StoreError('BELAY_STORE_FULL', `${file}: the disk is full; free some space, nothing acknowledged is lost`, options)
  }
  if (code.startsWith('SQLITE_BUSY') || /database (table )?is locked/i.test(text)) {
    return new StoreError('BELAY_STORE_BUSY', `${file}: another process keeps the database busy`, options)
  }
  if (code.startsWith('SQLITE_CORRUPT') || code.startsWith('SQLITE_NOTADB') || /malformed|not a database/i.test(text)) {
    return new StoreError('BELAY_STORE_CORRUPT', `${file}: the database is damaged (${text}); restore a backup`, options)
  }
  return new StoreError('BELAY_STORE_IO', `${file}: ${text}`, options)
}

/** Whether the database refused it because a row with such a key is there already. */
export function isTaken(error: unknown): boolean {
  return error instanceof StoreError && error.cause instanceof Error && /^UNIQUE constraint failed/.test(error.cause.message)
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
}
