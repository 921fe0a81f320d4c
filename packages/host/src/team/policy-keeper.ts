// Holds the policies of the team on this machine: takes what the hub hands out, stops a roll-out that denies too much, and follows the clock.
// Every change is on disk before anybody is told of it; guards read it from there.
import { isHalted, mayHalt } from '@belay/core/team'
import { FIRST_TEAM_STATE, readTeamPolicy, type TeamPolicyState, writeFetchedAt, writeTeamPolicy } from '../config/team-policy.ts'
import type { Membership } from './membership.ts'
import { chooseAgain, type HubPolicies, parseHeld, takeBundles } from './take-bundles.ts'
import type { ComparedCount, TeamEntry } from './team-message.ts'

export interface PolicyKeeper {
  readonly state: () => TeamPolicyState
  /** The hub has answered. */
  take(found: HubPolicies): void
  /** What was judged by two bundles. */
  count(count: ComparedCount): void
  /** By the clock alone a bundle may begin, end, or be too old. */
  look(): void
}

export interface KeeperOptions {
  readonly home: string
  readonly membership: Membership
  record(entry: TeamEntry): void
  now(): number
}

const FETCHED_MS = 60_000

export function createPolicyKeeper({ home, membership, record, now }: KeeperOptions): PolicyKeeper {
  const { machine, labels, rootKey } = membership
  const held = readTeamPolicy(home, now())
  let state: TeamPolicyState = held.kind === 'held' ? held.state : { ...FIRST_TEAM_STATE, machine, labels }
  if (held.kind === 'none') writeTeamPolicy(home, state)
  // What is damaged is fetched anew, from the beginning; until the hub has answered the gate stays locked.
  let isDamaged = held.kind === 'broken'
  let fetchedAt = Number.NEGATIVE_INFINITY
  const counted = new Map<number, { calls: number; newDenies: number }>()

  const keep = (next: TeamPolicyState): void => {
    if (!isDamaged && (next === state || JSON.stringify(next) === JSON.stringify(state))) return
    isDamaged = false
    const before = state
    state = next
    writeTeamPolicy(home, next)
    for (const entry of describeChange(before, next)) record(entry)
  }
  return {
    state: () => state,
    take: found => {
      // A person may have pinned a version meanwhile.
      const onDisk = readTeamPolicy(home, now())
      if (onDisk.kind === 'held') state = onDisk.state
      // A file that brings nothing new does not make what is here any younger.
      const isHeard =
        found.isFile !== true || takeBundles(state, found, { home, rootKey, now: now() }).seen?.version !== state.seen?.version
      if (isHeard && now() - fetchedAt > FETCHED_MS) {
        fetchedAt = now()
        writeFetchedAt(home, fetchedAt)
      }
      keep(takeBundles(state, found, { home, rootKey, now: now() }))
    },
    count: ({ version, calls, newDenies }) => {
      const sum = counted.get(version) ?? { calls: 0, newDenies: 0 }
      const next = { calls: sum.calls + calls, newDenies: sum.newDenies + newDenies }
      counted.set(version, next)
      const manifest = parseHeld(state).find(bundle => bundle.manifest.version === version)?.manifest
      if (!manifest?.halt || !mayHalt(manifest) || !isHalted(manifest.halt, next)) return
      if (state.halted.some(each => each.version === version)) return
      const why = `${next.newDenies} of ${next.calls} calls on this machine were denied by it and not before`
      keep(chooseAgain({ ...state, halted: [...state.halted, { version, why }] }, { home, now: now() }))
    },
    look: () => {
      if (!isDamaged) keep(chooseAgain(state, { home, now: now() }))
    },
  }
}

function describeChange(before: TeamPolicyState, next: TeamPolicyState): readonly TeamEntry[] {
  const entries: TeamEntry[] = []
  const bundle = parseHeld(next).find(({ manifest }) => manifest.version === next.chosen?.inForce)
  if (before.chosen?.inForce !== next.chosen?.inForce || before.chosen?.isStale !== next.chosen?.isStale) {
    const said = { version: next.chosen?.inForce ?? null, hash: bundle?.hash ?? null, is_stale: next.chosen?.isStale ?? false }
    entries.push({ kind: 'team_policy', body: { ...said, before: before.chosen?.inForce ?? null } })
  }
  if (next.refused !== null && next.refused.why !== before.refused?.why)
    entries.push({ kind: 'bundle_refused', body: { why: next.refused.why } })
  for (const halt of next.halted)
    if (!before.halted.some(({ version }) => version === halt.version)) entries.push({ kind: 'roll_out_halted', body: { ...halt } })
  return entries
}
