// What the daemon's thread and the thread that writes say to each other. Both sides send lists: everything of one turn in one message.

import type { Entry } from '@belay/core/ledger'
import { errorText } from '@belay/core/value'
import type { SqlValue, Write } from '../../store/store.ts'
import { StoreError, type StoreErrorCode } from '../../store/store-error.ts'
import type { CheckpointRow } from '../../store/table/checkpoint.ts'
import type { AppendColumn, AppendReply } from './append-batch.ts'

/** Rows as Kysely has them. */
export interface QueryRows {
  readonly rows: readonly unknown[]
  readonly changes: number
}

interface Calls {
  appendBatch: (columns: readonly AppendColumn[]) => readonly AppendReply[]
  checkpoint: () => CheckpointRow | undefined
  rotateKey: (actor: string) => Entry
  commit: (writes: readonly Write[]) => undefined
  /** A transaction, named by the request that began it. Answered when it has begun; others wait until it ends. */
  begin: () => undefined
  query: (transaction: number, sql: string, parameters: readonly SqlValue[]) => QueryRows
  end: (transaction: number, isGood: boolean) => undefined
  close: () => undefined
}

export type CallName = keyof Calls
export type CallArguments<N extends CallName> = Parameters<Calls[N]>
export type CallResult<N extends CallName> = ReturnType<Calls[N]>

export type Request = { readonly [N in CallName]: readonly [id: number, name: N, ...CallArguments<N>] }[CallName]

/** The id of what is answered unasked: whether the ledger could be opened. */
export const OPENED = 0

export type Reply =
  | readonly [id: number, value: unknown]
  | readonly [id: number, value: undefined, failure: Failure]
  /** Nobody asked: something a person should know. */
  | readonly [id: null, warning: string]

/** Errors lose their class on the way. */
export interface Failure {
  readonly message: string
  readonly code?: StoreErrorCode
}

export function describeFailure(error: unknown): Failure {
  const message = errorText(error)
  return error instanceof StoreError ? { message, code: error.code } : { message }
}

export function reviveFailure({ message, code }: Failure): Error {
  return code === undefined ? new Error(message) : new StoreError(code, message)
}
