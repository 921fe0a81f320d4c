// A spooled record as the event that it is of.
import { allow, ask, deny, type HookEvent, none, type Verdict } from '@belay/core'
import type { WorkCall } from '../state/work-view.ts'
import type { SpooledCall, SpooledEvent } from './spool.ts'

/** Null: the entry is not of an event. */
export function readSpooledCall(
  { actor, session, body }: SpooledEvent['draft'],
  { transcriptPath, env }: SpooledCall,
): { readonly workCall: WorkCall; readonly verdict: Verdict } | null {
  const { event: name, agent, agentId, root, cwd } = body
  if (typeof name !== 'string' || typeof agent !== 'string' || typeof agentId !== 'string' || typeof root !== 'string') return null
  const event: HookEvent = {
    name,
    agent,
    actor,
    sessionId: session ?? '',
    cwd: typeof cwd === 'string' ? cwd : root,
    transcriptPath,
    permissionMode: null,
    commitment: typeof body.commitment === 'string' ? body.commitment : null,
    fields: fieldsOf(body),
    env,
  }
  const workCall = { event, agentId, root, env, isNamed: env.AGENT_ID !== undefined, deliveryId: null, isReplayed: true }
  return { workCall, verdict: verdictOf(body) }
}

function fieldsOf({ fields, tool, input, toolUseId }: SpooledEvent['draft']['body']): HookEvent['fields'] {
  const others = typeof fields === 'object' && fields !== null ? fields : {}
  return { ...others, ...(tool === undefined ? {} : { toolName: tool, toolInput: input, toolUseId }) }
}

function verdictOf({ verdict, reason }: SpooledEvent['draft']['body']): Verdict {
  const why = typeof reason === 'string' ? reason : ''
  if (verdict === 'deny') return deny(why)
  if (verdict === 'ask') return ask(why)
  return verdict === 'allow' ? allow(why) : none()
}
