// By what a call shows which host really sent it. Processes are read once for each session, and only where nothing else tells.
import type { AgentId, DecodedEvent, HostSigns } from '@belay/core/adapter'
import { BoundedMap } from '@belay/core/value'
import { findAgent, listChain } from '../approval/process-ancestry.ts'
import { readProcess } from '../approval/process-facts.ts'
import type { HookCall } from './hook-call.ts'

const MAX_SESSIONS = 10_000

export type ReadSigns = (call: HookCall) => HostSigns

export function createHostSigns(findAbove: (pid: number) => AgentId | null = nearestAgent): ReadSigns {
  const known = new BoundedMap<string, AgentId | null>(MAX_SESSIONS)
  return ({ agent, payload, env, parentPid }) => ({
    payload,
    env,
    ancestor() {
      const session = `${agent} ${payload.session_id ?? payload.sessionId ?? payload.conversation_id ?? ''}`
      const before = known.get(session)
      if (before !== undefined || parentPid === null) return before ?? null
      const found = findAbove(parentPid)
      known.set(session, found)
      return found
    },
  })
}

/** The process itself counts: it is the one that started the client. Elsewhere than on Linux each look starts a program, so nobody looks. */
function nearestAgent(pid: number): AgentId | null {
  if (process.platform !== 'linux') return null
  return findAgent(listChain(pid, one => readProcess(one)))?.agent ?? null
}

/** Where the host would answer a question itself, nobody is there to answer it. */
export function isReallyAttended({ attended, env }: Pick<HookCall, 'attended' | 'env'>, decoded: DecodedEvent): boolean {
  const { agent, payload } = decoded
  const mode = payload.permission_mode
  return attended && !(typeof mode === 'string' && agent.answersItself(mode, versionOf(agent.id, env.AI_AGENT)))
}

/** As an agent says it to what it starts: `claude-code_2-1-325_cli`. Null: it does not. */
export function versionOf(agent: string, told: string | undefined): readonly number[] | null {
  const [name, version, ...more] = told?.split('_') ?? []
  return name === agent && version !== undefined && more.length > 0 && /^\d+(?:-\d+)*$/.test(version)
    ? version.split('-').map(Number)
    : null
}
