// A machine was heard of: when, what it said, and since when it speaks to us without having seen the newest bundle. The time that it slept
// does not count: between two words a minute at most, so one that is heard of seldom is named later, and not never.
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/open-database.ts'

/** Within which a machine that speaks to us sees a bundle. */
export const CATCH_UP_MS = 10 * 60_000
/** Longer than this between two words of a machine that is awake: it slept. */
const AWAKE = '1 minute'
/** A machine that says nothing but that it is there, as it does with every answer that it waits for, is written down again after this. */
const AGAIN = '5 seconds'

const MAX_CHARACTERS = 64 * 1024

export interface Contact {
  readonly status?: Readonly<Record<string, unknown>>
  readonly policy?: Readonly<Record<string, unknown>>
}

export async function noteContact(db: Database, machine: string, contact: Contact): Promise<void> {
  await updateContact(machine, contact).execute(db)
}

/** `when`: what must hold beside it. */
export function updateContact(machine: string, { status, policy }: Contact, when: RawBuilder<unknown> = sql`true`): RawBuilder<unknown> {
  const [said, held] = [status, policy].map(each => (each === undefined ? undefined : textOf(each)))
  const isSaid = status !== undefined || policy !== undefined
  const before = sql`coalesce((policy->>'seen')::bigint, 0)`
  const seen = policy ? sql`${seenIn(policy)}::bigint` : before
  return sql`
    UPDATE machine SET
      last_seen = now(),
      status = coalesce(${said ?? null}::jsonb, status),
      policy = coalesce(${held ?? null}::jsonb, policy),
      behind_since = CASE
        WHEN ${seen} >= (SELECT coalesce(max(version), 0) FROM bundle) THEN NULL
        WHEN ${seen} > ${before} OR behind_since IS NULL THEN now()
        ELSE behind_since + greatest(now() - last_seen - ${sql.lit(AWAKE)}::interval, interval '0') END
    WHERE id = ${machine} AND (${isSaid} OR last_seen IS NULL OR last_seen < now() - ${sql.lit(AGAIN)}::interval) AND ${when}`
}

/** Longer than a daemon ever says it: it is not kept, because every list of machines shows it. */
function textOf(value: Readonly<Record<string, unknown>>): string | undefined {
  const text = JSON.stringify(value)
  return text.length <= MAX_CHARACTERS ? text : undefined
}

function seenIn({ seen }: Readonly<Record<string, unknown>>): number {
  return Number.isSafeInteger(seen) ? Number(seen) : 0
}
