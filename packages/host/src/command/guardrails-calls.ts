// `belay guardrails calls`: what the guardrail `tool_ledger` has written down, the newest first. Works without the daemon.
import { type Selectable, sql } from 'kysely'
import type { ToolCallTable } from '../store/table/record.ts'
import { type CommandIo, type ExitCode, fail, printJson, printLine } from '../terminal/io.ts'
import { renderTable } from '../terminal/table.ts'
import { visibleText } from '../terminal/visible.ts'
import { withStore } from './ledger/ledger-command.ts'

export interface CallsOptions {
  /** Of one run: `effort:3`, `session:ID`. */
  readonly run?: string
  readonly status?: string
  readonly limit?: number
  readonly json?: boolean
}

const STATUSES: readonly ToolCallTable['status'][] = ['prepared', 'running', 'succeeded', 'failed', 'abandoned']
const LIMIT = 50
const SHORT_KEY = 12
const NONE = 'no calls are written down; the guardrail tool_ledger does that where a policy has it'
const HEAD = ['TIME', 'STATUS', 'TOOK', 'TOOL', 'CLASS', 'REPLAY', 'TRY', 'RUN', 'ENTRIES', 'KEY']

export async function runGuardrailsCalls(options: CallsOptions, io: CommandIo): Promise<ExitCode> {
  const status = STATUSES.find(each => each === options.status)
  if (options.status !== undefined && status === undefined)
    return fail(io, `there is no status ${options.status}`, `use one of ${STATUSES.join(', ')}`)
  return withStore(io, async store => {
    let query = store.db
      .selectFrom('tool_calls')
      .leftJoin('ledger as asked', 'asked.seq', 'tool_calls.request_seq')
      .leftJoin('ledger as ended', 'ended.seq', 'tool_calls.response_seq')
      .selectAll('tool_calls')
      .select(['asked.time as asked_at', 'ended.time as ended_at', DURATION_TOLD.as('told_ms')])
      .orderBy('created_at', 'desc')
      .limit(options.limit ?? LIMIT)
    if (options.run !== undefined) query = query.where('run_id', '=', options.run)
    if (status !== undefined) query = query.where('status', '=', status)
    const rows = await query.execute()
    if (options.json === true) printJson(io, rows.map(describeCall))
    else printLine(io.stdout, renderTable(io, HEAD, rows.map(cellsOf), NONE))
    return 0
  })
}

/** As the agent told it; the body of a trimmed entry is gone. */
const DURATION_TOLD = sql<number | null>`CASE WHEN json_valid(ended.body) THEN json_extract(ended.body, '$.fields.durationMs') END`

interface CallRow extends Selectable<ToolCallTable> {
  readonly asked_at: string | null
  readonly ended_at: string | null
  readonly told_ms: number | null
}

/** As the agent tells it, else from the entry of its request to that of its end; null: one of them is not there (yet). */
function durationOf({ told_ms: told, asked_at: from, ended_at: until }: CallRow): number | null {
  if (typeof told === 'number') return told
  return from === null || until === null ? null : Math.max(0, Date.parse(until) - Date.parse(from))
}

function describeCall(row: CallRow) {
  return {
    key: row.idempotency_key,
    run: row.run_id,
    tool: row.tool_name,
    class: row.side_effect_class,
    replay: row.replay_policy,
    rule: row.rule_id,
    status: row.status,
    attempt: row.attempt,
    durationMs: durationOf(row),
    requestSeq: row.request_seq,
    responseSeq: row.response_seq,
    receipt: row.receipt,
    correlationId: row.external_correlation_id,
    at: row.created_at,
  }
}

function cellsOf(row: CallRow): readonly string[] {
  const took = durationOf(row)
  const entries = [row.request_seq, row.response_seq].map(seq => (seq === null ? '-' : String(seq))).join(' ')
  const words = [
    row.created_at,
    row.status,
    took === null ? '-' : `${Math.round(took)} ms`,
    row.tool_name,
    row.side_effect_class,
    row.replay_policy,
    String(row.attempt),
    row.run_id,
    entries,
  ]
  return [...words, row.idempotency_key.slice(0, SHORT_KEY)].map(visibleText)
}
