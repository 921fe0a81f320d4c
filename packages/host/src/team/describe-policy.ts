// How the policy of the team stands on this machine, as the hub is told.
import type { TeamPolicyState } from '../config/team-policy.ts'

export function describePolicy(state: TeamPolicyState): Readonly<Record<string, unknown>> {
  const { seen, chosen, since, pinned, refused, halted } = state
  return {
    seen: seen?.version ?? 0,
    seenHash: seen?.hash ?? null,
    inForce: chosen?.inForce ?? null,
    isStale: chosen?.isStale ?? false,
    since,
    pinned,
    // That a bundle came too late says nothing about this machine.
    refused: refused?.isOver === true ? null : (refused?.why ?? null),
    halted: halted.map(({ version }) => version),
  }
}
