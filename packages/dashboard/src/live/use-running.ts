// Which of the recorded calls run now, as the daemon counts them: a line that has no end yet says nothing by itself, since an agent may have
// been ended, or never says when a call does.
import { useMemo } from 'react'
import type { RunningCall } from '#page/overview.ts'
import type { RecordRow } from '#page/record.ts'
import { useVerb } from '../daemon/use-verb.ts'

export type IsRunning = (row: RecordRow) => boolean

const NOTHING = {}
const NONE: readonly RunningCall[] = []

/** Of the frame, which is read every few seconds anyway. */
export function useRunning(): IsRunning {
  const running = useVerb('page.frame', NOTHING).data?.running ?? NONE
  return useMemo(() => runningAmong(running), [running])
}

export function runningAmong(running: readonly RunningCall[]): IsRunning {
  const names = new Set(running.map(({ agentId, callId, tool, text }) => nameOf(agentId, callId, `${tool} ${text}`)))
  return ({ kind, agentId, callId, tool, summary }) =>
    kind === 'pre_tool_use' && agentId !== null && names.has(nameOf(agentId, callId, `${tool} ${summary.slice(0, NAMED_BY)}`))
}

/** As long as the daemon's text of it at most. */
const NAMED_BY = 100

function nameOf(agentId: string, callId: string | null, text: string): string {
  return callId === null ? `${agentId} text ${text}` : `${agentId} id ${callId}`
}
