// How a hub process hears that there is something new for a machine, whichever process wrote it: one small query for all who wait. Never in
// the transaction of an upload. Whoever looks for itself begins to listen first: what comes while it looks is heard.
import { sql } from 'kysely'
import type { Database } from './open-database.ts'

export interface Listening {
  /** True: there was something for this machine since it began. False: not for so long, or the hub ends. */
  wait(ms: number): Promise<boolean>
  end(): void
}

export interface Pulses {
  listen(machine: string): Listening
  /** There is something for it: who waits at this very process need not wait for the next look. */
  wake(machine: string): void
  /** Nobody waits any longer, and nothing is asked of the database. */
  close(): Promise<void>
}

const LOOK_MS = 75
/** Rows that changed longer ago were seen. */
const WINDOW = '10 seconds'

/** Within the transaction that makes it so. '' is for all. */
export async function raisePulse(tx: Database, ...machines: readonly string[]): Promise<void> {
  if (machines.length > 0) await pulseOf(machines).execute(tx)
}

/** As one statement. In order, so that two who raise several do not wait for each other. */
export function pulseOf(machines: readonly string[]) {
  return sql`
    INSERT INTO pulse (machine) SELECT DISTINCT m FROM unnest(${[...machines]}::text[]) AS m ORDER BY m
    ON CONFLICT (machine) DO UPDATE SET n = pulse.n + 1, at = clock_timestamp()`
}

export function createPulses(db: Database, onProblem: (error: unknown) => void): Pulses {
  const waiting = new Map<string, Set<() => void>>()
  const known = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let looking: Promise<void> = Promise.resolve()

  const look = async (): Promise<void> => {
    const { rows } = await sql<{
      machine: string
      n: number
    }>`SELECT machine, n FROM pulse WHERE at > now() - ${sql.lit(WINDOW)}::interval`.execute(db)
    for (const { machine, n } of rows) {
      if (known.get(machine) === n) continue
      known.set(machine, n)
      wake(machine)
    }
  }
  const wake = (machine: string): void => {
    for (const [name, wakers] of waiting) if (machine === '' || machine === name) for (const tell of wakers) tell()
  }
  const schedule = (): void => {
    if (timer !== undefined || isClosed || waiting.size === 0) return
    timer = setTimeout(() => {
      looking = look()
        .catch(onProblem)
        .finally(() => {
          timer = undefined
          schedule()
        })
    }, LOOK_MS)
  }
  return {
    wake,
    listen: machine => {
      const wakers = waiting.get(machine) ?? new Set()
      let tell: () => void = () => undefined
      const heard = new Promise<void>(resolve => {
        tell = resolve
      })
      wakers.add(tell)
      waiting.set(machine, wakers)
      if (isClosed) tell()
      schedule()
      return {
        wait: async ms => {
          let isOver = false
          const limit = setTimeout(() => {
            isOver = true
            tell()
          }, ms)
          await heard
          clearTimeout(limit)
          return !isOver && !isClosed
        },
        end: () => {
          wakers.delete(tell)
          if (wakers.size === 0 && waiting.get(machine) === wakers) waiting.delete(machine)
        },
      }
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      wake('')
      return looking
    },
  }
}
