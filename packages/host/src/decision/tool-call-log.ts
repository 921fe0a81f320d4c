// Tool calls by idempotency key, in the store. A call is on disk before it runs; its receipt is redacted before it is kept. What was asked and
// what came of it stand in the ledger: the entries are noted here once they are written.

import { createHash } from 'node:crypto'
import { endOf, type HookContext, type ToolCallLog } from '@belay/core'
import type { EntryDraft } from '@belay/core/ledger'
import { BoundedMap } from '@belay/core/value'
import { viewOf } from '../state/work-view.ts'
import type { Store } from '../store/store.ts'

export interface ToolCallLogOptions {
  readonly store: Store
  redact(text: string): string
  now(): number
}

export interface DaemonCallLog extends ToolCallLog {
  /** What to tell once a decision has its place in the ledger; null: nothing. A call that was refused in the end never ran, whoever refused it. */
  awaitRecord(draft: EntryDraft): ((seq: number) => Promise<void>) | null
}

const MAX_UNRECORDED = 5000

export function createToolCallLog({ store, redact, now }: ToolCallLogOptions): DaemonCallLog {
  /** Keys of calls whose event is not in the ledger yet. */
  const requests = new BoundedMap<string, string>(MAX_UNRECORDED)
  const responses = new BoundedMap<string, string>(MAX_UNRECORDED)
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
    async begin(call, status, context) {
      requests.set(handleOf(context), call.key)
      await store.transact(tx =>
        tx
          .insertInto('tool_calls')
          .values({ ...rowOf(call), status })
          .onConflict(conflict =>
            conflict.column('idempotency_key').doUpdateSet(({ eb, ref }) => ({
              status,
              attempt: eb(ref('tool_calls.attempt'), '+', 1),
              receipt: null,
              request_seq: null,
              response_seq: null,
              created_at: time(),
            })),
          )
          .execute(),
      )
    },
    async end(call, { status, receipt }, context) {
      if (status !== 'abandoned') responses.set(handleOf(context), call.key)
      const ending = { status, receipt: receipt === null ? null : redact(receipt) }
      await store.transact(tx =>
        tx
          .insertInto('tool_calls')
          .values({ ...rowOf(call), ...ending })
          .onConflict(conflict => conflict.column('idempotency_key').doUpdateSet(ending))
          .execute(),
      )
    },
    awaitRecord({ session, body }) {
      const isRequest = body.event === 'PreToolUse'
      const keys = isRequest ? requests : responses
      if (keys.size === 0) return null
      const handle = handleFor(session, body.tool, body.toolUseId, body.input)
      const key = keys.get(handle)
      if (key === undefined || !(isRequest || endOf(String(body.event)) === 'tool')) return null
      keys.delete(handle)
      // Asked, and nobody answered: the agent was told no.
      const wasRefused = isRequest && (body.verdict === 'deny' || (body.verdict === 'ask' && body.request !== undefined))
      return seq =>
        store.transact(async tx => {
          const noted = isRequest ? { request_seq: seq } : { response_seq: seq }
          await tx.updateTable('tool_calls').set(noted).where('idempotency_key', '=', key).execute()
          if (!wasRefused) return
          const never = tx.updateTable('tool_calls').set({ status: 'abandoned' }).where('idempotency_key', '=', key)
          await never.where('status', 'in', ['prepared', 'running']).execute()
        })
    },
  }
}

function handleOf({ sessionId, toolName, toolUseId, source }: HookContext): string {
  return handleFor(sessionId, toolName, toolUseId, source.fields.toolInput)
}

/** What a hook and the record of its event have in common: the agent's id of the call, else the call itself. */
function handleFor(session: unknown, tool: unknown, useId: unknown, input: unknown): string {
  const call =
    typeof useId === 'string'
      ? useId
      : createHash('sha256')
          .update(JSON.stringify(input) ?? '')
          .digest('hex')
  return `${session}\n${tool}\n${call}`
}

/** The effort, else the session: what an agent does again in the same work is a repetition. */
function runIdOf({ metadata, sessionId }: HookContext): string {
  const effort = viewOf(metadata)?.effort ?? null
  return effort === null ? `session:${sessionId}` : `effort:${effort.id}`
}
