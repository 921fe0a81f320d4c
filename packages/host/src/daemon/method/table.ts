// Every method of the state engine, by name.
import type { EntryDraft } from '@belay/core/ledger'
import type { StateEngine } from '../../state/open-state.ts'
import type { Decide } from '../hook-call.ts'
import type { RouteCall } from '../http/route.ts'
import type { RpcMethod } from '../rpc.ts'
import { createHookMethods } from './hooks.ts'

export interface StateMethodOptions {
  readonly state: StateEngine
  readonly decide: Decide
  /** Resolves when it is on disk. */
  record(draft: EntryDraft): Promise<unknown>
  /** `human:<name>` of this machine. */
  readonly person: string
}

export function createStateMethods(options: StateMethodOptions): readonly (readonly [string, RpcMethod<RouteCall>])[] {
  return [...createHookMethods(options.decide, options.state.parts.skills)]
}
