// One hook call as it reaches the daemon, whichever door it came through, and the answer that goes back.
import type { GuardedCall, HookEvent, HookResult } from '@belay/core'
import type { ShimAnswer, ShimFrame } from '../wire/shim-frame.ts'

export type HookCall = ShimFrame

/** 'busy' is "not now": the client goes on as if there were no daemon. `problem`: why the call could not be read. */
export type HookAnswer =
  | ({ readonly kind: 'answer'; readonly decided?: Decided; readonly problem?: string } & ShimAnswer)
  | { readonly kind: 'busy'; readonly why: string }

/** How the answer came about, for callers inside the daemon; absent where the call could not be read. */
export interface Decided {
  readonly event: HookEvent
  readonly agentId: string
  readonly guarded: GuardedCall
  /** All that there is to say to the agent, before its dialect takes out what it cannot be told. */
  readonly result: HookResult
  readonly metadata: ReadonlyMap<string, unknown>
}

/** No promise where nobody had to be waited for. */
export type Decide = (call: HookCall) => HookAnswer | Promise<HookAnswer>
