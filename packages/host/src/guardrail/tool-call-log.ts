// Tool calls by idempotency key, in the store. A call is on disk before it runs; its receipt is redacted before it is kept.
import type { HookContext, ToolCallLog } from '@belay/core'
import { viewOf } from '../state/work-view.ts'
import type { Store } from '../store/store.ts'

export interface ToolCallLogOptions {
  readonly store: Store
  redact(text: string): string
  now(): number
}

export function createToolCallLog({ store, redact, now }: ToolCallLogOptions): ToolCallLog {
  const time = () => new Date(now()).toISOString()
  const rowOf = (call: Parameters<ToolCallLog['begin']>[0]) => ({
    idempotency_key: call.key,
    run_id: call.runId,
    tool_name: call.tool,
    side_effect_class: call.sideEffect,
    replay_policy: call.replay,
    rule_id: call.ruleId,
    created_at: time(),
  })
  return {
    runIdOf,
    async find(key) {
      const row = await store.db.selectFrom('tool_calls').selectAll().where('idempotency_key', '=', key).executeTakeFirst()
      if (row === undefined) return null
      return { status: row.status, attempt: row.attempt, receipt: row.receipt, at: row.created_at }
    },
    async begin(call, status) {
      await store.transact(tx =>
        tx
          .insertInto('tool_calls')
          .values({ ...rowOf(call), status })
          .onConflict(conflict =>
            conflict.column('idempotency_key').doUpdateSet(({ eb, ref }) => ({
              status,
              attempt: eb(ref('tool_calls.attempt'), '+', 1),
              receipt: null,
              created_at: time(),
            })),
          )
          .execute(),
      )
    },
    async end(call, { status, receipt }) {
      const ending = { status, receipt: receipt === null ? null : redact(receipt) }
      await store.transact(tx =>
        tx
          .insertInto('tool_calls')
          .values({ ...rowOf(call), ...ending })
          .onConflict(conflict => conflict.column('idempotency_key').doUpdateSet(ending))
          .execute(),
      )
    },
  }
}

/** The effort, else the session: what an agent does again in the same work is a repetition. */
function runIdOf({ metadata, sessionId }: HookContext): string {
  const effort = viewOf(metadata)?.effort ?? null
  return effort === null ? `session:${sessionId}` : `effort:${effort.id}`
}
