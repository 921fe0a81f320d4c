// Which agents this machine has: those whose program is on the daemon's PATH, and those that Belay was installed into. Whether one is guarded
// is told by the calls that have come from it.
import type { AgentId } from '@belay/core/adapter'
import { HOST_AGENTS, programOf } from '../agent/agents.ts'
import { isOnPath } from '../disk/on-path.ts'
import { listRecords } from '../install/install-record.ts'

export function findAgents(home: string, path: string): readonly AgentId[] {
  const installed = new Set(listRecords(home).map(({ agent }) => agent))
  const isFound = (id: AgentId): boolean => {
    const program = programOf(id)
    return installed.has(id) || (program !== null && isOnPath(program, path))
  }
  return (Object.keys(HOST_AGENTS) as AgentId[]).filter(isFound).sort()
}
