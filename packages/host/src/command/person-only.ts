// Verbs for people: refused where an agent is among the ancestors of the process, whatever its policy says. AGENT_ID says nothing here: people
// set it in the shells they start agents from.
import { findAgent, listAncestors } from '../approval/process-ancestry.ts'
import { type CommandIo, fail } from './io.ts'

/** null: a person may be there. */
export function refuseAgents(io: CommandIo, verb: string): 2 | null {
  const inside = findAgent(listAncestors(process.pid))
  return inside === null ? null : fail(io, `${verb} is for people; this command runs inside ${inside.agent} (pid ${inside.process.pid})`)
}
