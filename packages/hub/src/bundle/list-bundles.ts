// The bundles of a team: for people with how far each has come, for a machine those behind the last that it has seen.
import { parseBundle } from '@belay/core/team'
import type { Database } from '../database/open-database.ts'

export interface BundleRow {
  readonly version: number
  readonly hash: string
  readonly person: string
  readonly publishedAt: Date
  readonly mode: string
  readonly percentage: number
  readonly selector: Readonly<Record<string, string>>
  readonly notBefore: string | null
  readonly expires: string | null
  readonly note: string
  readonly haltedAt: Date | null
  readonly haltedWhy: string | null
  /** Calls that were judged by this and the one before. */
  readonly calls: number
  readonly newDenies: number
  /** On which it is in force. */
  readonly machines: number
}

const LISTED = 100
const MAX_ANSWER_CHARACTERS = 2 * 1024 * 1024

export async function listBundles(db: Database): Promise<readonly BundleRow[]> {
  const rows = await db.selectFrom('bundle').selectAll().orderBy('version', 'desc').limit(LISTED).execute()
  const counts = await db.selectFrom('roll_out').selectAll().execute()
  const machines = await db.selectFrom('machine').select('policy').where('left_at', 'is', null).where('revoked_at', 'is', null).execute()
  return rows.map(({ version, hash, person, text, published_at, halted_at, halted_why }) => {
    const bundle = parseBundle(text)
    const own = counts.filter(count => count.version === version)
    const said = typeof bundle === 'string' ? undefined : bundle.manifest
    return {
      version,
      hash,
      person,
      publishedAt: published_at,
      mode: said?.mode ?? 'enforce',
      percentage: said?.percentage ?? 0,
      selector: said?.selector ?? {},
      notBefore: said?.notBefore ?? null,
      expires: said?.expires ?? null,
      note: said?.note ?? '',
      haltedAt: halted_at,
      haltedWhy: halted_why,
      calls: own.reduce((sum, { calls }) => sum + calls, 0),
      newDenies: own.reduce((sum, { new_denies }) => sum + new_denies, 0),
      machines: machines.filter(({ policy }) => policy.inForce === version).length,
    }
  })
}

/** The last one, or that of a version, as it was published. */
export async function readBundleText(
  db: Database,
  version: number | null,
): Promise<{ version: number; hash: string; text: string } | undefined> {
  const select = db.selectFrom('bundle').select(['version', 'hash', 'text']).orderBy('version', 'desc').limit(1)
  return (version === null ? select : select.where('version', '=', version)).executeTakeFirst()
}

export interface NewForMachine {
  readonly bundles: readonly string[]
  readonly halted: readonly { readonly version: number; readonly why: string }[]
}

export async function findNewFor(db: Database, seen: number, haltsKnown: readonly number[]): Promise<NewForMachine> {
  const rows = await db.selectFrom('bundle').select('text').where('version', '>', seen).orderBy('version').limit(LISTED).execute()
  const halted = await db.selectFrom('bundle').select(['version', 'halted_why']).where('halted_at', 'is not', null).execute()
  let size = 0
  const bundles = rows
    .map(({ text }) => text)
    .filter((text, at) => {
      size += text.length
      return at === 0 || size <= MAX_ANSWER_CHARACTERS
    })
  return {
    bundles,
    halted: halted
      .filter(({ version }) => !haltsKnown.includes(version))
      .map(({ version, halted_why }) => ({ version, why: halted_why ?? '' })),
  }
}
