// The names of agents and sessions that `belay doctor` makes up for a moment. People do not want to see them in the fleet; their calls are in
// the ledger like all others. A name says when it was made and counts for minutes only: an agent that takes one cannot stay out of sight.
import { randomUUID } from 'node:crypto'

const NAME = /(?:^|:)belay-doctor-([0-9a-z]{8,10})-/
/** Longer than any check of the doctor takes. */
const LIFE_MS = 5 * 60 * 1000

export function makeDoctorName(nowMs: number): string {
  return `belay-doctor-${nowMs.toString(36)}-${randomUUID()}`
}

/** `lastAt`: when the agent was last heard of. */
export function isDoctors(name: string, lastAt: string): boolean {
  const made = NAME.exec(name)?.[1]
  if (made === undefined) return false
  const age = Date.parse(lastAt) - Number.parseInt(made, 36)
  return age >= 0 && age < LIFE_MS
}
