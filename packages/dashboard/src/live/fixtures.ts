// Rows for tests.
import type { RecordRow } from '#page/record.ts'

export function makeRow(seq: number, more: Partial<RecordRow> = {}): RecordRow {
  return {
    seq,
    id: `id${seq}`,
    // Further apart than a burst.
    time: new Date(Date.UTC(2026, 0, 1) + seq * 2000).toISOString(),
    kind: 'pre_tool_use',
    actor: 'agent:one',
    session: 's1',
    agent: 'claude-code',
    agentId: 'one',
    project: '/repo/api',
    event: 'PreToolUse',
    tool: 'Read',
    summary: `file-${seq}`,
    verdict: 'allow',
    isRewritten: false,
    hasFailedHook: false,
    rule: null,
    by: null,
    place: null,
    reason: null,
    commitment: null,
    tookMs: 1,
    callId: null,
    approval: null,
    ...more,
  }
}

/** From `first` down to `last`, as the daemon lists them. */
export function makeRows(first: number, last: number): readonly RecordRow[] {
  return Array.from({ length: first - last + 1 }, (_, index) => makeRow(first - index))
}
