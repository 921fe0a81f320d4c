// Who really called. A hook file is read by hosts that it was not written for, so the agent that a line names is only who it was written for:
// a host is known by a variable, an envelope or a process that only it has. Both names count when rights are judged, and an answer is spelled
// for both.
import type { AnswerFormat, Json } from '../agent/agent.ts'
import { type Agent, type AgentId, listAgents } from '../agent/agents.ts'
import { isObject } from '../value/is-object.ts'
import { type DecodedEvent, decodeEvent } from './decode.ts'
import { canonicalEvent } from './event-name.ts'

export interface HostSigns {
  readonly payload: Json
  readonly env: Readonly<Record<string, string | undefined>>
  /** The nearest agent among the processes above the hook's; null: none that is known. Asked only where nothing else says who it is. */
  ancestor(): AgentId | null
}

/** Decodes a call as the host that sent it means it. `line`: the agent that the hook line names. */
export function decodeCall(line: Agent, event: string, signs: HostSigns): DecodedEvent {
  const host = findHost(line, signs)
  if (host !== null) {
    const decoded = decodeEvent(host, canonicalEvent(line.id, event), signs.payload)
    return { ...decoded, line, spelling: [...new Set([host.answer, line.answer])] }
  }
  const decoded = decodeEvent(line, event, signs.payload)
  return isUnknownHost(line, decoded.rawTool) ? { ...decoded, spelling: EVERY_FORM } : decoded
}

/** Null: the agent that the line was written for, as far as anybody can tell. */
function findHost(line: Agent, { payload, env, ancestor }: HostSigns): Agent | null {
  const hosts = BORROWERS.get(line.id)
  if (hosts === undefined) return null
  const told = hosts.find(({ hookVariable }) => hookVariable !== null && Boolean(env[hookVariable]))
  const known = told ?? hosts.find(({ isOwnPayload }) => isOwnPayload?.(payload) === true)
  if (known !== undefined) return known
  const above = ancestor()
  return hosts.find(({ id }) => id === above) ?? null
}

const BORROWERS: ReadonlyMap<string, readonly Agent[]> = new Map(
  listAgents()
    .map(({ id }) => [id, listAgents().filter(({ borrows }) => borrows.includes(id))] as const)
    .filter(([, hosts]) => hosts.length > 0),
)

/** Flat and nested together: each host takes what it knows and leaves the rest. */
const EVERY_FORM: readonly AnswerFormat[] = ['claude', 'copilot', 'cursor']

function isUnknownHost({ toolNames }: Agent, rawTool: DecodedEvent['rawTool']): boolean {
  return toolNames !== null && rawTool !== null && isObject(rawTool.input) && !toolNames.test(rawTool.name)
}
