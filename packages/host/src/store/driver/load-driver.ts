// Which SQLite: the one in Node where there is one, else libsql. Both read and write the same file.
import type { Driver } from './driver.ts'
import { createNodeSqliteDriver, findNodeSqlite } from './node-sqlite.ts'
import { withQuickReport } from './quick-report.ts'

export async function loadDriver(): Promise<Driver> {
  const nodeSqlite = findNodeSqlite()
  if (nodeSqlite) return createNodeSqliteDriver(nodeSqlite)
  // Loaded only where it is needed: it is native code.
  return (await withQuickReport(() => import('./libsql.ts'))).openLibsql
}
