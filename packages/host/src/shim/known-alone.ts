// What a client knows when it is alone: what the daemon mirrored. Where a daemon has been here and something of it is missing, changed or old,
// that part is unknown, and whoever judges takes the stricter case.
import { existsSync } from 'node:fs'
import { type KnownClaims, readClaims } from '../commitment/claim-mirror.ts'
import { mirrorFolder } from '../config/mirror-file.ts'
import { readRoot } from '../decision/root-mirror.ts'
import { locateLedger } from '../ledger/ledger-files.ts'
import { type KnownRoles, readRoles } from '../state/role-mirror.ts'
import { type KnownWork, readWork } from '../state/row-mirror.ts'

export interface KnownAlone {
  readonly roles: KnownRoles
  readonly claims: KnownClaims
  readonly work: KnownWork
  /** Where the session began; null: it begins now. */
  readonly root: string | null
  /** Why not all is known; null: it is. */
  readonly unknown: string | null
}

const NO_ROLES: KnownRoles = { bindingOf: () => null, roleOf: () => null }
const NO_CLAIMS: KnownClaims = { commitmentOf: () => null, fieldsOf: id => ({ id }) }
const NO_WORK: KnownWork = { agents: {}, efforts: [], sessions: [] }

export function readKnown(home: string, agentKind: string, session: string): KnownAlone {
  const roles = readRoles(home)
  const claims = readClaims(home)
  const work = readWork(home)
  const begun = readRoot(home, agentKind, session)
  const damage = [roles, claims, work, begun].find(part => typeof part === 'string') ?? null
  const isMissing = roles === null || claims === null || work === null || (typeof begun !== 'string' && !begun.isKept)
  // Without a database no daemon has ever been here, and there is nothing to know.
  const lost = isMissing && existsSync(locateLedger(home).database) ? `something is missing in ${mirrorFolder(home)}` : null
  return {
    roles: or(roles, NO_ROLES),
    claims: or(claims, NO_CLAIMS),
    work: or(work, NO_WORK),
    root: typeof begun === 'string' ? null : begun.root,
    unknown: damage ?? lost,
  }
}

function or<T extends object>(part: T | string | null, nothing: T): T {
  return part === null || typeof part === 'string' ? nothing : part
}
