// Hooks that go on after the answer. In the record of their event they have only started; how each ended is an entry of its own (`hook_run`).
import type { HookEvent, HookRun } from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'
import { runRecord } from './decision-record.ts'

export interface LateRunOptions {
  append(draft: EntryDraft): Promise<unknown>
  /** Counts what hooks cost. */
  count(event: string, run: Readonly<Record<string, unknown>>): void
  onFailure(error: unknown): void
}

export interface LateRun {
  readonly event: HookEvent
  readonly run: HookRun
}

export function recordLateRuns({ append, count, onFailure }: LateRunOptions): (late: LateRun) => void {
  return ({ event, run }) => {
    const record = runRecord(run, undefined)
    count(event.name, record)
    append(draftOf(event, record)).catch(onFailure)
  }
}

function draftOf(event: HookEvent, run: Readonly<Record<string, unknown>>): EntryDraft {
  const { toolName, toolUseId } = event.fields
  const body = {
    agent: event.agent,
    agentId: event.delivery?.agentId,
    cwd: event.cwd,
    event: event.name,
    hooks: [run],
    root: event.delivery?.root,
    tool: toolName,
    toolUseId,
  }
  return { actor: event.actor, session: event.sessionId, kind: 'hook_run', policy: event.delivery?.policyHash ?? null, body }
}
