// Who really called. A hook file is read by hosts that it was not written for, so the agent that a line names is only who it was written for:
// a host is known by a variable, an envelope or a process that only it has. Both names count when rights are judged, and an answer is spelled
// for both. One that nobody described is known by what it sends that the agent never would.
import type { Json } from '../agent/agent.ts'
import { type Agent, type AgentId, listAgents } from '../agent/agents.ts'
import { readClaudePayload } from '../agent/payload.ts'
import { isObject } from '../value/is-object.ts'
import { type DecodedEvent, decodeEvent } from './decode.ts'
import { canonicalEvent } from './event-name.ts'
import { isAboutCall, isForeign, readForeign } from './foreign-envelope.ts'

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
  if (BORROWERS.has(line.id) && isForeign(decoded.payload, decoded.answerEvent)) {
    const known = (line.readPayload ?? readClaudePayload)(signs.payload, event)
    const read = readForeign(known, decoded.answerEvent)
    // Where a call is expected and none is found, all that is missing is said.
    const hasSession = line.hasSession && isAboutCall(decoded.answerEvent) && read.tool_name === undefined
    return asUnknown(decodeEvent({ ...line, hasSession, readPayload: null }, event, read))
  }
  return hasForeignTool(line, decoded.rawTool) ? asUnknown(decoded) : decoded
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

/** It may know no answer but a refusal: to another host a question or a changed input may mean to go on as it was. */
function asUnknown(decoded: DecodedEvent): DecodedEvent {
  const { agent } = decoded
  const can = { ...agent.can, ask: false, rewriteInput: false, rewritePrompt: false, replaceOutput: false }
  return { ...decoded, agent: { ...agent, name: `an unknown host on the line of ${agent.name}`, can }, isUnknownHost: true }
}

function hasForeignTool({ toolNames }: Agent, rawTool: DecodedEvent['rawTool']): boolean {
  return toolNames !== null && rawTool !== null && isObject(rawTool.input) && !toolNames.test(rawTool.name)
}
