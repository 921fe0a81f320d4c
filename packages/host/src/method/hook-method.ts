// The fifteen hook methods: the same decision as for a native hook call, answered with all that a native answer carries and the view of the
// work around it. The method decides the event; payload names may be snake_case or camelCase; `belay-agent` names the agent.
import type { GuardedCall, HookResult } from '@belay/core'
import { findAgent } from '@belay/core/adapter'
import type { Decide } from '../decision/hook-call.ts'
import { readCall } from '../http/hook-route.ts'
import type { RouteCall } from '../http/route.ts'
import { type Params, toSnakeCase } from '../rpc/param.ts'
import { RPC_INVALID_PARAMS, RPC_REFUSED, RpcError, type RpcMethod } from '../rpc/rpc.ts'
import { viewOf, type WorkView } from '../state/work-view.ts'

export interface HookOutcome {
  readonly view: WorkView
  readonly guarded: GuardedCall
}

export type HookMethod = RpcMethod<RouteCall>

const DEFAULT_AGENT = 'claude-code'

export function createHookMethod(
  decide: Decide,
  event: string,
  answer: (outcome: HookOutcome) => Readonly<Record<string, unknown>>,
): HookMethod {
  return async (params, { request }) => {
    const named = request.headers['belay-agent']
    const agent = findAgent(typeof named === 'string' && named !== '' ? named : DEFAULT_AGENT)
    if (agent === null) throw new RpcError(RPC_INVALID_PARAMS, `There is no agent called ${String(named)}.`)
    const payload = agent.readPayload === null ? withSnakeKeys(params) : params
    const call = readCall(request, { agent: agent.id, event, payload })
    if (typeof call === 'string') throw new RpcError(RPC_INVALID_PARAMS, call)
    const said = await decide(call)
    if (said.kind === 'busy') throw new RpcError(RPC_REFUSED, said.why)
    const view = viewOf(said.decided?.metadata)
    if (said.decided === undefined || view === null) {
      const why = said.problem ?? (said.stderr.trim() || 'it cannot be read')
      throw new RpcError(RPC_INVALID_PARAMS, `The payload of ${event}: ${why}.`, { answer: said.stdout })
    }
    const { guarded, result } = said.decided
    return { ...describeContent(guarded, result), ...answer({ view, guarded }) }
  }
}

/** Names of the envelope only; what is inside a value belongs to the agent. */
function withSnakeKeys(params: Params): Params {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [/^[a-z]+(?:[A-Z][a-z0-9]*)+$/.test(key) ? toSnakeCase(key) : key, value]),
  )
}

/** What every method answers beside its own fields: the decision, and all that a native answer would carry. */
function describeContent({ judgement }: GuardedCall, { verdict, rewrite, context, message, stop }: HookResult) {
  return {
    decision: verdict.decision,
    reason: verdict.decision === 'none' ? null : (verdict.reason ?? null),
    rule: judgement?.rule?.id ?? null,
    additionalContext: context ?? null,
    systemMessage: message ?? null,
    stopReason: stop?.reason ?? null,
    updatedInput: rewrite?.input ?? null,
    updatedPrompt: rewrite?.prompt ?? null,
    updatedToolOutput: rewrite?.output ?? null,
  }
}
