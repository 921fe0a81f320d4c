// Programs whose language does not know case: `drop table` is `DROP TABLE`, `flushall` is `FLUSHALL`. Deny and ask rules are compared in
// capitals too.
import { isFlag } from './flag-set.ts'

const CASELESS: ReadonlySet<string> = new Set(
  'psql mysql mariadb sqlite3 redis-cli valkey-cli sqlcmd isql duckdb clickhouse-client cqlsh'.split(' '),
)

export function isCaselessProgram(program: string): boolean {
  return CASELESS.has(program)
}

/** Options keep their case. */
export function upperWord(word: string): string {
  return isFlag(word) ? word : word.toUpperCase()
}
