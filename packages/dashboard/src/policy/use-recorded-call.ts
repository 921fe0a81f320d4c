// A recorded call as one to try; told once, when it has come.
import { useEffect, useRef } from 'react'
import type { TriedCall } from '#page/policy.ts'
import type { RecordDetail } from '#page/record.ts'
import type { DaemonError } from '../daemon/daemon-error.ts'
import { useVerb } from '../daemon/use-verb.ts'

/** What went wrong on the way; null: nothing. */
export function useRecordedCall(seq: number | null, onCall: (call: TriedCall) => void): DaemonError | null {
  const recorded = useVerb('page.record', { seq: seq ?? 0 }, { enabled: seq !== null })
  const tell = useRef(onCall)
  tell.current = onCall
  const told = useRef<number | null>(null)
  const detail = recorded.data
  useEffect(() => {
    if (detail === undefined || detail.row.seq !== seq || told.current === seq) return
    told.current = seq
    const call = callOf(detail)
    if (call !== null) tell.current(call)
  }, [detail, seq])
  return recorded.error
}

function callOf({ row, inputAfter, inputBefore, cwd }: RecordDetail): TriedCall | null {
  if (row.tool === null) return null
  const input = asFields(inputAfter) ?? asFields(inputBefore) ?? {}
  return { actor: row.actor, tool: row.tool, input, ...(cwd === null ? {} : { cwd }) }
}

function asFields(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
