// Every method of the state engine, by name.
import type { EntryDraft } from '@belay/core/ledger'
import type { Decide } from '../decision/hook-call.ts'
import type { RouteCall } from '../http/route.ts'
import type { LoadGate } from '../rpc/load-gate.ts'
import type { RpcMethod } from '../rpc/rpc.ts'
import type { StateEngine } from '../state/open-state.ts'
import { createRoleMethods } from './agent-role.ts'
import { createEffortMethods } from './effort.ts'
import { createHookMethods } from './hooks.ts'
import { createPauseMethods } from './pause.ts'
import { createSessionMethods } from './session.ts'
import { createWorkMethods } from './work.ts'

export interface StateMethodOptions {
  readonly state: StateEngine
  readonly decide: Decide
  /** Hook calls by RPC count like those of any other door: refused under load, waited for at the end. */
  readonly gate: LoadGate
  /** Resolves when it is on disk. */
  record(draft: EntryDraft): Promise<unknown>
  /** `human:<name>` of this machine. */
  readonly person: string
}

export function createStateMethods(options: StateMethodOptions): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  const { parts, pause } = options.state
  const { record, person } = options
  return [
    ...createHookMethods(throughGate(options), parts.skills),
    ...createEffortMethods(parts),
    ...createSessionMethods(parts),
    ...createWorkMethods(parts),
    ...createRoleMethods({ parts, person, record }),
    ...createPauseMethods({ pause, person, record, publish: parts.publish, now: parts.now }),
  ]
}

function throughGate({ decide, gate }: StateMethodOptions): Decide {
  return async call => {
    const refused = gate.enter(call.agentId ?? 'rpc')
    if (refused !== null) return { kind: 'busy', why: refused }
    try {
      return await decide(call)
    } finally {
      gate.leave()
    }
  }
}
