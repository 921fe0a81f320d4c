// A call that was denied and ran all the same: the agent did not obey, or whatever carried the answer was ended on its way. It cannot be undone
// from here, but it is never silent: an entry in the ledger, a warning in the log, and a word to the model. Bounded: what is forgotten is only
// this comparison.
import { callKey, type GuardedCall, type HookEvent } from '@belay/core'
import { BoundedMap } from '@belay/core/value'
import type { Ledger } from '../ledger/open-ledger.ts'

export const GUARD_PASSED = 'guard_passed'

export interface PassedGuard {
  /** A call was judged, and its agent told. */
  note(guarded: GuardedCall): void
  /** A call is over; what is to be said about it where it was denied. */
  report(event: HookEvent): Promise<readonly string[]> | null
}

interface Denied {
  readonly reason: string
  readonly at: number
}

const MAX_CALLS = 2000

export interface PassedGuardPort {
  readonly append: Ledger['append']
  warn(message: string): void
  now(): number
}

export function createPassedGuard(port: PassedGuardPort): PassedGuard {
  const denied = new BoundedMap<string, Denied>(MAX_CALLS)
  return {
    note({ verdict, fired: { event } }) {
      if (verdict.decision === 'deny') denied.set(callKey(event), { reason: verdict.reason ?? 'denied', at: port.now() })
      else if (denied.size > 0) denied.delete(callKey(event))
    },
    report(event) {
      const before = denied.size === 0 ? undefined : denied.get(callKey(event))
      // A call that failed has not run; nor has one whose result is our own refusal, as some agents report it.
      if (before === undefined || event.name !== 'PostToolUse' || isRefusal(event, before)) return null
      denied.delete(callKey(event))
      return write(event, before, port)
    },
  }
}

function isRefusal({ fields }: HookEvent, { reason }: Denied): boolean {
  const said = JSON.stringify(fields.toolResponse ?? null)
  return said.includes(JSON.stringify(reason).slice(1, -1).slice(0, LONG_ENOUGH))
}

const LONG_ENOUGH = 60

async function write(event: HookEvent, { reason, at }: Denied, { append, warn }: PassedGuardPort): Promise<readonly string[]> {
  const { agent, sessionId: session, cwd, actor, delivery } = event
  const { toolName, toolInput, toolUseId } = event.fields
  const text = `Belay: this call was denied (${reason}) and has run all the same. A person should look at it: belay ledger query --kind ${GUARD_PASSED}`
  warn(`${agent} ran a call of ${String(toolName)} that was denied: ${reason}`)
  const body = {
    event: event.name,
    agent,
    agentId: delivery?.agentId ?? null,
    root: delivery?.root ?? null,
    cwd,
    tool: toolName ?? null,
    input: toolInput ?? null,
    toolUseId: toolUseId ?? null,
    deniedAt: new Date(at).toISOString(),
    reason,
  }
  try {
    await append({ actor, session, kind: GUARD_PASSED, policy: delivery?.policyHash ?? null, body })
  } catch (error) {
    warn(`that a denied call ran could not be recorded: ${String(error)}`)
  }
  return [text]
}
