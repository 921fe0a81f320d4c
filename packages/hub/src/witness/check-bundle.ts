// Whether a machine is on the bundle that it should be on, by what it says and when it was last heard of.
import type { Database } from '../database/open-database.ts'
import type { Machine } from '../machine/login-machine.ts'
import { CATCH_UP_MS } from '../machine/note-contact.ts'
import type { Problem } from './check-chain.ts'

export async function createBundleCheck(db: Database): Promise<(machine: Machine) => readonly Problem[]> {
  const bundles = await db.selectFrom('bundle').select(['version', 'hash']).orderBy('version').execute()
  return ({ policy, last_seen, behind_since }) => {
    const { seen = 0, seenHash, refused, pinned } = policy as { seen?: number; seenHash?: string; refused?: string; pinned?: number }
    const problems: Problem[] = []
    const last = bundles.at(-1)
    if (last && behind_since && (last_seen?.getTime() ?? 0) - behind_since.getTime() > CATCH_UP_MS)
      problems.push({ kind: 'old_bundle', what: `it has seen policy ${seen} of ${last.version}` })
    const known = bundles.find(({ version }) => version === seen)
    if (seen > 0 && (!known || known.hash !== seenHash))
      problems.push({ kind: 'other_bundle', what: `its policy ${seen} is not the one that was published` })
    if (typeof refused === 'string') problems.push({ kind: 'bundle_refused', what: `it did not take a policy: ${refused}` })
    if (typeof pinned === 'number') problems.push({ kind: 'pinned', what: `a person there holds it at policy ${pinned}` })
    return problems
  }
}
