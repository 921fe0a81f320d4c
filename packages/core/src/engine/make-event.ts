// An event as a caller in the same process describes it: who fires is filled in once, what differs is given with each event.
import { randomUUID } from 'node:crypto'
import { canonicalEventName } from '../event/table.ts'
import type { HookEvent } from '../hook/hook-event.ts'

/** Who fires, where it differs from what was said at the start. */
export type Caller = Partial<
  Pick<HookEvent, 'sessionId' | 'cwd' | 'actor' | 'agent' | 'commitment' | 'transcriptPath' | 'permissionMode' | 'env'>
>

export type FilledCaller = Required<Caller>

export function fillCaller(options: Caller): FilledCaller {
  return {
    sessionId: options.sessionId ?? randomUUID(),
    cwd: options.cwd ?? process.cwd(),
    actor: options.actor ?? 'agent:in-process',
    agent: options.agent ?? 'in-process',
    commitment: options.commitment ?? null,
    transcriptPath: options.transcriptPath ?? null,
    permissionMode: options.permissionMode ?? null,
    env: options.env ?? {},
  }
}

export function makeEvent(name: string, payload: object, caller: FilledCaller, given: Caller = caller): HookEvent {
  return {
    name: canonicalEventName(name),
    sessionId: given.sessionId ?? caller.sessionId,
    cwd: given.cwd ?? caller.cwd,
    transcriptPath: given.transcriptPath ?? caller.transcriptPath,
    permissionMode: given.permissionMode ?? caller.permissionMode,
    actor: given.actor ?? caller.actor,
    agent: given.agent ?? caller.agent,
    commitment: given.commitment ?? caller.commitment,
    fields: payload as Readonly<Record<string, unknown>>,
    env: given.env ?? caller.env,
  }
}
