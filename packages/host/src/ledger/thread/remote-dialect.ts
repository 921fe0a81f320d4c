// Kysely over a connection on another thread: one query, one round trip.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqlValue } from '../../store/store.ts'
import type { Tables } from '../../store/table/tables.ts'
import type { QueryRows } from './ledger-message.ts'

export type RunQuery = (sql: string, parameters: readonly SqlValue[]) => Promise<QueryRows>

export function createRemoteKysely(run: RunQuery): Kysely<Tables> {
  const connection = createConnection(run)
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => createDriver(connection),
      createIntrospector: db => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

function createConnection(run: RunQuery): DatabaseConnection {
  return {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { rows, changes } = await run(sql, parameters as readonly SqlValue[])
      return { rows: rows as R[], numAffectedRows: BigInt(changes) }
    },
    streamQuery() {
      throw new Error('a transaction reads whole answers')
    },
  }
}

/** The transaction is begun and ended outside, and there is one connection. */
function createDriver(connection: DatabaseConnection): Driver {
  const refuse = async (): Promise<void> => {
    throw new Error('a transaction has no transactions of its own')
  }
  const nothing = async (): Promise<void> => undefined
  return {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: nothing,
    destroy: nothing,
  }
}
