// Whether a machine is on the bundle that it should be on, by what it says and when it was last heard of.
import type { Database } from '../database/open-database.ts'
import type { Machine } from '../machine/login-machine.ts'
import type { Problem } from './check-chain.ts'

/** A machine that was heard of so long after a bundle was published should have seen it. */
const OLD_AFTER_MS = 10 * 60_000

export async function createBundleCheck(db: Database): Promise<(machine: Machine) => readonly Problem[]> {
  const bundles = await db.selectFrom('bundle').select(['version', 'hash', 'published_at']).orderBy('version').execute()
  return ({ policy, last_seen, joined_at }) => {
    const { seen = 0, seenHash, refused, pinned } = policy as { seen?: number; seenHash?: string; refused?: string; pinned?: number }
    const problems: Problem[] = []
    const last = bundles.at(-1)
    const missed = bundles.find(({ version }) => version > seen)
    const since = missed && Math.max(missed.published_at.getTime(), joined_at.getTime())
    if (last && missed && since !== undefined && (last_seen?.getTime() ?? 0) - since > OLD_AFTER_MS)
      problems.push({ kind: 'old_bundle', what: `it has seen policy ${seen} of ${last.version}` })
    const known = bundles.find(({ version }) => version === seen)
    if (seen > 0 && (!known || known.hash !== seenHash))
      problems.push({ kind: 'other_bundle', what: `its policy ${seen} is not the one that was published` })
    if (typeof refused === 'string') problems.push({ kind: 'bundle_refused', what: `it did not take a policy: ${refused}` })
    if (typeof pinned === 'number') problems.push({ kind: 'pinned', what: `a person there holds it at policy ${pinned}` })
    return problems
  }
}
