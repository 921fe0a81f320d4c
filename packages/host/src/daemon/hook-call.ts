// One hook call as it reaches the daemon, whichever door it came through, and the answer that goes back.
import type { ShimAnswer, ShimFrame } from '../wire/shim-frame.ts'

export type HookCall = ShimFrame

/** 'busy' is "not now": the client goes on as if there were no daemon. */
export type HookAnswer = ({ readonly kind: 'answer' } & ShimAnswer) | { readonly kind: 'busy'; readonly why: string }

export type Decide = (call: HookCall) => Promise<HookAnswer>
