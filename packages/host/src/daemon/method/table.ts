// Every method of the state engine, by name.
import type { EntryDraft } from '@belay/core/ledger'
import type { StateEngine } from '../../state/open-state.ts'
import type { Decide } from '../hook-call.ts'
import type { RouteCall } from '../http/route.ts'
import type { RpcMethod } from '../rpc.ts'
import { createEffortMethods } from './effort.ts'
import { createHookMethods } from './hooks.ts'
import { createPauseMethods } from './pause.ts'
import { createSessionMethods } from './session.ts'
import { createWorkMethods } from './work.ts'

export interface StateMethodOptions {
  readonly state: StateEngine
  readonly decide: Decide
  /** Resolves when it is on disk. */
  record(draft: EntryDraft): Promise<unknown>
  /** `human:<name>` of this machine. */
  readonly person: string
}

export function createStateMethods(options: StateMethodOptions): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  const { parts, pause } = options.state
  const { record, person } = options
  return [
    ...createHookMethods(options.decide, parts.skills),
    ...createEffortMethods(parts),
    ...createSessionMethods(parts),
    ...createWorkMethods(parts),
    ...createPauseMethods({ pause, person, record, publish: parts.publish, now: parts.now }),
  ]
}
