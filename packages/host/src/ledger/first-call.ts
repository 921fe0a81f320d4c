// When an agent first called, of all calls since a moment: as the ledger says, and the spool for calls that are not in it yet. The database
// may be of any version, and a daemon may have it open. A clock that was set back makes what an agent left behind look older than its call:
// then agents count as having called all along.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Connection } from '../store/driver/driver.ts'
import { loadDriver } from '../store/driver/load-driver.ts'
import { CLOCK_STEP_MS } from './clock.ts'
import { locateLedger } from './ledger-files.ts'
import { CLOCK_STEP } from './ledger-kind.ts'

/** Milliseconds of the wall clock; null: none has called. A ledger that cannot be read counts as one that agents have used all along. */
export async function readFirstCall(home: string, since: number, now: number = Date.now()): Promise<number | null> {
  const times = [await recordedCall(locateLedger(home).database, { since, now }), spooledCall(join(home, 'spool'), since)]
  const found = times.filter(time => time !== null)
  return found.length === 0 ? null : Math.min(...found)
}

async function recordedCall(file: string, { since, now }: { readonly since: number; readonly now: number }): Promise<number | null> {
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return null
  const driver = await loadDriver()
  try {
    const connection = driver(file, { readOnly: true })
    try {
      // A daemon that starts or copies its log holds the database for a moment.
      connection.exec('PRAGMA busy_timeout = 5000')
      return wasSetBack(connection, { since, now }) ? since : findCall(connection, new Date(since).toISOString())
    } finally {
      connection.close()
    }
  } catch {
    return since
  }
}

/** As far as this many entries back. */
const RECENT_ENTRIES = 100_000

/** By an entry that says so, or because the last one is later than now. */
function wasSetBack(connection: Connection, { since, now }: { readonly since: number; readonly now: number }): boolean {
  const [[last, time] = []] = connection.prepare('SELECT seq, time FROM ledger ORDER BY seq DESC LIMIT 1').rows([])
  if (last == null) return false
  if (Date.parse(String(time)) > now + CLOCK_STEP_MS) return true
  const steps = connection.prepare("SELECT 1 FROM ledger WHERE seq > ? AND kind = ? AND time >= ? AND body ->> '$.stepMs' < 0 LIMIT 1")
  return steps.rows([Number(last) - RECENT_ENTRIES, CLOCK_STEP, new Date(since).toISOString()]).length > 0
}

/** Entries are in the order of their time, so the place is found by halving. */
function findCall(connection: Connection, since: string): number | null {
  const [[first, last] = []] = connection.prepare('SELECT min(seq), max(seq) FROM ledger').rows([])
  const timeFrom = connection.prepare('SELECT time FROM ledger WHERE seq >= ? ORDER BY seq LIMIT 1')
  let low = Number(first ?? 0)
  let high = Number(last ?? 0) + 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [[time] = []] = timeFrom.rows([middle])
    if (time == null || String(time) >= since) high = middle
    else low = middle + 1
  }
  const call = connection.prepare("SELECT time FROM ledger WHERE seq >= ? AND actor LIKE 'agent:%' ORDER BY seq LIMIT 1")
  const [[time] = []] = call.rows([low])
  return time == null ? null : Date.parse(String(time))
}

function spooledCall(folder: string, since: number): number | null {
  try {
    const times = readdirSync(folder).map(name => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? since)
    return times.length === 0 ? null : Math.max(since, Math.min(...times))
  } catch {
    // There is no spool yet.
    return null
  }
}
